import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import { Api, eventually } from '../harness/api.ts';
import type { Deployment } from '../harness/deployments.ts';
import { embeddedDeployment } from '../harness/embedded-deployment.ts';
import { textProperty } from '../harness/manifests.ts';
import { OperatorBench } from '../harness/operator-bench.ts';
import { ProplaneProcess } from '../harness/proplane-process.ts';

/** Operators that are started over less than before, or over something else. */

const EXAMPLES = join(import.meta.dirname, '../../examples');

/** Properties of the examples that searches find: one of the 18 is soft deleted. */
const LISTED = 17;

let deployment: Deployment;
let proplane: ProplaneProcess;
let api: Api;

beforeEach(async () => {
  deployment = await embeddedDeployment();
});

afterEach(async () => {
  await proplane?.kill();
  await deployment?.remove();
});

async function start(manifests: string, catalogue = ''): Promise<void> {
  proplane = await ProplaneProcess.start({ deployment, manifests, catalogue });
  api = new Api(proplane.url);
}

const count = async () => (await api.get('/openapi/v3/entity/structuredProperty?count=0')).body.totalCount;
const held = async () => (await api.get('/resources/held-deletions')).body.held[0]?.resources ?? [];

/** How many resources there are, once all were looked at and nothing goes on. */
async function settled(): Promise<number> {
  return eventually(async () => {
    const { resources } = (await api.get('/resources')).body;
    const conditions = resources.flatMap(
      (one: { status?: { conditions: object[] } }) => one.status?.conditions ?? [{}],
    );
    expect(resources.length).toBeGreaterThan(0);
    expect(conditions.filter(({ type, reason }: never) => type === undefined || reason === 'Progressing')).toEqual([]);
    return resources.length;
  });
}

describe('a start over less than before', () => {
  it('deletes nothing of the examples unasked, and says so everywhere', async () => {
    const folder = join(deployment.folder, 'examples');
    await cp(EXAMPLES, folder, { recursive: true });
    await start(join(folder, 'resources/**/*.yaml'), join(folder, 'catalogue.yaml'));
    const all = await settled();
    await eventually(async () => expect(await count()).toBe(LISTED));
    await proplane.stop();

    await start(join(folder, 'resources/datasets/**/*.yaml'));
    await eventually(async () => expect(await held()).not.toEqual([]));
    const missing = (await held()).length;
    expect([await count(), (await api.get('/ready')).body.heldDeletions]).toEqual([LISTED, missing]);
    const metrics = await (await fetch(`${proplane.url}/metrics`)).text();
    expect(metrics).toContain(`proplane_held_deletions{source="directory"} ${missing}`);
    await eventually(async () => expect(proplane.output).toMatch(/deletions? held until somebody confirms/u));
    await proplane.kill();

    await start(join(folder, 'resources/**/*.yaml'));
    await eventually(async () => expect(await held()).toEqual([]));
    expect([await settled(), await count()]).toEqual([all, LISTED]);
  });
});

describe('a second operator with the same name over another folder', () => {
  it('takes nothing away from the first, and asks when that is gone', async () => {
    const manifests = join(deployment.folder, 'manifests');
    await mkdir(manifests);
    await writeFile(join(manifests, 'first.yaml'), stringify(textProperty('first')));
    await start(join(manifests, '*.yaml'));
    await eventually(async () => expect(await count()).toBe(1));
    const second = await OperatorBench.create(proplane.url);
    try {
      await second.write('second.yaml', textProperty('second'));
      await second.start();
      const [problem] = second.operator.snapshot().problems;
      expect(problem?.reason).toBe('SourceHeld');
      expect(problem?.message).toContain(manifests);
      expect(await count()).toBe(1);
      await second.stop();
      // The server goes on without its own operator, which was killed and has not said goodbye.
      await proplane.kill();
      proplane = await ProplaneProcess.start({ deployment, environment: { API_PORT: new URL(proplane.url).port } });
      await second.start();
      await second.reason('second', 'Applied');
      await second.eventually(async () => expect(await held()).toMatchObject([{ name: 'first', confirmed: false }]));
      await second.eventually(async () => expect(await count()).toBe(2));
    } finally {
      await second.close();
    }
  });
});
