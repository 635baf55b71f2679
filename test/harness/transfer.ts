import type { CatalogParts } from '../../api-server/catalog/parts.ts';
import { type ExportPlace, exportCatalogue } from '../../api-server/transfer/export-catalogue.ts';
import { importLines } from '../../api-server/transfer/import-catalogue.ts';
import type { ImportSession } from '../../api-server/transfer/import-session.ts';

/** Every line of an export, each with its newline. */
export async function exportedLines(parts: CatalogParts, place?: ExportPlace): Promise<string[]> {
  return Array.fromAsync(exportCatalogue(parts, place));
}

export function idOf(lines: readonly string[]): string {
  return (JSON.parse(lines[0] ?? '') as { id: string }).id;
}

/** Sends the lines from `before` up to `after`, those being line numbers of the export. */
export function send(
  parts: CatalogParts,
  lines: readonly string[],
  before: number,
  after = lines.length,
): Promise<ImportSession> {
  return importLines(parts, { id: idOf(lines), before, text: lines.slice(before, after).join('') });
}

/** Sends all lines, so many at once. */
export async function importAll(parts: CatalogParts, lines: readonly string[], atOnce = 7): Promise<void> {
  for (let before = 0; before < lines.length; before += atOnce) await send(parts, lines, before, before + atOnce);
}
