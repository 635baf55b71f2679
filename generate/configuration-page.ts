import type * as z from 'zod';
import { apiServerEnvironment } from '../api-server/config.ts';
import { frontendEnvironment } from '../frontend/config.ts';
import { directoryOperatorEnvironment, kubernetesOperatorEnvironment } from '../operator/config.ts';
import { startEnvironment } from '../start/config.ts';
import { GENERATED, table } from './table.ts';

const ROLES: readonly (readonly [title: string, schema: z.ZodObject])[] = [
  ['All in one (`npm start`, `make run`)', startEnvironment],
  ['API server (`npm run api-server`)', apiServerEnvironment],
  ['Operator over a cluster (`npm run operator`)', kubernetesOperatorEnvironment],
  ['Operator over a folder (`npm run operator` with `MANIFESTS`)', directoryOperatorEnvironment],
  ['Frontend (`npm run frontend`)', frontendEnvironment],
];

/** Every environment variable of every role, with its default. */
export function configurationPage(): string {
  const sections = ROLES.map(([title, schema]) => {
    const rows = Object.entries(schema.shape).map(([name, field]) => [
      `\`${name}\``,
      defaultOf(field),
      descriptionOf(field),
    ]);
    return `## ${title}\n\n${table(['variable', 'default', 'meaning'], rows)}`;
  });
  return `${GENERATED}
# Configuration

By the environment alone. An empty variable counts as unset. A variable that is wrong keeps the process from starting, and
the message names every one.

${sections.join('\n\n')}
`;
}

function defaultOf(field: z.core.$ZodType): string {
  const result = (field as z.ZodType).safeParse(undefined);
  if (!result.success) return 'required';
  const value = result.data as unknown;
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return '';
  return `\`${String(value)}\``;
}

function descriptionOf(field: z.core.$ZodType): string {
  const { def } = (field as unknown as { _zod: { def: { innerType?: z.core.$ZodType; in?: z.core.$ZodType } } })._zod;
  const own = (field as z.ZodType).description;
  if (own !== undefined) return own;
  const inner = def.innerType ?? def.in;
  return inner === undefined ? '' : descriptionOf(inner);
}
