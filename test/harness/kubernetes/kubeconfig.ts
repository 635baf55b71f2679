import { writeFile } from 'node:fs/promises';

/** Where an API server is, and with what a client shows who it is. */
export interface Access {
  readonly server: string;
  /** PEM of the authority that the server's certificate is checked with; none for plain HTTP. */
  readonly ca?: string | undefined;
  /** None where something between client and server adds it. */
  readonly token?: string | undefined;
}

/** Writes the file that kubectl and the client libraries read. @returns its path. */
export async function writeKubeconfig(path: string, { server, ca, token }: Access): Promise<string> {
  // the Node client refuses plain HTTP unless it is told that it is not to be checked
  const trust = server.startsWith('http:')
    ? { 'insecure-skip-tls-verify': true }
    : ca !== undefined && { 'certificate-authority-data': Buffer.from(ca).toString('base64') };
  const name = 'proplane-test';
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server, ...trust } }],
    users: [{ name, user: token === undefined ? {} : { token } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  };
  await writeFile(path, JSON.stringify(config, undefined, 2), { mode: 0o600 });
  return path;
}
