import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Api } from './api.ts';
import { CommandLine } from './command-line.ts';
import { sharedProplane } from './shared-proplane.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** The command line with a home and files of its own, before the server that all test files of a run share. */
export class Commands {
  readonly host: string;
  readonly api: Api;
  readonly folder: string;
  /** Removes what was written. */
  readonly close: () => Promise<void>;

  private constructor(host: string, folder: string, close: () => Promise<void>) {
    this.host = host;
    this.api = new Api(host);
    this.folder = folder;
    this.close = close;
  }

  static async open(): Promise<Commands> {
    const host = await sharedProplane();
    const folder = await temporaryFolder();
    return new Commands(host, folder.path, folder.remove);
  }

  run(...options: readonly string[]): ReturnType<CommandLine['end']> {
    return this.with({}, ...options);
  }

  /** @param environment beside the home and, unless it says otherwise, the address of the server. */
  with(environment: Readonly<Record<string, string>>, ...options: readonly string[]): ReturnType<CommandLine['end']> {
    return new CommandLine({ HOME: this.folder, PROPLANE_HOST: this.host, ...environment }, ...options).end();
  }

  /** @returns its path. */
  async file(name: string, text: string): Promise<string> {
    const path = join(this.folder, name);
    await writeFile(path, text);
    return path;
  }
}
