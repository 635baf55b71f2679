import { isMeantForUs, parseResource } from '../../../model/resource/parse-resource.ts';
import { specHash } from '../../../model/resource/spec-hash.ts';
import { pointedAt } from '../../../model/violation.ts';
import { readYamlDocuments, type YamlDocument } from '../../../model/yaml.ts';
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
  /** There is no document in it: only blanks and comments. */
  readonly empty: boolean;
  readonly manifests: readonly Manifest[];
  readonly problems: readonly SourceProblem[];
}

/**
 * Reads the text of a file: any number of YAML documents.
 * @param shown the path that people are told.
 */
export function parseFile(text: string, path: string, shown: string): ParsedFile {
  const problems: SourceProblem[] = [];
  const manifests: Manifest[] = [];
  let malformed = false;
  let empty = true;
  for (const document of readYamlDocuments(text)) {
    const { mistake } = document;
    malformed ||= mistake !== undefined;
    empty &&= mistake === undefined && (document.value ?? undefined) === undefined;
    const result =
      mistake === undefined
        ? readDocument(document, path, shown)
        : broken(`${shown}:${mistake.line}:${mistake.column}`, `not valid YAML: ${mistake.message}`);
    if (result === undefined) continue;
    if ('id' in result) manifests.push(result);
    else problems.push(result);
  }
  const unsure =
    problems.some(({ severity }) => severity === 'error') || manifests.some(({ wish }) => wish.kind === 'invalid');
  return { malformed, broken: unsure, empty, manifests, problems };
}

function readDocument(
  { value, placeOf }: YamlDocument,
  path: string,
  shown: string,
): Manifest | SourceProblem | undefined {
  const { line } = placeOf('');
  const location = `${shown}:${line}`;
  if (value === null || value === undefined) return undefined;
  if (!isMeantForUs(value)) return ignored(value, location);
  const parsed = parseResource(value);
  const common = { specHash: specHash(value), path, line, location };
  if (parsed.valid) return { ...common, id: parsed.id, wish: { kind: 'valid', resource: parsed.resource } };
  if (parsed.id === undefined) {
    const rules = parsed.violations.map((violation) => `${violation.path}: ${violation.message}`).join('; ');
    return broken(location, `it cannot be told which resource this is: ${rules}`);
  }
  const violations = parsed.violations.map((violation) => {
    return { ...violation, location: `${shown}:${placeOf(pointedAt(violation)).line}` };
  });
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
