import { readFileSync } from 'node:fs';
import type { Checked } from '../model/shape.ts';
import { pointedAt, toldViolations } from '../model/violation.ts';
import { readYaml as parseYaml, readYamlDocuments, type YamlPlace } from '../model/yaml.ts';
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
  const text = readText(file);
  const { value, mistake, placeOf } = parseYaml(text);
  const shown = ({ line, column }: YamlPlace) => `${file}:${line}:${column}`;
  if (mistake === undefined) return { file, value, placeOf: (path) => shown(placeOf(path)) };
  // Only one of several documents has a value beside its mistake.
  const isStream = value !== undefined && readYamlDocuments(text).some((document) => isManifest(document.value));
  throw new FileError(`${shown(mistake)}: ${isStream ? MANIFEST : mistake.message}`);
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

function isManifest(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'apiVersion' in value && 'kind' in value;
}

/** @throws FileError with a line for each violated rule: its place in the file, and what is wrong. */
export function checkedFile<T>(yaml: YamlFile, checked: Checked<T>): T {
  if (checked.ok) return checked.value;
  const { told, more } = toldViolations(checked.violations, MOST_TOLD);
  const lines = told.map((found) => {
    return `${yaml.placeOf(pointedAt(found))}: ${found.path === '' ? '' : `${found.path}: `}${found.message}`;
  });
  throw new FileError([...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'));
}

/** @throws FileError */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EISDIR')
      throw new FileError(`${file} is a folder: name a file in it`);
    throw new FileError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
