import type { Command } from 'commander';
import { createHttpClient, type HttpClient } from '../client/http-client.ts';
import { type Clock, SYSTEM_CLOCK } from '../process/clock.ts';
import { tokenFile } from '../process/token-file.ts';
import { resolveSettings, type Settings } from './settings.ts';

/** What the options before the command say; a command asks when it runs. */
export interface Context {
  /** Whether to print JSON for programs instead of text for people. */
  readonly json: boolean;
  /** What everything that waits goes by. */
  readonly clock: Clock;
  /** The options themselves, for who has to know which were given. */
  readonly options: Partial<Settings>;
  /** @throws FileError, Error as `resolveSettings` does. */
  settings(): Settings;
  client(options?: { readonly timeoutMs?: number }): HttpClient;
}

export function createContext(program: Command): Context {
  const options = () => program.opts<Partial<Settings> & { json?: boolean }>();
  let resolved: Settings | undefined;
  // Once: a file with a token can be a pipe.
  const settings = () => (resolved ??= resolveSettings(options(), process.env));
  return {
    get json() {
      return options().json === true;
    },
    get options() {
      return options();
    },
    clock: SYSTEM_CLOCK,
    settings,
    client: (rest = {}) => {
      const { host, token, tokenPath } = settings();
      const shown = tokenPath === undefined ? token : tokenFile(tokenPath, SYSTEM_CLOCK, token);
      return createHttpClient({ host, ...(shown === undefined ? {} : { token: shown }), ...rest });
    },
  };
}
