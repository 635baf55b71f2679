import type * as z from 'zod';
import {
  type ExportEnd,
  type ExportedThing,
  type ExportHeader,
  exportEndSchema,
  exportedThingSchema,
  exportHeaderSchema,
} from '../../model/export-line.ts';
import { isDeeperThan, namesPrototype } from '../../model/json-depth.ts';
import { MAX_ASPECT_DEPTH, MAX_WRAPPING_DEPTH } from '../../model/limits.ts';
import { checkShape } from '../../model/shape.ts';
import { tryParseUrn } from '../../model/urn.ts';
import { describeViolations } from '../../model/violation.ts';
import { CatalogError } from '../catalog/errors.ts';
import { BODY_SHAPES } from './stored-shapes.ts';

/** Older releases let a patch put an aspect of the greatest depth a hundred steps down: what they stored comes in. */
const MAX_DEPTH = MAX_ASPECT_DEPTH + 100 + MAX_WRAPPING_DEPTH;

export interface NumberedThing extends ExportedThing {
  /** Its line in the export, from 1. */
  readonly line: number;
}

/** Some lines of an export that follow one another. */
export interface Lines {
  readonly count: number;
  /** When the first of them is the first of the export. */
  readonly header?: ExportHeader;
  readonly things: readonly NumberedThing[];
  /** When the last of them is the last of the export. */
  readonly end?: ExportEnd;
}

/**
 * Reads and checks lines.
 * @param before how many lines of the export stand before them.
 * @throws CatalogError `malformed` naming the first line that is not right.
 */
export function readLines(text: string, before: number): Lines {
  const texts = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
  const things: NumberedThing[] = [];
  let header: ExportHeader | undefined;
  let end: ExportEnd | undefined;
  for (const [index, each] of texts.entries()) {
    const line = before + index + 1;
    const value = parseLine(line, each);
    if (line === 1) header = checked(line, exportHeaderSchema, value);
    else if (end !== undefined) throw broken(line, 'nothing may follow the end');
    else if (value.kind === 'end') end = checkedEnd(line, value);
    else things.push({ ...checkedThing(line, value), line });
  }
  return {
    count: texts.length,
    things,
    ...(header === undefined ? {} : { header }),
    ...(end === undefined ? {} : { end }),
  };
}

export function broken(line: number, problem: string): CatalogError {
  return new CatalogError('malformed', `line ${line}: ${problem}`);
}

function parseLine(line: number, text: string): { kind?: unknown } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw broken(line, error instanceof Error ? error.message : String(error));
  }
  if (typeof value !== 'object' || value === null) throw broken(line, 'a JSON object is expected');
  if (isDeeperThan(value, MAX_DEPTH)) throw broken(line, `it is nested deeper than ${MAX_DEPTH} levels`);
  if (namesPrototype(text, value)) throw broken(line, 'keys such as __proto__ are not allowed');
  return value;
}

function checkedEnd(line: number, value: unknown): ExportEnd {
  const end = checked(line, exportEndSchema, value);
  if (end.lines === line) return end;
  throw broken(line, `the export had ${end.lines} lines: the file is not as it was written`);
}

function checkedThing(line: number, value: unknown): ExportedThing {
  const thing = checked(line, exportedThingSchema, value);
  if (thing.kind === 'entity' && tryParseUrn(thing.id) === undefined) throw broken(line, `id: ${thing.id} is no URN`);
  checked(line, BODY_SHAPES[thing.kind], thing.body);
  return thing;
}

/** @returns the value as it is, not what the check makes of it: what was stored stays the same to the letter. */
function checked<S extends z.ZodType>(line: number, schema: S, value: unknown): z.output<S> {
  const shape = checkShape(schema, value);
  if (!shape.ok) throw broken(line, describeViolations(shape.violations));
  return value as z.output<S>;
}
