import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandHost } from './command-host.ts';
import type { CommandRun } from './command-line.ts';
import { FakeAccessServer } from './fake-access-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

interface RunOptions {
  /** Beside the home, the address and the administrator's token. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Standard input. */
  readonly input?: string;
}

/** The command line with a home of its own, before a made-up server that knows access control alone. */
export class AccessCommands {
  readonly #commands = new CommandHost();
  #own: { readonly server: FakeAccessServer; readonly folder: string; close(): Promise<void> } | undefined;

  /** Begins anew: with another server, and an empty home. */
  async renew(): Promise<void> {
    await this.#own?.close();
    const folder = await temporaryFolder();
    const server = await new FakeAccessServer().listen();
    const close = async () => void (await Promise.all([server.close(), folder.remove()]));
    this.#own = { server, folder: folder.path, close };
  }

  get server(): FakeAccessServer {
    return this.#present.server;
  }

  /** The home, and the working folder. */
  get folder(): string {
    return this.#present.folder;
  }

  get #present() {
    if (this.#own === undefined) throw new Error('renew has to come first');
    return this.#own;
  }

  /** As the administrator. */
  run(...words: readonly string[]): Promise<CommandRun> {
    return this.with({}, ...words);
  }

  with({ environment = {}, input = '' }: RunOptions, ...words: readonly string[]): Promise<CommandRun> {
    const all = { HOME: this.folder, PROPLANE_HOST: this.server.url, PROPLANE_TOKEN: 'admin-token', ...environment };
    return this.#commands.run(all, words, this.folder, input);
  }

  async file(name: string, text: string): Promise<string> {
    await writeFile(join(this.folder, name), text);
    return name;
  }

  async close(): Promise<void> {
    await this.#commands.close();
    await this.#own?.close();
  }
}
