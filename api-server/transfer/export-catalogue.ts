import { randomUUID } from 'node:crypto';
import { ENTITY_TYPES } from '../../model/entity-type.ts';
import {
  EXPORT_FORMAT,
  EXPORT_VERSION,
  type ExportEnd,
  type ExportedThing,
  type ExportHeader,
  THING_KINDS,
} from '../../model/export-line.ts';
import { tryParseUrn } from '../../model/urn.ts';
import { CatalogError } from '../catalog/errors.ts';
import type { CatalogParts } from '../catalog/parts.ts';
import { listJobs } from '../jobs/job.ts';
import { allEntities, allRecords } from '../store/pages.ts';
import type { EntityDocument, Store } from '../store/port.ts';

/** Where an export goes on that was cut. */
export interface ExportPlace {
  /** Kind and id of the last line that arrived, as `cursorOf` makes it. */
  readonly after: string;
  /** Lines that arrived. */
  readonly lines: number;
}

/**
 * The lines of an export, in a fixed order, read page by page while writes may go on. What points at something is read
 * before what it points at: schema fields before their datasets, assignments before definitions, entities before jobs.
 * So what is read later can only have moved on, and what it has left behind is hidden by its incarnation or epoch, and
 * removed by a job that is read later still. Jobs that have ended are read too (they are kept for a day): what they
 * removed may have been read before.
 *
 * Not moved: tombstones, the index and its rebuilds, claims of search names (made anew of the definitions), the registry,
 * leases, and held deletions, which an operator reports anew and a person confirms anew.
 * @throws CatalogError `malformed` at once when the place cannot be read.
 */
export function exportCatalogue(parts: CatalogParts, place?: ExportPlace): AsyncGenerator<string> {
  return place === undefined ? wholeExport(parts) : restOfExport(parts, readCursor(place.after), place.lines);
}

async function* wholeExport(parts: CatalogParts): AsyncGenerator<string> {
  yield printed({
    kind: 'header',
    format: EXPORT_FORMAT,
    version: EXPORT_VERSION,
    id: randomUUID(),
    begun: parts.now(),
    namespaceWord: parts.settings.namespaceWord,
    entities: await parts.store.entities.count(),
  });
  yield* restOfExport(parts, { group: 0 }, 1);
}

async function* restOfExport(parts: CatalogParts, { group, after }: Cursor, before: number): AsyncGenerator<string> {
  let lines = before;
  for (const [index, name] of GROUPS.entries()) {
    if (index < group) continue;
    for await (const thing of thingsOf(parts.store, name, index === group ? after : undefined)) {
      lines += 1;
      yield printed(thing);
    }
  }
  yield printed({ kind: 'end', lines: lines + 1 });
}

/** Entity types, then the other kinds, in the order in which they are read. */
const GROUPS: readonly string[] = [
  'schemaField',
  ...ENTITY_TYPES.map(({ name }) => name).filter((name) => name !== 'schemaField' && name !== 'structuredProperty'),
  'structuredProperty',
  ...THING_KINDS.slice(1),
];

/** Where in the order. */
interface Cursor {
  readonly group: number;
  readonly after?: string;
}

function readCursor(text: string): Cursor {
  const at = text.indexOf(':');
  const kind = text.slice(0, at);
  const after = text.slice(at + 1);
  if (kind === 'header') return { group: 0 };
  const group = GROUPS.indexOf(kind === 'entity' ? (tryParseUrn(after)?.entityType.name ?? '') : kind);
  if (at < 1 || group < 0 || THING_KINDS.every((known) => known !== kind)) {
    throw new CatalogError('malformed', 'after: not the kind and the id of a line that an export has');
  }
  return { group, after };
}

function thingsOf(store: Store, group: string, after: string | undefined): AsyncGenerator<ExportedThing> {
  const kind = THING_KINDS.find((known) => known === group);
  if (kind === undefined) return entities(store, group, after);
  return kind === 'job' ? jobs(store, after) : records(store, kind, after);
}

async function* entities(store: Store, entityType: string, after: string | undefined): AsyncGenerator<ExportedThing> {
  for await (const document of allEntities(store, { entityType, after })) {
    if (document.deleted === undefined) yield { kind: 'entity', id: document.urn, body: bodyOf(document) };
  }
}

/** Everything stored but what the URN says, in an order that does not depend on the store. */
function bodyOf({ urn: _urn, entityType: _type, deleted: _living, ...stored }: EntityDocument): ExportedThing['body'] {
  const { incarnation, revision, aspects, assignments, definitionState, owners, batches, ...optional } = stored;
  const { parentIncarnation, versionFloor, ...rest } = optional;
  // A field that is new has to be named here and in the shapes.
  rest satisfies Record<string, never>;
  return {
    incarnation,
    revision,
    aspects,
    assignments: assignments.map(({ propertyUrn, epoch, valueType, ...more }) => ({
      propertyUrn,
      epoch,
      valueType,
      ...more,
    })),
    ...(definitionState === undefined ? {} : { definitionState }),
    ...(parentIncarnation === undefined ? {} : { parentIncarnation }),
    ...(versionFloor === undefined ? {} : { versionFloor }),
    owners,
    batches,
  };
}

async function* records(
  store: Store,
  kind: ExportedThing['kind'],
  after: string | undefined,
): AsyncGenerator<ExportedThing> {
  for await (const { id, body } of allRecords<ExportedThing['body']>(store, kind, after)) yield { kind, id, body };
}

/** They begin anew in the target, so only what they are about is moved. */
async function* jobs(store: Store, after = ''): AsyncGenerator<ExportedThing> {
  const collecting = (await listJobs(store)).filter(({ kind, id }) => kind !== 'system-update' && id > after);
  for (const { id, kind, subject, remains } of collecting.sort((one, other) => (one.id < other.id ? -1 : 1))) {
    yield { kind: 'job', id, body: { kind, subject, remains } };
  }
}

function printed(line: ExportHeader | ExportedThing | ExportEnd): string {
  return `${JSON.stringify(line)}\n`;
}
