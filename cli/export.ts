import { createWriteStream } from 'node:fs';
import { truncate } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { HttpClient } from '../client/http-client.ts';
import { UnavailableError } from '../client/http-errors.ts';
import { exportHeaderSchema } from '../model/export-line.ts';
import { FileError } from '../process/file-error.ts';
import { type ExportFile, inspectExportFile, placeOf } from './export-file.ts';
import { Patience, type PatienceOptions } from './patience.ts';
import { wholeLines } from './whole-lines.ts';

/** What one export reads must not be of quite different times, in ms; jobs that have ended are known for a day. */
const LONGEST_BREAK = 12 * 3600 * 1000;

/**
 * Writes the catalogue to a file, or goes on where an export to it was cut.
 * @returns how many lines the file has.
 * @throws FileError when the file holds a whole export, or something else.
 */
export async function exportToFile(client: HttpClient, file: string, options: PatienceOptions): Promise<number> {
  const begun = await inspectExportFile(file);
  if (begun !== undefined) {
    const since = new Date(begun.header.begun).toISOString();
    if (begun.isWhole) {
      throw new FileError(`${file} is a whole export already, begun at ${since}: name another file, or remove it`);
    }
    if (options.clock.now() - begun.header.begun > LONGEST_BREAK) {
      throw new FileError(`${file} is a part of an export begun at ${since}, too long ago: remove it and export again`);
    }
    await truncate(file, begun.bytes);
  }
  const received = new Received(client, options, begun);
  const failures: unknown[] = [];
  // A source that fails would have the stream drop what it has not written yet.
  async function* untilFailure(): AsyncGenerator<Buffer> {
    try {
      yield* received.lines();
    } catch (error) {
      failures.push(error);
    }
  }
  await pipeline(untilFailure(), createWriteStream(file, { flags: 'a', flush: true }));
  for (const failure of failures) throw failure;
  return received.count;
}

/** Writes the catalogue to a stream, which stays open. @returns how many lines there were. */
export async function exportToStream(
  client: HttpClient,
  stream: NodeJS.WritableStream,
  options: PatienceOptions,
): Promise<number> {
  const received = new Received(client, options);
  await pipeline(received.lines(), stream, { end: false });
  return received.count;
}

/** The lines of one export, over restarts of the server. */
class Received {
  readonly #client: HttpClient;
  readonly #options: PatienceOptions;
  count: number;
  #cursor: string | undefined;
  #ended = false;
  #total: number;

  constructor(client: HttpClient, options: PatienceOptions, begun?: ExportFile) {
    this.#client = client;
    this.#options = options;
    this.#cursor = begun?.cursor;
    this.count = begun?.lines ?? 0;
    this.#total = begun?.header.entities ?? 0;
  }

  /** @throws AnyHttpError when the server stays away. */
  async *lines(): AsyncGenerator<Buffer> {
    const { progress } = this.#options;
    const patience = new Patience(this.#options);
    try {
      while (!this.#ended) {
        try {
          for await (const line of this.#receive()) {
            patience.renew();
            yield line;
          }
        } catch (error) {
          await patience.bear(error);
        }
      }
      progress.show({ state: 'done', total: this.count, processed: this.count, note: '' });
    } finally {
      progress.end();
    }
  }

  /** One answer of the server, as far as it comes. */
  async *#receive(): AsyncGenerator<Buffer> {
    const query = [
      ['after', this.#cursor],
      ['lines', this.#cursor === undefined ? undefined : String(this.count)],
    ] as const;
    let last: Buffer | undefined;
    try {
      for await (const line of wholeLines(this.#client.stream({ method: 'GET', path: '/export', query }))) {
        if (this.count === 0) this.#total = exportHeaderSchema.parse(JSON.parse(line.toString())).entities;
        last = line;
        this.count += 1;
        const total = Math.max(this.#total, this.count);
        this.#options.progress.show({ state: 'exporting', total, processed: this.count, note: '' });
        yield line;
      }
    } finally {
      if (last !== undefined) this.#cursor = placeOf(last);
      this.#ended = this.#cursor === 'end';
    }
    if (!this.#ended) throw new UnavailableError('the answer of the server was cut');
  }
}
