import { crc32 } from 'node:zlib';
import { StoreError } from '../errors.ts';
import type { EntityDocument, StoredRecord } from '../port.ts';

/**
 * SQLite has no checksums of its own: a byte that changes on the disk is read as if it had been written. So each
 * document and record is stored with one of its text. It is no secret and no signature.
 */

type Row = Readonly<Record<string, unknown>>;

/** What `readDocument` needs of a row. */
export const DOCUMENT_COLUMNS = 'urn, incarnation, revision, checksum, document';
/** What `readRecord` needs of a row. */
export const RECORD_COLUMNS = 'kind, id, revision, checksum, body';

export function checksumOf(text: string): number {
  return crc32(text);
}

/** @throws StoreError `damaged` when the row is not what was written. */
export function readDocument({ urn, incarnation, revision, checksum, document: text }: Row): EntityDocument {
  const about = String(urn);
  const document = parsed<EntityDocument>(String(text), checksum, about);
  const isOfRow =
    document.urn === about && document.incarnation === incarnation && document.revision === Number(revision);
  if (!isOfRow) throw damaged(about, `its key is not that of its document, ${document.urn}`);
  return document;
}

/** @throws StoreError `damaged` when the row is not what was written. */
export function readRecord<T>({ kind, id, revision, checksum, body }: Row): StoredRecord<T> {
  const about = `${kind}/${id}`;
  return { id: String(id), revision: String(revision), body: parsed<T>(String(body), checksum, about) };
}

/** @param checksum null: written by a release that had none. */
function parsed<T>(text: string, checksum: unknown, about: string): T {
  if (checksum !== null && checksumOf(text) !== checksum) throw damaged(about, 'its checksum does not fit');
  try {
    return JSON.parse(text) as T;
  } catch (error) {
    throw damaged(about, error instanceof Error ? error.message : String(error));
  }
}

function damaged(about: string, reason: string): StoreError {
  const message = `What is stored of ${about} is damaged (${reason}). \`proplane doctor\` says what else is, and how to restore`;
  return new StoreError('damaged', message, { about });
}
