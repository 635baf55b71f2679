import { appendFile, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import { Api, addProperty, entityPath, eventually } from '../harness/api.ts';
import type { Deployment } from '../harness/deployments.ts';
import { embeddedDeployment } from '../harness/embedded-deployment.ts';
import { assign, CLICKS, dataset, textProperty } from '../harness/manifests.ts';
import { ProplaneProcess } from '../harness/proplane-process.ts';

/** What editors, scripts and people do to a folder of manifests, and what must not be lost by it. */

const BY_HAND = 'urn:li:dataset:(urn:li:dataPlatform:hive,by.hand,PROD)';
const NAMES = ['pa', 'pb', 'pc'];
const urnOf = (name: string) => `urn:li:structuredProperty:com.example.${name}`;

let deployment: Deployment;
let manifests: string;
let proplane: ProplaneProcess;
let api: Api;

const file = (name: string) => join(manifests, name);
const textOf = (...documents: object[]) => documents.map((document) => stringify(document)).join('---\n');

beforeAll(async () => {
  deployment = await embeddedDeployment();
  manifests = join(deployment.folder, 'manifests');
  await mkdir(manifests);
});

afterAll(async () => {
  await proplane?.kill();
  await deployment?.remove();
});

async function start(environment: Readonly<Record<string, string>> = {}, globs = '**/*.yaml'): Promise<void> {
  proplane = await ProplaneProcess.start({ deployment, manifests: join(manifests, globs), environment });
  api = new Api(proplane.url);
}

async function valuesOf(urn: string): Promise<Record<string, string>> {
  const { body } = await api.get(entityPath('v3', urn, 'structuredProperties'));
  const properties: { propertyUrn: string; values: { string: string }[] }[] =
    body.structuredProperties?.value.properties ?? [];
  return Object.fromEntries(properties.map(({ propertyUrn, values }) => [propertyUrn, values[0]?.string ?? '']));
}

describe('a folder whose files are written while they are read', () => {
  it('loses nothing', async () => {
    for (const name of NAMES) {
      const values = dataset({ whenMissing: 'Create', properties: [assign(name, 'x')] }, { name: `on-${name}` });
      await writeFile(file(`${name}.yaml`), textOf(textProperty(name), values));
    }
    await start();
    const expected = Object.fromEntries(NAMES.map((name) => [urnOf(name), 'x']));
    await eventually(async () => expect(await valuesOf(CLICKS)).toEqual(expected));
    for (const name of NAMES) {
      const patch = addProperty(urnOf(name), [{ string: 'by hand' }]);
      await api.patch(`${entityPath('v3', BY_HAND, 'structuredProperties')}?createIfEntityNotExists=true`, patch);
    }
    const before = [expected, Object.fromEntries(NAMES.map((name) => [urnOf(name), 'by hand']))];
    const check = async () => expect([await valuesOf(CLICKS), await valuesOf(BY_HAND)]).toEqual(before);
    await check();

    const [empty, lines, copied] = NAMES.map((name) => file(`${name}.yaml`)) as [string, string, string];
    const [emptyText, linesText] = [await readFile(empty, 'utf8'), await readFile(lines, 'utf8')];
    const spare = join(deployment.folder, 'spare');
    await copyFile(copied, spare);
    await Promise.all([
      (async () => {
        await writeFile(empty, '');
        await sleep(3000);
        await writeFile(empty, emptyText);
      })(),
      (async () => {
        await writeFile(lines, '');
        for (const line of linesText.split('\n')) {
          await appendFile(lines, `${line}\n`);
          await sleep(200);
        }
      })(),
      (async () => {
        await rm(copied);
        await sleep(2000);
        await copyFile(spare, copied);
      })(),
    ]);
    // By now it has looked at them after all that.
    await writeFile(file('later.yaml'), textOf(textProperty('later')));
    await eventually(async () => expect((await api.get(entityPath('v3', urnOf('later')))).status).toBe(200));
    await check();
    expect(proplane.output).not.toContain('Deleted');
  });
});

describe('a crowd of manifests that is gone', () => {
  const names = Array.from({ length: 60 }, (_, index) => `crowd-${index}`);
  const there = async () =>
    (await api.get('/openapi/v3/entity/structuredProperty?query=id:*crowd*&count=0')).body.totalCount;
  /** Of the crowd: what was seen of a file while its metadata were written may be held with it. */
  const held = async (): Promise<{ name: string }[]> => {
    const { body } = await api.get('/resources/held-deletions');
    const resources: { name: string }[] = body.held[0]?.resources ?? [];
    return resources.filter(({ name }) => names.includes(name));
  };

  it('stays, although half of it comes back, until somebody says what is to go', async () => {
    const write = (name: string) => writeFile(file(`${name}.yaml`), textOf(textProperty(name)));
    await Promise.all(names.map(write));
    await eventually(async () => expect(await there()).toBe(60));
    await Promise.all(names.map((name) => rm(file(`${name}.yaml`))));
    await eventually(async () => expect(await held()).toHaveLength(60));
    await Promise.all(names.slice(30).map(write));
    await eventually(async () => expect(await held()).toHaveLength(30));
    await proplane.kill();
    await start();
    // It has looked at everything twice by then, and would have deleted what it wanted to.
    await rm(file('later.yaml'));
    await eventually(async () => expect((await api.get(entityPath('v3', urnOf('later')))).status).toBe(404));
    expect([await there(), (await held()).length]).toEqual([60, 30]);

    const confirm = '/resources/confirm-deletions';
    expect((await api.post(`${confirm}?source=directory`, undefined)).status).toBe(400);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await api.post(confirm, 'source=directory&all=true', form)).status).toBe(415);
    const [one] = (await held()).map(({ name }) => ({ kind: 'StructuredProperty', namespace: 'governance', name }));
    expect((await api.post(confirm, { source: 'directory', resources: [one] })).status).toBe(200);
    await eventually(async () => expect([await there(), (await held()).length]).toEqual([59, 29]));
    await api.post(confirm, { source: 'directory', all: true });
    await eventually(async () => expect([await there(), (await held()).length]).toEqual([30, 0]));
  });
});
