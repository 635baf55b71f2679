import * as z from 'zod';
import { apiServerEnvironment } from '../api-server/config.ts';
import { frontendEnvironment } from '../frontend/config.ts';

const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  );

/** The environment of the all-in-one process: that of its roles, and where its resources come from. */
export const startEnvironment = apiServerEnvironment
  .extend(frontendEnvironment.omit({ PROPLANE_HOST: true }).shape)
  .extend({
    MANIFESTS: list.describe(
      'Globs of the directory source, comma-separated, `!` excludes; none = no directory source',
    ),
    CATALOGUE: list.describe("Files with datasets and dataFlows in the command line's form, loaded at start"),
    LOG_FILE: z.string().optional().describe('Where the log goes; proplane.log in DATA_DIR when unset'),
  });

export type StartConfig = z.output<typeof startEnvironment>;
