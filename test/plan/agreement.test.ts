import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { pino } from 'pino';
import { apiServerEnvironment } from '../../api-server/config.ts';
import { startApiServer } from '../../api-server/server.ts';
import { createHttpClient } from '../../client/http-client.ts';
import { jobsSchema } from '../../model/wire/job.ts';
import { cascadeIn } from '../../operator/catalogue/cascade.ts';
import { createServerBase } from '../../plan/catalogue/server-base.ts';
import { readFolderFiles } from '../../plan/files/folder-files.ts';
import { readInputs } from '../../plan/files/read-inputs.ts';
import { applyInputs, makePlan } from '../../plan/make-plan.ts';
import type { Plan } from '../../plan/plan-shape.ts';
import { Api, entityPath } from '../harness/api.ts';
import { FakeServer, onlyReads } from '../harness/fake-server.ts';
import { assign, dataset, textProperty } from '../harness/manifests.ts';
import { differences, differing, type Observed, observe, observeServer } from '../harness/observed-catalogue.ts';
import { OperatorBench } from '../harness/operator-bench.ts';
import { BY_HAND, changes, DATASETS, type Folder } from '../harness/plan-arbitraries.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { sizeOf } from '../tiers.ts';

/**
 * A plan says what the operator then does: both start from what an operator has made of a folder before, and are compared
 * in what becomes of the catalogue, in what they call changed, and in what they refuse.
 */

const RUNS = sizeOf('PROPLANE_PLAN_RUNS', { quick: 6, long: 24 });

interface Case {
  readonly before: Folder;
  readonly after: Folder;
}

/** Puts the state into the catalogue that nobody manages. */
async function prepare(host: string): Promise<void> {
  const api = new Api(host);
  const { qualifiedName, valueType, entityTypes } = textProperty('hand').spec as Record<string, unknown>;
  const body = { qualifiedName, valueType, entityTypes };
  expect((await api.post(entityPath('v3', BY_HAND, 'propertyDefinition'), body)).status).toBe(200);
  for (const [index, urn] of DATASETS.slice(0, 2).entries()) {
    const path = `/properties/${BY_HAND}`;
    const add = { op: 'add', path, value: { propertyUrn: BY_HAND, values: [{ string: 'by hand' }] } };
    const patch = `${entityPath('v3', urn, 'structuredProperties')}?createIfEntityNotExists=true`;
    expect((await api.patch(patch, { patch: index === 0 ? [add] : [] })).status).toBe(200);
  }
}

/** How often the operator looks at everything. */
const RESYNC_SECONDS = 2;
/** In ms: it has looked at everything twice by then. */
const REST = 5000;
const LONGEST_MS = 600_000;

/** Lets time pass until nothing has changed after all that the operator had to look at. */
async function atRest(bench: OperatorBench, host: string): Promise<Observed> {
  let last = '';
  return await bench.eventually(async () => {
    await bench.pass(REST);
    if (await isCollecting(host)) throw new Error('hidden values, which have marks, are being removed');
    const seen = await observeServer(host);
    const text = JSON.stringify([[...seen.properties], [...seen.values], [...seen.marks], rowsOf(bench)]);
    if (text !== last) {
      last = text;
      throw new Error(`something has changed: ${text}`);
    }
    return seen;
  });
}

async function isCollecting(host: string): Promise<boolean> {
  return cascadeIn(jobsSchema.parse((await new Api(host).get('/jobs')).body).jobs) !== undefined;
}

/**
 * Lets the operator apply a folder. A file that cannot be read holds deletions back until all else is done: otherwise it
 * would hang on the speed of this machine what is written before a deletion begins.
 */
async function apply(bench: OperatorBench, host: string, folder: Folder): Promise<Observed> {
  await bench.write('all.yaml', ...folder.manifests, '# the end\n');
  await bench.write('holds-back.yaml', 'kind: [\n');
  await bench.start({ resyncSeconds: RESYNC_SECONDS });
  await atRest(bench, host);
  await bench.remove('holds-back.yaml');
  await bench.eventually(async () => {
    const { problems } = bench.operator.snapshot();
    expect(problems.filter(({ location = '' }) => location.includes('holds-back'))).toEqual([]);
  });
  return await atRest(bench, host);
}

function rowsOf(bench: OperatorBench): string[][] {
  return bench.operator
    .snapshot()
    .rows.map(({ kind, name, state, reason }) => [kind, name, state, reason])
    .sort();
}

async function expectAgreement(host: string, { before, after }: Case, requests?: string[]): Promise<void> {
  await prepare(host);
  const bench = await OperatorBench.create(host);
  try {
    const start = await apply(bench, host, before);
    await bench.stop();
    await bench.write('all.yaml', ...after.manifests, '# the end\n');
    requests?.splice(0);
    const { plan, predicted } = await planOf(bench, host);
    expect(requests?.filter((request) => !onlyReads(request)) ?? []).toEqual([]);
    const end = await apply(bench, host, after);
    expectSame(plan, predicted, start, end);
    expectVerdicts(plan, bench);
  } finally {
    await bench.close();
  }
}

async function planOf(bench: OperatorBench, host: string): Promise<{ plan: Plan; predicted: Observed }> {
  const http = createHttpClient({ host });
  try {
    const files = await readFolderFiles({ globs: ['resources/**/*.yaml'], workingFolder: bench.folder });
    const options = {
      base: createServerBase(http, 'directory'),
      against: host,
      source: 'directory',
      inputs: readInputs(files, () => []),
    };
    const plan = await makePlan(options);
    const { overlay } = await applyInputs(options);
    const predicted = await observe({
      readProperty: (urn) => overlay.readProperty(urn),
      readHolder: (urn) => overlay.readHolder(urn),
      marks: async () => overlay.memory.marks,
    });
    return { plan, predicted };
  } finally {
    http.close();
  }
}

function expectSame(plan: Plan, predicted: Observed, start: Observed, end: Observed): void {
  // What a soft deletion hides cannot be read, so what comes back with its property is not foreseen.
  const restored = plan.properties.filter(({ action }) => action === 'restore').map(({ urn }) => urn);
  // Who refers to a property by its qualified name inherits its values from who did by a manifest that is deleted: but
  // not once they are hidden, and the two happen at the same time.
  const hidden = [...end.properties].filter(([, text]) => (JSON.parse(text) as [boolean])[0]).map(([urn]) => urn);
  const unforeseen = new Set([...restored, ...hidden]);
  const isKnown = (place: string): boolean => !unforeseen.has(place.split(' ')[1] ?? '');
  expect(differences(predicted.properties, end.properties)).toEqual([]);
  expect(differences(predicted.values, end.values).filter(([place]) => isKnown(place))).toEqual([]);
  expect(differences(predicted.marks, end.marks).filter(([place]) => isKnown(place))).toEqual([]);

  const planned = new Set([
    ...plan.properties.map(({ urn }) => `${urn} `),
    ...plan.entities.flatMap(({ urn, values }) => values.map(({ propertyUrn }) => `${urn} ${propertyUrn}`)),
    ...plan.entities.filter(({ action }) => action === 'create').map(({ urn }) => `${urn} `),
  ]);
  const observed = new Set([
    ...differing(start.properties, end.properties).map((urn) => `${urn} `),
    ...differing(start.values, end.values),
    ...differing(start.marks, end.marks),
  ]);
  expect([...planned].filter(isKnown).sort()).toEqual([...observed].filter(isKnown).sort());
  for (const { urn, action } of plan.properties) {
    expect(propertyActions(start.properties.get(urn), end.properties.get(urn))).toContain(action);
  }
  for (const { urn, values } of plan.entities) {
    for (const { propertyUrn, action } of values.filter((value) => isKnown(`${urn} ${value.propertyUrn}`))) {
      const place = `${urn} ${propertyUrn}`;
      expect([place, action]).toEqual([place, valueAction(start.values.get(place), end.values.get(place))]);
    }
  }
}

/** What a property's change may be called. Whether it was a break cannot be seen in the definition alone. */
function propertyActions(before: string | undefined, after: string | undefined): string[] {
  if (before === undefined) return ['create'];
  if (after === undefined) return ['delete'];
  const [was, is] = [before, after].map((text) => (JSON.parse(text) as [boolean])[0]);
  if (was !== is) return [is ? 'softDelete' : 'restore', 'break'];
  return before === after ? ['change', 'keep'] : ['change', 'break'];
}

function valueAction(before: string | undefined, after: string | undefined): string {
  if (before === undefined) return after === undefined ? 'keep' : 'add';
  if (after === undefined) return 'remove';
  return before === after ? 'keep' : 'replace';
}

function expectVerdicts(plan: Plan, bench: OperatorBench): void {
  const named = (state: string) =>
    rowsOf(bench)
      .filter((row) => row[2] === state)
      .map(([kind, name, , reason]) => `${kind} governance/${name} ${reason}`);
  const told = (notes: Plan['waiting']) => notes.map(({ resource, reason }) => `${resource} ${reason}`).sort();
  expect(told(plan.refused)).toEqual(named('stalled').sort());
  expect(told(plan.waiting)).toEqual([...named('waiting'), ...named('deleting')].sort());
  const reasons = plan.refused.map(({ reason }) => reason);
  const changed = plan.properties.length + plan.entities.length > 0;
  const worst = reasons.some((reason) => reason !== 'BreakingChange') ? 1 : reasons.length > 0 ? 3 : changed ? 2 : 0;
  expect(plan.exitCode).toBe(worst);
}

describe('a plan and the later apply agree', () => {
  it(
    'over an API server in memory',
    async () => {
      await fc.assert(
        fc.asyncProperty(changes, async (each) => {
          const server = await new FakeServer().listen();
          await expectAgreement(server.url, each, server.requests).finally(() => server.close());
        }),
        { numRuns: RUNS, endOnFailure: true },
      );
    },
    LONGEST_MS,
  );

  describe('over a real one', () => {
    let data: Awaited<ReturnType<typeof temporaryFolder>>[] = [];
    beforeAll(() => {
      data = [];
    });
    afterAll(async () => {
      for (const { remove } of data) await remove();
    });

    async function expectAgreementAlone(each: Case): Promise<void> {
      const folder = await temporaryFolder();
      data.push(folder);
      const config = apiServerEnvironment.parse({ API_PORT: '0', DATA_DIR: folder.path });
      const server = await startApiServer(config, pino({ level: 'silent' }));
      await expectAgreement(server.url, each).finally(() => server.stop());
    }

    it('of values whose property goes', async () => {
      const properties = [assign('p1', 'x')];
      const values = dataset({ datasetUrn: DATASETS[0], properties });
      await expectAgreementAlone({
        before: { manifests: [textProperty('p1'), values] },
        after: { manifests: [values] },
      });
    });

    it(
      'of each case its own',
      async () => {
        await fc.assert(fc.asyncProperty(changes, expectAgreementAlone), {
          numRuns: Math.max(1, Math.ceil(RUNS / 6)),
          endOnFailure: true,
        });
      },
      LONGEST_MS,
    );
  });
});
