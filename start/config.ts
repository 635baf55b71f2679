import * as z from 'zod';
import { apiServerEnvironment } from '../api-server/config.ts';
import { frontendEnvironment } from '../frontend/config.ts';
import { directoryEnvironment } from '../operator/config.ts';
import { splitGlobs } from '../process/globs.ts';

/** The environment of the all-in-one process: that of its roles, and where its resources come from. */
export const startEnvironment = apiServerEnvironment
  .extend(frontendEnvironment.omit({ PROPLANE_HOST: true }).shape)
  .extend(directoryEnvironment.omit({ PROPLANE_HOST: true, PROPLANE_TOKEN: true, PROPLANE_TOKEN_FILE: true }).shape)
  .extend({
    MANIFESTS: z
      .string()
      .default('')
      .transform(splitGlobs)
      .describe('Globs of the directory source, comma-separated, `!` excludes; none = no directory source'),
    CATALOGUE: z
      .string()
      .default('')
      .transform(splitGlobs)
      .describe("Files with datasets and dataFlows in the command line's form, comma-separated, loaded at start"),
    SEARCH_INDEX_BUILDER_MAPPINGS_REINDEX: z
      .stringbool()
      .default(true)
      .describe('true, like the next = the system update rebuilds the search index in the background'),
    ENABLE_STRUCTURED_PROPERTIES_SYSTEM_UPDATE: z.stringbool().default(true).describe('See the one before'),
    LOG_FILE: z.string().optional().describe('Where the log goes; proplane.log in DATA_DIR when unset'),
    LOG_FILE_MIB: z.coerce
      .number()
      .min(0.1)
      .max(10_240)
      .default(10)
      .describe('A log that has become this large is put aside as `<log>.1`, the one before as `<log>.2`'),
    LOG_FILES: z.coerce
      .number()
      .int()
      .min(2)
      .max(1_000)
      .default(5)
      .describe('How many files of the log are kept, with the one that is written'),
  });

export type StartConfig = z.output<typeof startEnvironment>;
