import { canonicalJson } from '../../model/canonical-json.ts';
import type { ExportHeader } from '../../model/export-line.ts';
import { parseUrn } from '../../model/urn.ts';
import { type CatalogError, refusedBy } from '../catalog/errors.ts';
import type { CatalogParts } from '../catalog/parts.ts';
import { propertyState } from '../catalog/registry/registry.ts';
import { claimSearchName } from '../catalog/write/search-name-claims.ts';
import type { NewJob } from '../jobs/job.ts';
import type { EntityDocument } from '../store/port.ts';
import { advanceSession, continueSession, type ImportSession, openSession } from './import-session.ts';
import { broken, type Lines, type NumberedThing, readLines } from './read-lines.ts';

const CONCURRENT_WRITES = 64;

/** Some lines of an export, and where they stand in it. */
export interface SentLines {
  /** Id of the export, from its header. */
  readonly id: string;
  /** How many lines of the export stand before them. */
  readonly before: number;
  readonly text: string;
}

/**
 * Stores some lines of an export, and notes in the session how far it is. The first line begins the import, the last one
 * ends it. Sending lines again does no harm: what is there already, or has moved on since, stays as it is.
 * @throws CatalogError `malformed` naming the line that is not right, and nothing is written; `invalid` naming the line
 * that meets something else under its name, or saying why the import cannot begin or go on.
 */
export async function importLines(parts: CatalogParts, { id, before, text }: SentLines): Promise<ImportSession> {
  // Lines of no import that is under way are not worth reading.
  if (before > 0) await continueSession(parts, id, before);
  const lines = readLines(text, before);
  if (lines.header !== undefined) checkHeader(parts, lines.header, id);
  const session =
    lines.header === undefined ? await continueSession(parts, id, before) : await openSession(parts, lines.header);
  const after = before + lines.count;
  if (session.lines >= after) return session;
  await storeAll(parts, lines.things);
  return lines.end === undefined ? advanceSession(parts, after, 'open') : finish(parts, after);
}

function checkHeader({ settings }: CatalogParts, { id, namespaceWord }: ExportHeader, sent: string): void {
  if (id !== sent) throw broken(1, `id: it is ${id}, not ${sent}`);
  if (namespaceWord === settings.namespaceWord) return;
  throw broken(1, `the export is of a server with NAMESPACE_WORD=${namespaceWord}: start this one with it too`);
}

/** Caches that know the catalogue without the import are no longer valid. */
function finish(parts: CatalogParts, lines: number): Promise<ImportSession> {
  return parts.registry.change([], () => advanceSession(parts, lines, 'finished'));
}

async function storeAll(parts: CatalogParts, things: Lines['things']): Promise<void> {
  for (let start = 0; start < things.length; start += CONCURRENT_WRITES) {
    const some = things.slice(start, start + CONCURRENT_WRITES);
    const outcomes = await Promise.allSettled(some.map((thing) => storeThing(parts, thing)));
    const refused = outcomes.find((outcome) => outcome.status === 'rejected');
    if (refused !== undefined) throw refused.reason;
    parts.written();
  }
}

function storeThing(parts: CatalogParts, thing: NumberedThing): Promise<void> {
  if (thing.kind === 'entity') return storeEntity(parts, thing);
  if (thing.kind === 'job') return parts.ensureJob(thing.body as NewJob);
  return storeRecord(parts, thing);
}

async function storeEntity(parts: CatalogParts, { line, id, body }: NumberedThing): Promise<void> {
  const urn = parseUrn(id);
  const document = { urn: id, entityType: urn.entityType.name, ...body } as unknown as EntityDocument;
  if (propertyState(document) !== undefined) {
    const holder = await claimSearchName(parts, urn);
    if (holder !== undefined) {
      throw conflict(
        line,
        `${id} and ${holder} have one search name: definitions were changed while they were exported`,
      );
    }
  }
  if (await parts.store.entities.insert(document)) return;
  const stored = await parts.store.entities.get(id);
  const isSame = stored?.incarnation === document.incarnation && stored.revision >= document.revision;
  if (!isSame) throw conflict(line, `${id} is there already, and is another one`);
}

async function storeRecord({ store }: CatalogParts, { line, kind, id, body }: NumberedThing): Promise<void> {
  if ((await store.records.put(kind, id, body, undefined)) !== undefined) return;
  const stored = await store.records.get(kind, id);
  // A batch may have been carried out since, and its record removed.
  if (stored === undefined || canonicalJson(stored.body) === canonicalJson(body)) return;
  throw conflict(line, `${kind} ${id} is there already, and is another one`);
}

function conflict(line: number, problem: string): CatalogError {
  return refusedBy('import-refused', `line ${line}: ${problem}. Begin again with an empty store`);
}
