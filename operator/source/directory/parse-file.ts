import { type Document, isMap, isScalar, LineCounter, type Node, parseAllDocuments } from 'yaml';
import { isMeantForUs, parseResource } from '../../../model/resource/parse-resource.ts';
import { specHash } from '../../../model/resource/spec-hash.ts';
import type { SourceProblem } from '../port.ts';
import type { Manifest } from './manifest.ts';

export interface ParsedFile {
  /** Not YAML: nothing in it can be relied on. */
  readonly malformed: boolean;
  /**
   * Malformed, or some document does not tell which resource it is, or breaks rules: any resource might be in this file,
   * or might have been renamed in it.
   */
  readonly broken: boolean;
  readonly manifests: readonly Manifest[];
  readonly problems: readonly SourceProblem[];
}

/**
 * Reads the text of a file: YAML 1.2 with the core schema (so that a date stays text), any number of documents.
 * @param shown the path that people are told.
 */
export function parseFile(text: string, path: string, shown: string): ParsedFile {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, {
    version: '1.2',
    schema: 'core',
    lineCounter: lines,
    prettyErrors: false,
  });
  const problems: SourceProblem[] = [];
  const manifests: Manifest[] = [];
  let malformed = false;
  for (const document of Array.isArray(documents) ? documents : []) {
    const [error] = document.errors;
    if (error !== undefined) {
      const { line, col } = lines.linePos(error.pos[0]);
      problems.push(broken(`${shown}:${line}:${col}`, `not valid YAML: ${error.message}`));
      malformed = true;
      continue;
    }
    const place = new Place(document, lines, shown);
    const result = readDocument(document, place, path);
    if (result === undefined) continue;
    if ('id' in result) manifests.push(result);
    else problems.push(result);
  }
  const unsure =
    problems.some(({ severity }) => severity === 'error') || manifests.some(({ wish }) => wish.kind === 'invalid');
  return { malformed, broken: unsure, manifests, problems };
}

function readDocument(document: Document.Parsed, place: Place, path: string): Manifest | SourceProblem | undefined {
  let content: unknown;
  try {
    content = document.toJS();
  } catch (error) {
    return broken(place.location, `not valid YAML: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (content === null || content === undefined) return undefined;
  if (!isMeantForUs(content)) return ignored(content, place.location);
  const parsed = parseResource(content);
  const common = { specHash: specHash(content), path, line: place.line, location: place.location };
  if (parsed.valid) return { ...common, id: parsed.id, wish: { kind: 'valid', resource: parsed.resource } };
  if (parsed.id === undefined) {
    const rules = parsed.violations.map((violation) => `${violation.path}: ${violation.message}`).join('; ');
    return broken(place.location, `it cannot be told which resource this is: ${rules}`);
  }
  const violations = parsed.violations.map((violation) => ({ ...violation, location: place.of(violation.steps) }));
  return { ...common, id: parsed.id, wish: { kind: 'invalid', violations } };
}

function broken(location: string, message: string): SourceProblem {
  return { severity: 'error', reason: 'BrokenFile', location, message };
}

function ignored(content: unknown, location: string): SourceProblem {
  const { apiVersion, kind } = Object(content) as { apiVersion?: unknown; kind?: unknown };
  const message = `ignored: ${String(kind ?? 'no kind')} of ${String(apiVersion ?? 'no apiVersion')} is not for Proplane`;
  return { severity: 'note', reason: 'Ignored', location, message };
}

/** Tells lines of a document. */
class Place {
  readonly line: number;
  readonly location: string;
  readonly #document: Document.Parsed;
  readonly #lines: LineCounter;
  readonly #shown: string;

  constructor(document: Document.Parsed, lines: LineCounter, shown: string) {
    this.#document = document;
    this.#lines = lines;
    this.#shown = shown;
    this.line = this.#lineOf(document.contents) ?? 1;
    this.location = `${shown}:${this.line}`;
  }

  /** `file:line` of what the steps lead to or, if that is not there, of the nearest thing above it. */
  of(steps: readonly PropertyKey[]): string {
    let node: unknown = this.#document.contents;
    let line = this.line;
    for (const step of steps) {
      const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && key.value === step) : undefined;
      const next: unknown =
        pair === undefined ? (node as { get?: (...step: unknown[]) => unknown })?.get?.(step, true) : pair.value;
      const found = this.#lineOf(pair === undefined ? next : pair.key);
      if (found === undefined) break;
      line = found;
      node = next;
    }
    return `${this.#shown}:${line}`;
  }

  #lineOf(node: unknown): number | undefined {
    const range = (node as Node | null | undefined)?.range;
    return range === undefined || range === null ? undefined : this.#lines.linePos(range[0]).line;
  }
}
