import { addressProblem, tokenProblem } from '../client/address-and-token.ts';
import { readToken } from '../process/token-file.ts';
import { configFilePath, readConfigFile } from './config-file.ts';

/** Which server, and as whom. */
export interface Settings {
  readonly host: string;
  readonly token?: string;
  /** Where it was read, and may be renewed. */
  readonly tokenPath?: string;
}

export const DEFAULT_HOST = 'http://127.0.0.1:8080';

/**
 * Each setting by itself: as option, else from the environment, else from the configuration file. An empty variable
 * counts as unset; an empty option means none.
 * @throws FileError for a file that is not right; Error for an address or a token that cannot be
 * used, saying where it is from and not what a token is.
 */
export function resolveSettings(options: Partial<Settings>, environment: NodeJS.ProcessEnv): Settings {
  const host = given('--host', options.host) ?? given('PROPLANE_HOST', environment.PROPLANE_HOST || undefined);
  const token =
    given('--token', options.token) ??
    given('PROPLANE_TOKEN', environment.PROPLANE_TOKEN || undefined) ??
    given(
      'PROPLANE_TOKEN_FILE',
      environment.PROPLANE_TOKEN_FILE ? readToken(environment.PROPLANE_TOKEN_FILE) : undefined,
    );
  const tokenPath = token?.from === 'PROPLANE_TOKEN_FILE' ? environment.PROPLANE_TOKEN_FILE : undefined;
  const file = host === undefined || token === undefined ? readConfigFile() : {};
  const path = configFilePath();
  const address = host ?? { from: path, value: file.host ?? DEFAULT_HOST };
  const known = token ?? { from: path, value: file.token ?? '' };
  const checked = checkedToken(known.value, known.from);
  return {
    host: checkedHost(address.value, address.from),
    ...(checked === '' ? {} : { token: checked }),
    ...(tokenPath === undefined ? {} : { tokenPath }),
  };
}

/** A setting, and where it is from. */
interface Given {
  readonly from: string;
  readonly value: string;
}

function given(from: string, value: string | undefined): Given | undefined {
  return value === undefined ? undefined : { from, value };
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
