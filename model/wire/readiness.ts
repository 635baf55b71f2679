import * as z from 'zod';

/** How a server is: what `/ready` answers, with 200 or 503. */
export const readinessSchema = z
  .object({
    ready: z.boolean(),
    version: z.string().describe('Release'),
    store: z.string().describe('ok, or why not'),
    search: z.string().describe('ok, or why not'),
    data: z.string().describe('ok, or which documents, or what of the file, is damaged'),
    writes: z.string().describe('ok, or why nothing can be written, such as a full disk; reads go on then'),
    heldDeletions: z
      .number()
      .int()
      .exactOptional()
      .describe('Deletions that wait until somebody confirms them; absent while the store cannot be asked'),
  })
  .meta({ id: 'Readiness' });

export type Readiness = Readonly<z.output<typeof readinessSchema>>;
