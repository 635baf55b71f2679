import { guarded } from '../access/guarded.ts';
import { type ExportPlace, exportCatalogue as exportAll } from '../transfer/export-catalogue.ts';
import { type SentLines, importLines as storeLines } from '../transfer/import-catalogue.ts';
import { readSession, refuseWhileImporting } from '../transfer/import-session.ts';

/** Moving a catalogue: each with what it needs. */

export const exportCatalogue = guarded(['EXPORT_CATALOGUE'], async ({ parts }, place?: ExportPlace) => {
  await refuseWhileImporting(parts);
  return exportAll(parts, place);
});

export const importState = guarded(['IMPORT_CATALOGUE', 'EXPORT_CATALOGUE'], ({ parts }) => readSession(parts));

export const importLines = guarded(['IMPORT_CATALOGUE'], ({ parts }, lines: SentLines) => storeLines(parts, lines));
