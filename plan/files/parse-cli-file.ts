import type { Assignment } from '../../model/assignment.ts';
import { parseDatasetFile, type SchemaFileField } from '../../model/cli-file/dataset-file.ts';
import { parsePropertiesFile } from '../../model/cli-file/properties-file.ts';
import { keyAspectOf, parseUrn } from '../../model/urn.ts';
import type { Violation } from '../../model/violation.ts';
import { readYaml } from '../../model/yaml.ts';
import type { SourceProblem } from '../../operator/source/port.ts';
import type { FilePlace, PlanFile } from './file-set.ts';

/** A definition that a file of `proplane properties upsert` asks for. */
export interface CliDefinition {
  readonly urn: string;
  readonly definition: unknown;
  readonly location: string;
}

/** An entity that a file of `proplane dataset upsert` asks for. */
export interface CliEntity {
  readonly urn: string;
  /** Aspects without rules of their own. */
  readonly aspects: Readonly<Record<string, unknown>>;
  /** The aspect whose `name` the entry does not give itself: it is for an entity without one. */
  readonly nameIsImplied?: string;
  /** Absent: the values are left alone. */
  readonly assignments?: readonly Assignment[];
  readonly location: string;
}

export interface CliFile {
  readonly definitions: readonly CliDefinition[];
  readonly entities: readonly CliEntity[];
  readonly problems: readonly SourceProblem[];
}

/** Reads the fields of a schema file that a dataset file names. @throws Error when it cannot be read. */
export type ReadSchema = (schema: string, datasetFile: string, place: FilePlace) => readonly SchemaFileField[];

/** Blank lines, comments, directives and `---`. */
const INSIGNIFICANT = /^\uFEFF?(?:[ \t]*(?:#.*)?|---[ \t]*(?:#.*)?|%.*)\r?$/u;
const LIST_BEGINS = /^\uFEFF?[ \t]*(?:-(?:[ \t\r]|$)|\[)/u;

/** Whether the first line that says something begins a list: resources are never lists. */
export function isCliFile(text: string): boolean {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    const line = text.slice(start, end < 0 ? text.length : end);
    if (!INSIGNIFICANT.test(line)) return LIST_BEGINS.test(line);
    if (end < 0) return false;
    start = end + 1;
  }
  return false;
}

/** Reads a file of the command line, told apart by what its entries have; problems have their line. */
export function parseCliFile({ path, shown, text }: PlanFile, place: FilePlace, readSchema: ReadSchema): CliFile {
  const { value: content, mistake, placeOf } = readYaml(text);
  if (mistake !== undefined) {
    return problem(`${shown}:${mistake.line}:${mistake.column}`, `not valid YAML: ${mistake.message}`);
  }
  const locationOf = (index: number) => `${shown}:${placeOf(`[${index}]`).line}`;
  const kind = kindOf(content);
  if (kind === undefined) {
    return problem(
      locationOf(0),
      'a list that is neither of properties (type) nor of datasets (id and platform, or urn)',
    );
  }
  return kind === 'properties' ? propertiesIn() : datasetsIn();

  function propertiesIn(): CliFile {
    const checked = parsePropertiesFile(content);
    if (!checked.ok) return problems(checked.violations);
    const definitions = checked.value.map((each, index) => ({ ...each, location: locationOf(index) }));
    return { definitions, entities: [], problems: [] };
  }

  function datasetsIn(): CliFile {
    let checked: ReturnType<typeof parseDatasetFile>;
    try {
      checked = parseDatasetFile(content, (schema) => readSchema(schema, path, place));
    } catch (thrown) {
      return problem(shown, thrown instanceof Error ? thrown.message : String(thrown));
    }
    if (!checked.ok) return problems(checked.violations);
    const { entities, fields } = checked.value;
    const places = new Map(entities.map(({ urn }, index) => [urn, locationOf(index)]));
    return {
      definitions: [],
      entities: [...entities, ...fields].map(({ urn, aspects, nameIsImplied }) => {
        const { structuredProperties, ...rest } = aspects as Record<string, unknown>;
        const implied = nameIsImplied === undefined ? {} : { nameIsImplied };
        const location = places.get(urn) ?? places.get(keyAspectOf(parseUrn(urn)).parent ?? '') ?? shown;
        if (structuredProperties === undefined) return { urn, aspects: rest, ...implied, location };
        const assignments = (structuredProperties as { properties: Assignment[] }).properties;
        return { urn, aspects: rest, ...implied, assignments, location };
      }),
      problems: [],
    };
  }

  /** `[3].type` is at the line of the fourth entry. */
  function problems(violations: readonly Violation[]): CliFile {
    const told = violations.map(({ path: where, message }) => {
      const index = Number(/^\[(\d+)\]/u.exec(where)?.[1] ?? 0);
      return broken(locationOf(index), where === '' ? message : `${where}: ${message}`);
    });
    return { definitions: [], entities: [], problems: told };
  }
}

function kindOf(content: unknown): 'properties' | 'datasets' | undefined {
  const entries = Array.isArray(content) ? content.filter((entry) => typeof entry === 'object' && entry !== null) : [];
  const has = (...fields: string[]) => entries.some((entry) => fields.some((field) => field in entry));
  const isOfProperty = entries.some(({ urn }) => String(urn).startsWith('urn:li:structuredProperty:'));
  if (isOfProperty || has('qualified_name', 'allowed_values', 'entity_types')) return 'properties';
  if (has('platform', 'urn', 'schema', 'structured_properties', 'subtype', 'subtypes')) return 'datasets';
  return has('type') ? 'properties' : undefined;
}

function problem(location: string, message: string): CliFile {
  return { definitions: [], entities: [], problems: [broken(location, message)] };
}

function broken(location: string, message: string): SourceProblem {
  return { severity: 'error', reason: 'BrokenFile', location, message };
}
