import * as z from 'zod';
import { splitGlobs } from './source/directory/globs.ts';

/** The environment of the operator. */
export const operatorEnvironment = z.object({
  MANIFESTS: z
    .string({ error: 'globs of manifests are needed, such as resources/**/*.yaml' })
    .transform(splitGlobs)
    .pipe(z.array(z.string()).min(1, { error: 'globs of manifests are needed, such as resources/**/*.yaml' }))
    .describe('Globs of the directory source, comma-separated, `!` excludes'),
  PROPLANE_HOST: z.url().default('http://127.0.0.1:8080').describe('Address of the API server'),
  PROPLANE_TOKEN: z.string().optional().describe('Access token for it'),
  SOURCE_NAME: z
    .string()
    .min(1)
    .default('directory')
    .describe('Names the source in owner marks; two operators on one server need two names'),
  RESYNC_INTERVAL_S: z.coerce
    .number()
    .positive()
    .max(86_400)
    .default(60)
    .describe('Everything is looked at this often'),
  CONCURRENCY: z.coerce.number().int().min(1).max(64).default(4).describe('Resources reconciled at the same time'),
  CONFIRM_DELETIONS: z
    .stringbool()
    .default(false)
    .describe('true: everything that is missing at the start may be deleted, however much it is'),
});
