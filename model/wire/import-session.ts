import * as z from 'zod';

/** How far an import is. */
export const importSessionSchema = z
  .object({
    state: z.enum(['none', 'open', 'finished']),
    id: z.string().exactOptional().describe('Of the export'),
    begun: z.number().exactOptional().describe('When the export was begun, ms since 1970'),
    lines: z.number().int().describe('Lines of the export that are stored'),
  })
  .meta({ id: 'Import' });

export type ShownImport = z.output<typeof importSessionSchema>;
