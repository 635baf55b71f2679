import { createReadStream } from 'node:fs';
import { ask } from '../client/ask.ts';
import type { HttpClient } from '../client/http-client.ts';
import { NDJSON } from '../model/export-line.ts';
import { importSessionSchema } from '../model/wire/import-session.ts';
import { FileError } from '../process/file-error.ts';
import { type ExportFile, inspectExportFile } from './export-file.ts';
import { Patience, type PatienceOptions } from './patience.ts';
import { wholeLines } from './whole-lines.ts';

/** What one request sends; a line that is longer goes alone. */
const MOST_LINES = 500;
const MOST_BYTES = 4 * 1024 * 1024;

/**
 * Loads an export into an empty catalogue, or goes on where that was cut.
 * @returns how many lines there are, and whether all of them were there already.
 * @throws FileError when the file is not a whole export; RejectedError saying why the server does not take it.
 */
export async function importFile(
  client: HttpClient,
  file: string,
  options: PatienceOptions,
): Promise<{ readonly lines: number; readonly already: boolean }> {
  const found = await inspectExportFile(file);
  if (found === undefined) throw new FileError(`${file} is not there, or empty`);
  if (!found.isWhole) {
    throw new FileError(`${file} was cut: run \`proplane export -o ${file}\` once more, which goes on with it`);
  }
  const { header, lines } = found;
  const readSession = () => ask(client, { method: 'GET', path: '/import' }, importSessionSchema);
  const session = await new Patience(options).try(readSession);
  const isOurs = session.id === header.id;
  if (isOurs && session.state === 'finished') return { lines, already: true };
  try {
    await sendLines(client, file, found, isOurs ? session.lines : 0, options);
  } finally {
    options.progress.end();
  }
  return { lines, already: false };
}

async function sendLines(
  client: HttpClient,
  file: string,
  { header, lines }: ExportFile,
  skipped: number,
  options: PatienceOptions,
): Promise<void> {
  const patience = new Patience(options);
  const headers = { 'content-type': NDJSON };
  let before = skipped;
  for await (const chunk of chunksOf(file, skipped)) {
    options.progress.show({ state: 'importing', total: lines, processed: before, note: '' });
    const query = [
      ['id', header.id],
      ['before', String(before)],
    ] as const;
    const text = Buffer.concat(chunk).toString();
    await patience.try(() => client.send({ method: 'POST', path: '/import', query, headers, text }));
    before += chunk.length;
  }
  options.progress.show({ state: 'done', total: lines, processed: lines, note: '' });
}

/** The lines of a file behind the first few, in parts that a request can send. */
async function* chunksOf(file: string, skipped: number): AsyncGenerator<Buffer[]> {
  let number = 0;
  let chunk: Buffer[] = [];
  let bytes = 0;
  for await (const line of wholeLines(createReadStream(file))) {
    number += 1;
    if (number <= skipped) continue;
    if (chunk.length === MOST_LINES || (chunk.length > 0 && bytes + line.length > MOST_BYTES)) {
      yield chunk;
      chunk = [];
      bytes = 0;
    }
    chunk.push(line);
    bytes += line.length;
  }
  if (chunk.length > 0) yield chunk;
}
