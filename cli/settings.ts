import { configFilePath, readConfigFile } from './config-file.ts';

/** Which server, and as whom. */
export interface Settings {
  readonly host: string;
  readonly token?: string;
}

export const DEFAULT_HOST = 'http://127.0.0.1:8080';

/**
 * Each setting by itself: as option, else from the environment, else from the configuration file. An empty variable
 * counts as unset; an empty option means none.
 * @throws FileError for a file that is not right; Error for an address that is none, saying where it is from.
 */
export function resolveSettings(options: Partial<Settings>, environment: NodeJS.ProcessEnv): Settings {
  const given = { host: options.host, token: options.token };
  const host = given.host ?? (environment.PROPLANE_HOST || undefined);
  const token = given.token ?? (environment.PROPLANE_TOKEN || undefined);
  const file = host === undefined || token === undefined ? readConfigFile() : {};
  const from = given.host !== undefined ? '--host' : host !== undefined ? 'PROPLANE_HOST' : configFilePath();
  const address = checkedHost(host ?? file.host ?? DEFAULT_HOST, from);
  const known = token ?? file.token;
  return { host: address, ...(known === undefined || known === '' ? {} : { token: known }) };
}

/** @throws Error when it is no address, saying where it is from. */
export function checkedHost(host: string, from: string): string {
  if (!/^https?:\/\/[^/]/u.test(host) || !URL.canParse(host)) {
    throw new Error(`${from}: ${JSON.stringify(host)} is no address of a server, such as ${DEFAULT_HOST}`);
  }
  return host;
}
