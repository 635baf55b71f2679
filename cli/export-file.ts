import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import * as z from 'zod';
import { cursorOf, type ExportHeader, exportHeaderSchema } from '../model/export-line.ts';
import { checkShape } from '../model/shape.ts';
import { describeViolations } from '../model/violation.ts';
import { FileError } from '../process/file-error.ts';
import { wholeLines } from './whole-lines.ts';

/** What a file has of an export. */
export interface ExportFile {
  readonly header: ExportHeader;
  /** Whole lines. */
  readonly lines: number;
  /** How long they are together; what follows was cut. */
  readonly bytes: number;
  /** Where the export goes on. */
  readonly cursor: string;
  /** The end is there. */
  readonly isWhole: boolean;
}

/**
 * Looks through a file.
 * @returns `undefined` when there is none, or nothing in it.
 * @throws FileError when it is something else than an export.
 */
export async function inspectExportFile(file: string): Promise<ExportFile | undefined> {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined || found.size === 0) return undefined;
  if (found.isDirectory()) throw new FileError(`${file} is a folder: name a file in it`);
  let header: ExportHeader | undefined;
  let last: Buffer = Buffer.alloc(0);
  let lines = 0;
  let bytes = 0;
  for await (const line of wholeLines(createReadStream(file))) {
    header ??= readHeader(file, line);
    last = line;
    lines += 1;
    bytes += line.length;
  }
  if (header === undefined) throw new FileError(`${file}: it has not one whole line: remove it and export again`);
  const cursor = placeOf(last);
  return { header, lines, bytes, cursor, isWhole: cursor === 'end' };
}

function readHeader(file: string, line: Buffer): ExportHeader {
  const first = parse(line);
  if ((first as { format?: unknown } | null | undefined)?.format !== 'proplane-export')
    throw new FileError(`${file} is no export of Proplane`);
  const header = checkShape(exportHeaderSchema, first);
  if (header.ok) return header.value;
  throw new FileError(`${file}:1: ${describeViolations(header.violations)}`);
}

/** Where an export goes on behind a line: a cursor, or `end` when nothing follows. */
export function placeOf(line: Buffer): string {
  const { kind, id } = placeSchema.parse(parse(line));
  return id === undefined ? kind : cursorOf({ kind, id });
}

const placeSchema = z.object({ kind: z.string(), id: z.string().optional() });

function parse(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString());
  } catch {
    return undefined;
  }
}
