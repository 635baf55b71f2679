import { readFileSync } from 'node:fs';
import { type Document, LineCounter, parseAllDocuments, parseDocument, visit } from 'yaml';
import type { Checked } from '../model/shape.ts';
import type { Violation } from '../model/violation.ts';
import { FileError } from './file-error.ts';

/** A YAML file of one document. */
export interface YamlFile {
  readonly file: string;
  readonly value: unknown;
  /** `file:line:column` of a place such as `[2].allowed_values[0]`, or of the nearest place around it. */
  placeOf(path: string): string;
}

/** More than this many violated rules are counted instead of told. */
const MOST_TOLD = 50;

/** Reads a YAML file of one document. @throws FileError with line and column of the first mistake. */
export function readYaml(file: string): YamlFile {
  const lineCounter = new LineCounter();
  const text = readText(file);
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const place = (offset: number) => {
    const { line, col } = lineCounter.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  const [problem] = document.errors;
  if (problem !== undefined) {
    const isStream = problem.code === 'MULTIPLE_DOCS';
    const message = isStream ? 'one YAML document is expected, and here begins another' : problem.message;
    throw new FileError(`${place(problem.pos[0])}: ${isStream && holdsManifest(text) ? MANIFEST : message}`);
  }
  let offsets: Map<string, number> | undefined;
  return {
    file,
    value: document.toJS(),
    placeOf(path) {
      offsets ??= offsetsOf(document);
      for (let at = path; at !== ''; at = outer(at)) {
        const offset = offsets.get(at);
        if (offset !== undefined) return place(offset);
      }
      return place(document.contents?.range?.[0] ?? 0);
    },
  };
}

/**
 * Reads a YAML file of entries that are sent.
 * @throws FileError as `readYaml` does, and for what people take for such a file: an empty one, or a manifest.
 */
export function readEntries(file: string): YamlFile {
  const yaml = readYaml(file);
  if (yaml.value === null) throw new FileError(`${file} is empty: a list of entries is expected`);
  if (isManifest(yaml.value)) throw new FileError(`${yaml.placeOf('')}: ${MANIFEST}`);
  return yaml;
}

const MANIFEST = 'this is a manifest: the operator applies it, and `proplane plan` shows what that would do';

function holdsManifest(text: string): boolean {
  const documents = parseAllDocuments(text, { prettyErrors: false });
  return [...documents].some((document) => document.errors.length === 0 && isManifest(document.toJS()));
}

function isManifest(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'apiVersion' in value && 'kind' in value;
}

/** @throws FileError with a line for each violated rule: its place in the file, and what is wrong. */
export function checkedFile<T>(yaml: YamlFile, checked: Checked<T>): T {
  if (checked.ok) return checked.value;
  const lines = checked.violations.slice(0, MOST_TOLD).map((found) => {
    return `${yaml.placeOf(pathOf(found))}: ${found.path === '' ? '' : `${found.path}: `}${found.message}`;
  });
  const more = checked.violations.length - lines.length;
  throw new FileError([...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'));
}

/** An unknown field is reported for what it is in; its own line helps more. */
function pathOf({ path, field }: Violation): string {
  return field === undefined ? path : path === '' ? field : `${path}.${field}`;
}

/** Where each part of a document begins, by its path in the form in which violations name it. */
function offsetsOf(document: Document.Parsed): Map<string, number> {
  const offsets = new Map<string, number>();
  const paths = new Map<unknown, string>();
  visit(document, {
    Seq(_key, seq) {
      const path = paths.get(seq) ?? '';
      for (const [index, item] of seq.items.entries()) note(`${path}[${index}]`, item, item);
    },
    Map(_key, map) {
      const path = paths.get(map) ?? '';
      for (const { key, value } of map.items) note(`${path === '' ? '' : `${path}.`}${String(key)}`, value, key);
    },
  });
  return offsets;

  function note(path: string, value: unknown, start: unknown): void {
    paths.set(value, path);
    const range = (start as { range?: readonly number[] } | null)?.range;
    if (range?.[0] !== undefined) offsets.set(path, range[0]);
  }
}

function outer(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('.'), path.lastIndexOf('[')));
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EISDIR')
      throw new FileError(`${file} is a folder: name a file in it`);
    throw new FileError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
