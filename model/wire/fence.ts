import * as z from 'zod';
import { MAX_NAME_LENGTH } from '../limits.ts';
import { type Checked, checkShape } from '../shape.ts';

/**
 * Which leader of a source writes. The server keeps the highest one of each source and shard and refuses the writes of a
 * lower one: `transitions` counts the leaders of one Lease; another Lease wins when it was created later.
 */
export const fenceSchema = z
  .object({
    source: z.string(),
    shard: z.string().describe('Part of the source that has a leader of its own; empty when the source is one'),
    lease: z.string().describe('Uid of the Lease that the leader holds'),
    created: z.number().int().describe('When that Lease was created, ms since 1970'),
    transitions: z.number().int().describe('How often that Lease has changed hands'),
  })
  .meta({ id: 'Fence' });

export type Fence = Readonly<z.output<typeof fenceSchema>>;

/** In lower case, as requests have it. */
export const FENCE_HEADER = 'x-proplane-fence';

const parameters = z.object({
  source: text().min(1, 'missing'),
  shard: text(),
  lease: text().min(1, 'missing'),
  created: count(),
  transitions: count(),
});

/** `source=…&shard=…&lease=<uid>&created=<ms since 1970>&transitions=<n>`, form-encoded. */
export function printFence({ source, shard, lease, created, transitions }: Fence): string {
  const parts = { source, shard, lease, created: String(created), transitions: String(transitions) };
  return new URLSearchParams(parts).toString();
}

/** Reads what `printFence` writes; NUL is refused, since the store parts source and shard by it. */
export function parseFence(header: string): Checked<Fence> {
  return checkShape(parameters, Object.fromEntries(new URLSearchParams(header)));
}

function text() {
  return z
    .string('missing')
    .max(MAX_NAME_LENGTH)
    .refine((value) => !value.includes('\0'), 'contains NUL');
}

function count() {
  return z
    .string('missing')
    .regex(/^\d{1,15}$/u, { error: ({ input }) => `should be a whole number, not ${JSON.stringify(input)}` })
    .transform(Number);
}
