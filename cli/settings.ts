import { addressProblem, tokenProblem } from '../client/address-and-token.ts';
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
 * @throws FileError for a file that is not right; Error for an address or a token that cannot be
 * used, saying where it is from and not what a token is.
 */
export function resolveSettings(options: Partial<Settings>, environment: NodeJS.ProcessEnv): Settings {
  const given = { host: options.host, token: options.token };
  const host = given.host ?? (environment.PROPLANE_HOST || undefined);
  const token = given.token ?? (environment.PROPLANE_TOKEN || undefined);
  const file = host === undefined || token === undefined ? readConfigFile() : {};
  const hostFrom = given.host !== undefined ? '--host' : host !== undefined ? 'PROPLANE_HOST' : configFilePath();
  const tokenFrom = given.token !== undefined ? '--token' : token !== undefined ? 'PROPLANE_TOKEN' : configFilePath();
  const address = checkedHost(host ?? file.host ?? DEFAULT_HOST, hostFrom);
  const known = checkedToken(token ?? file.token ?? '', tokenFrom);
  return { host: address, ...(known === '' ? {} : { token: known }) };
}

/** @throws Error when it is no address, or has credentials in it, saying where it is from. */
export function checkedHost(host: string, from: string): string {
  const problem = addressProblem(host);
  if (problem !== undefined) throw new Error(`${from}: ${problem}`);
  return host;
}

/** @returns the token without space around it. @throws Error when no header can carry it, saying where it is from. */
export function checkedToken(given: string, from: string): string {
  const token = given.trim();
  const problem = tokenProblem(token);
  if (problem !== undefined) throw new Error(`${from}: ${problem}`);
  return token;
}
