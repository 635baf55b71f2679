import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import { ask } from '../../client/ask.ts';
import type { HttpClient } from '../../client/http-client.ts';
import { listJobs } from '../../client/jobs.ts';
import { listHeldDeletions, listResources } from '../../client/resource-records.ts';
import { listSources } from '../../client/source-records.ts';
import { hasEnded } from '../../model/wire/job.ts';
import { type Readiness, readinessSchema } from '../../model/wire/readiness.ts';
import { counted } from '../../process/text.ts';
import type { Context } from '../context.ts';
import { help } from '../help.ts';
import { print, printJson } from '../output.ts';
import { stateOf } from '../resource-record.ts';
import { yamlText } from '../write-yaml.ts';

const TEXT = `What needs somebody comes with how: held deletions are confirmed by \`proplane resources confirm-deletions\`.
--json prints the same for programs. The exit code is 1 when the server is not ready.`;

export function statusCommand(context: Context): Command {
  return new Command('status')
    .description('how the server is, and what is under way or waits for somebody')
    .addHelpText('after', help(['proplane status', 'proplane status --json | jq .heldDeletions'], TEXT))
    .action(async () => {
      const status = await readStatus(context.client());
      if (context.json) printJson(status);
      else print(yamlText(readable(status)).trimEnd());
    });
}

interface Status extends Readiness {
  readonly host: string;
  /** Entities that the search index does not have yet in their present form. */
  readonly outbox?: number;
  /** That have not ended, by kind. */
  readonly jobs: Readonly<Record<string, number>>;
  /** By state. */
  readonly resources: Readonly<Record<string, number>>;
  /** Of each source: who works on it, if somebody does, and how many deletions it holds back. */
  readonly sources: Readonly<Record<string, { readonly operator?: string; readonly heldDeletions: number }>>;
}

/** @throws AnyHttpError, also when the server is not ready: that says why. */
async function readStatus(http: HttpClient): Promise<Status> {
  const readiness = await ask(http, { method: 'GET', path: '/ready' }, readinessSchema.loose());
  const outbox = await readOutbox(http);
  const open = (await listJobs(http, {})).filter((job) => !hasEnded(job));
  const resources = await listResources(http, undefined);
  return {
    host: http.host,
    ...readiness,
    ...(outbox === undefined ? {} : { outbox }),
    jobs: countBy(open, ({ kind }) => kind),
    resources: countBy(resources, (record) => stateOf(record).state),
    sources: await readSources(http),
  };
}

async function readSources(http: HttpClient): Promise<Status['sources']> {
  const operators = (await listSources(http)).map(({ name, holder }) => {
    const operator = holder && `process ${holder.pid} on ${holder.place.host}, ${holder.place.manifests.join(', ')}`;
    return [name, operator === undefined ? {} : { operator }] as const;
  });
  const held = (await listHeldDeletions(http, undefined)).map(({ source, resources }) => {
    return [source, resources.filter((one) => !one.confirmed).length] as const;
  });
  const byName = new Map(operators);
  const heldByName = new Map(held);
  const names = [...new Set([...byName.keys(), ...heldByName.keys()])].sort();
  return Object.fromEntries(
    names.map((name) => [name, { ...byName.get(name), heldDeletions: heldByName.get(name) ?? 0 }]),
  );
}

/** @returns `undefined` when the server does not tell it. */
async function readOutbox(http: HttpClient): Promise<number | undefined> {
  const metrics = await text(http.stream({ method: 'GET', path: '/metrics' }));
  const [, count] = /^proplane_outbox_entities (\d+)$/mu.exec(metrics) ?? [];
  return count === undefined ? undefined : Number(count);
}

function countBy<T>(items: readonly T[], of: (item: T) => string): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(items, of)].map(([name, group]) => [name, group.length]));
}

function readable({ heldDeletions, ...status }: Status): object {
  if (heldDeletions === undefined || heldDeletions === 0) return status;
  const how = `${counted(heldDeletions, 'deletion')} until somebody confirms: proplane resources confirm-deletions`;
  return { ...status, held: how };
}
