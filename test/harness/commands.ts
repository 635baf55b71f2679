import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Api } from './api.ts';
import { CommandHost } from './command-host.ts';
import { CommandLine, type CommandRun } from './command-line.ts';
import { sharedProplane } from './shared-proplane.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** The command line with a home and files of its own, before the server that all test files of a run share. */
export class Commands {
  readonly host: string;
  readonly api: Api;
  readonly folder: string;
  readonly #commands = new CommandHost();
  readonly #remove: () => Promise<void>;

  private constructor(host: string, folder: string, remove: () => Promise<void>) {
    this.host = host;
    this.api = new Api(host);
    this.folder = folder;
    this.#remove = remove;
  }

  static async open(): Promise<Commands> {
    const { address: host } = await sharedProplane();
    const folder = await temporaryFolder();
    return new Commands(host, folder.path, folder.remove);
  }

  run(...options: readonly string[]): Promise<CommandRun> {
    return this.with({}, ...options);
  }

  /** @param environment beside the home and, unless it says otherwise, the address of the server. */
  with(environment: Readonly<Record<string, string>>, ...options: readonly string[]): Promise<CommandRun> {
    return this.#commands.run({ ...this.environment, ...environment }, options);
  }

  /** As `run`, in a process of its own. */
  runAlone(...options: readonly string[]): Promise<CommandRun> {
    return new CommandLine(this.environment, ...options).end();
  }

  /** Where a command finds its home and its server. */
  get environment(): Readonly<Record<string, string>> {
    return { HOME: this.folder, PROPLANE_HOST: this.host };
  }

  /** Removes what was written. */
  async close(): Promise<void> {
    await this.#commands.close();
    await this.#remove();
  }

  /** @returns its path. */
  async file(name: string, text: string): Promise<string> {
    const path = join(this.folder, name);
    await writeFile(path, text);
    return path;
  }
}
