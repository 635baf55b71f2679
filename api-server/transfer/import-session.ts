import type { ExportHeader } from '../../model/export-line.ts';
import type { ShownImport } from '../../model/wire/import-session.ts';
import { CatalogError, refusedBy } from '../catalog/errors.ts';
import type { CatalogParts } from '../catalog/parts.ts';
import { changeRecord } from '../store/change-record.ts';

/** How far an import is: a record, so that it goes on after a crash of either side. There is one; the last one stays. */

const PLACE = { kind: 'import', id: 'import' };

/** One that has begun. */
export type ImportSession = Readonly<Required<ShownImport>> & { readonly state: 'open' | 'finished' };

export async function readSession(parts: CatalogParts): Promise<ImportSession | undefined> {
  return (await parts.store.records.get<ImportSession>(PLACE.kind, PLACE.id))?.body;
}

/**
 * While an import is under way nothing else is written: a write would drop values whose definition has not arrived, and
 * what it makes would be in the way of what arrives.
 * @throws CatalogError `unavailable`
 */
export async function refuseWhileImporting(parts: CatalogParts): Promise<void> {
  if ((await readSession(parts))?.state !== 'open') return;
  throw new CatalogError(
    'unavailable',
    'An import is under way: only that is possible until it has ended. Run `proplane import` with the same file again if it was cut.',
  );
}

/**
 * Begins an import, or finds the one of this export.
 * @throws CatalogError `invalid` when another one is under way or the catalogue is not empty, `unavailable` while it
 * still has traces of what was deleted.
 */
export function openSession(parts: CatalogParts, header: ExportHeader): Promise<ImportSession> {
  return changeRecord(parts.store.records, PLACE, async (standing: ImportSession | undefined) => {
    if (standing?.id === header.id) return standing;
    if (standing?.state === 'open') throw anotherImport(standing);
    await requireEmpty(parts);
    return { id: header.id, state: 'open' as const, begun: header.begun, lines: 0 };
  });
}

/** @throws CatalogError `invalid` when the import is another one, or has not come to these lines. */
export async function continueSession(parts: CatalogParts, id: string, before: number): Promise<ImportSession> {
  const session = await readSession(parts);
  if (session === undefined)
    throw refusedBy('import-refused', 'No import is under way: send the export from its header');
  if (session.id !== id) throw anotherImport(session);
  if (session.lines < before) {
    throw refusedBy('import-refused', `before: ${session.lines} lines have arrived, not ${before}: go on from there`);
  }
  return session;
}

/** Notes that so many lines are stored. */
export function advanceSession(
  parts: CatalogParts,
  lines: number,
  state: ImportSession['state'],
): Promise<ImportSession> {
  return changeRecord(parts.store.records, PLACE, (standing: ImportSession | undefined) => {
    if (standing === undefined) throw new Error('the import was forgotten');
    return standing.lines >= lines ? standing : { ...standing, state, lines };
  });
}

function anotherImport({ state, id, begun, lines }: ImportSession): CatalogError {
  const which = `that of the export ${id}, begun at ${new Date(begun).toISOString()}`;
  return refusedBy(
    'import-refused',
    state === 'open'
      ? `Another import is under way, ${which}; ${lines} lines of it have arrived. End it with its own file, or begin with an empty store`
      : `The last import was another one, ${which}: send the export from its header`,
  );
}

async function requireEmpty({ store, settings }: CatalogParts): Promise<void> {
  const [first] = await store.entities.list({ limit: 1 });
  const [resource] = await store.records.list('resource', undefined, 1);
  if (first === undefined && resource === undefined) return;
  if (first?.deleted !== undefined) {
    const seconds = Math.ceil((2 * settings.requestTimeout) / 1000);
    throw new CatalogError(
      'unavailable',
      `Only an empty catalogue can be imported into; ${first.urn} was deleted, and its trace goes after about ${seconds} s`,
    );
  }
  const found =
    first === undefined
      ? `the resource ${resource?.id} that an operator has reported`
      : `${await store.entities.count()} entities, ${first.urn} the first`;
  throw refusedBy(
    'import-refused',
    `Only an empty catalogue can be imported into; this one has ${found}. Start the server on an empty store, without MANIFESTS and CATALOGUE`,
  );
}
