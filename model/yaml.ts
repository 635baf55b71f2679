import { type Document, isScalar, LineCounter, parseAllDocuments, visit } from 'yaml';
import { isDeeperThan } from './json-depth.ts';
import { MAX_ASPECT_DEPTH } from './limits.ts';

/** Where something begins, both counted from 1. */
export interface YamlPlace {
  readonly line: number;
  readonly column: number;
}

export interface YamlDocument {
  readonly value: unknown;
  /** The first mistake; it leaves no value, unless it is that another document follows. */
  readonly mistake?: YamlPlace & { readonly message: string };
  /** Of a part, such as `[2].allowed_values[0]`, or of the nearest part around it; empty for the document itself. */
  placeOf(path: string): YamlPlace;
}

/** Reads YAML 1.2 with the core schema (so that a date stays text), any number of documents. */
export function readYamlDocuments(text: string): YamlDocument[] {
  const { documents, placeAt } = parse(text);
  return documents.map((document) => readDocument(document, placeAt));
}

/** Reads what has to be one document; nothing at all is one, of the value null. A second one is a mistake where it begins. */
export function readYaml(text: string): YamlDocument {
  const { documents, placeAt } = parse(text);
  const [first, second] = documents;
  if (first === undefined) return { value: null, placeOf: () => ({ line: 1, column: 1 }) };
  const read = readDocument(first, placeAt);
  if (read.mistake !== undefined || second === undefined) return read;
  const message = 'one YAML document is expected, and here begins another';
  return { ...read, mistake: { message, ...placeAt(second.range[0]) } };
}

type PlaceAt = (offset: number) => YamlPlace;

function parse(text: string): { readonly documents: readonly Document.Parsed[]; readonly placeAt: PlaceAt } {
  const lineCounter = new LineCounter();
  const documents = parseAllDocuments(text, { version: '1.2', schema: 'core', lineCounter, prettyErrors: false });
  const placeAt = (offset: number) => {
    const { line, col } = lineCounter.linePos(offset);
    return { line, column: col };
  };
  return { documents: [...documents], placeAt };
}

function readDocument(document: Document.Parsed, placeAt: PlaceAt): YamlDocument {
  const start = document.contents?.range?.[0] ?? 0;
  let offsets: Map<string, number> | undefined;
  const placeOf = (path: string): YamlPlace => {
    for (let at = path; at !== ''; at = outer(at)) {
      offsets ??= offsetsOf(document);
      const offset = offsets.get(at);
      if (offset !== undefined) return placeAt(offset);
    }
    return placeAt(start);
  };
  const [error] = document.errors;
  if (error !== undefined) {
    return { value: undefined, mistake: { message: error.message, ...placeAt(error.pos[0]) }, placeOf };
  }
  const prototype = prototypeIn(document);
  if (prototype !== undefined) {
    return {
      value: undefined,
      mistake: { message: 'the key __proto__ is not allowed', ...placeAt(prototype) },
      placeOf,
    };
  }
  try {
    const value: unknown = document.toJS();
    // A list that has itself as an element, by an alias, is.
    if (!isDeeperThan(value, MAX_ASPECT_DEPTH)) return { value, placeOf };
    const message = `it is nested deeper than ${MAX_ASPECT_DEPTH} levels`;
    return { value: undefined, mistake: { message, ...placeAt(start) }, placeOf };
  } catch (thrown) {
    // Aliases that would become too large.
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return { value: undefined, mistake: { message, ...placeAt(start) }, placeOf };
  }
}

/** Where a key `__proto__` stands, if there is one: some who read the value would lose it, or take it for something else. */
function prototypeIn(document: Document.Parsed): number | undefined {
  let place: number | undefined;
  visit(document, {
    Pair(_key, { key }) {
      if (!isScalar(key) || key.value !== '__proto__') return undefined;
      place = key.range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return place;
}

/** Where each part of a document begins, by its path as violations name it; an entry of a map begins with its key. */
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
