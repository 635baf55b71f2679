import { once } from 'node:events';
import { appendFileSync, createWriteStream, statSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { createStream } from 'rotating-file-stream';
import type { LogTrouble } from './log-trouble.ts';
import { makePrivate, PRIVATE_FILE } from './private-files.ts';

/** Lines that wait for a slow disk, in bytes; beyond that they are lost, so that no request waits and no memory goes. */
const MOST_WAITING = 1024 * 1024;
/** How long a file that could not be written is left alone, in ms. */
const RETRY = 1_000;

export interface LogFileOptions {
  readonly path: string;
  /** A file that has become this large is put aside as `<path>.1`. */
  readonly maxBytes: number;
  /** How many files there are, with the one that is written. */
  readonly files: number;
  readonly trouble: LogTrouble;
}

/** Where pino writes. A disk that takes nothing loses lines and nothing else: what came meanwhile is counted. */
export class LogFile {
  readonly #options: LogFileOptions;
  #waiting: string[] = [];
  #waitingBytes = 0;
  #stream: Writable | undefined;
  #writing: Promise<void> | undefined;
  #leftUntil = 0;

  constructor(options: LogFileOptions) {
    this.#options = options;
    process.once('exit', this.#writeRest);
  }

  write(line: string): void {
    const isLeft = performance.now() < this.#leftUntil;
    if (isLeft || this.#waitingBytes + line.length > MOST_WAITING) {
      this.#options.trouble.lost(1);
      return;
    }
    this.#waiting.push(line);
    this.#waitingBytes += line.length;
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
  }

  /** Writes what waits and closes the file. */
  async close(): Promise<void> {
    await this.#writing;
    process.off('exit', this.#writeRest);
    const stream = this.#stream;
    this.#stream = undefined;
    if (stream === undefined || stream.destroyed) return;
    stream.end();
    await once(stream, 'close').catch(() => undefined);
  }

  /** Lines that came while others were written go together. */
  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const lines = this.#waiting;
      this.#waiting = [];
      this.#waitingBytes = 0;
      try {
        this.#stream ??= this.#open();
        await written(this.#stream, lines.join(''));
        this.#options.trouble.over();
      } catch (error) {
        this.#stream?.destroy();
        this.#stream = undefined;
        this.#leftUntil = performance.now() + RETRY;
        this.#options.trouble.lost(lines.length, error);
      }
    }
  }

  #open(): Writable {
    const { path, maxBytes, files } = this.#options;
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isFile()) makePrivate(path);
    const stream: Writable =
      // a device or a pipe is neither measured nor put aside
      stats === undefined || stats.isFile()
        ? createStream(path, { size: `${maxBytes}B`, rotate: files - 1, mode: PRIVATE_FILE })
        : createWriteStream(path, { flags: 'a' });
    // told by the callback of the write, too; without a listener it would end the process
    stream.on('error', () => {});
    return stream;
  }

  /** The process ends without having waited. */
  readonly #writeRest = () => {
    try {
      if (this.#waiting.length > 0) appendFileSync(this.#options.path, this.#waiting.join(''));
    } catch {
      // Nobody is left to be told.
    }
  };
}

function written(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });
}
