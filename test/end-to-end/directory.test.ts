import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Api, entityPath, eventually } from '../harness/api.ts';
import { type Deployment, onEachDeployment } from '../harness/deployments.ts';
import { ProplaneProcess } from '../harness/proplane-process.ts';

/** Manifests in, catalogue out: what somebody does to a folder of YAML, while Proplane runs and while it does not. */

const TIER = 'urn:li:structuredProperty:com.example.tier';
const OWNER = 'urn:li:structuredProperty:com.example.owner';
const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:hive,logs.clicks,PROD)';
const FIELD = `urn:li:schemaField:(${DATASET},user.email)`;

const property = (name: string, more = '') => `apiVersion: catalog.proplane.dev/v1alpha1
kind: StructuredProperty
metadata: { name: ${name}, namespace: governance }
spec:
  qualifiedName: com.example.${name}
  valueType: string
  entityTypes: [dataset, schemaField]
${more}`;

const values = (tier: string, more = '') => `apiVersion: catalog.proplane.dev/v1alpha1
kind: DatasetProperties
metadata: { name: clicks, namespace: governance }
spec:
  datasetUrn: ${DATASET}
  whenMissing: Create
  properties:
    - { propertyRef: { name: tier }, values: [${tier}] }
  fields:
    - fieldPath: user.email
      properties: [{ propertyRef: { qualifiedName: com.example.tier }, values: secret }]
${more}`;

await onEachDeployment((newDeployment) => {
  let deployment: Deployment;
  let manifests: string;
  let proplane: ProplaneProcess;
  let api: Api;

  beforeAll(async () => {
    deployment = await newDeployment();
    manifests = join(deployment.folder, 'manifests');
    await mkdir(manifests);
  });

  afterAll(async () => {
    await proplane?.kill();
    await deployment?.remove();
  });

  async function start(): Promise<void> {
    proplane = await ProplaneProcess.start({
      deployment,
      manifests: join(manifests, '**/*.yaml'),
      environment: { RESYNC_INTERVAL_S: '2' },
    });
    api = new Api(proplane.url);
  }

  async function write(file: string, text: string): Promise<void> {
    await writeFile(join(manifests, file), text);
  }

  async function assignmentsOf(urn: string): Promise<Record<string, string>> {
    const { body } = await api.get(entityPath('v3', urn, 'structuredProperties'));
    const properties = body.structuredProperties?.value.properties ?? [];
    return Object.fromEntries(
      properties.map((each: { propertyUrn: string; values: { string: string }[] }) => [
        each.propertyUrn,
        each.values[0]?.string,
      ]),
    );
  }

  async function readyReason(kind: string, name: string): Promise<string> {
    const { body } = await api.get(`/resources/${kind}/governance/${name}`);
    const ready = body.status?.conditions?.find((condition: { type: string }) => condition.type === 'Ready');
    return `${ready?.status} ${ready?.reason}: ${ready?.message}`;
  }

  describe('a folder of manifests', () => {
    it('becomes a catalogue, whatever the order, values of fields included', async () => {
      await write('a-values.yaml', values('gold'));
      await start();
      await eventually(async () =>
        expect(await readyReason('DatasetProperties', 'clicks')).toContain('ReferenceNotFound'),
      );
      await write('z-property.yaml', property('tier'));
      await eventually(async () => {
        expect(await assignmentsOf(DATASET)).toEqual({ [TIER]: 'gold' });
        expect(await assignmentsOf(FIELD)).toEqual({ [TIER]: 'secret' });
      });
      await eventually(async () => expect(await readyReason('DatasetProperties', 'clicks')).toMatch(/^True/u));
      const query = encodeURIComponent('structuredProperties.com_example_tier:gold');
      await eventually(async () =>
        expect((await api.get(`/openapi/v3/entity/dataset?query=${query}`)).body.totalCount).toBe(1),
      );
    });

    it('is followed when a manifest is edited, renamed, split and joined', async () => {
      await write('a-values.yaml', values('silver'));
      await eventually(async () => expect(await assignmentsOf(DATASET)).toEqual({ [TIER]: 'silver' }));
      await rename(join(manifests, 'a-values.yaml'), join(manifests, 'renamed.yaml'));
      await write('renamed.yaml', `${values('silver')}---\n${property('owner')}`);
      await eventually(async () => expect((await api.get(entityPath('v3', OWNER))).status).toBe(200));
      await sleep(2_500);
      expect(await assignmentsOf(DATASET)).toEqual({ [TIER]: 'silver' });
    });

    it('reports a broken file with its line, keeps what it held, and carries on with the rest', async () => {
      await write('renamed.yaml', 'kind: [broken\n  yaml: : :\n');
      await write('z-property.yaml', property('tier', '  description: how much it matters\n'));
      await eventually(async () => {
        const definition = await api.get(entityPath('v2', TIER, 'propertyDefinition'));
        expect(definition.body.value.description).toBe('how much it matters');
      });
      await eventually(async () => expect(proplane.output).toMatch(/renamed\.yaml:\d+/u));
      await sleep(2_500);
      expect(await assignmentsOf(DATASET)).toEqual({ [TIER]: 'silver' });
      await write('renamed.yaml', `${values('silver')}---\n${property('owner')}`);
    });

    it('tells what is wrong with a manifest: every rule, with file and line, and writes nothing', async () => {
      await write('wrong.yaml', property('wrong', '  cardinality: SOME\n  colour: red\n  version: "1"\n'));
      await eventually(async () => {
        const { body } = await api.get('/resources/StructuredProperty/governance/wrong');
        const text = JSON.stringify(body);
        for (const part of ['wrong.yaml:1', 'cardinality', 'colour', 'version', 'Stalled'])
          expect(text).toContain(part);
      });
      expect((await api.get(entityPath('v3', 'urn:li:structuredProperty:com.example.wrong'))).status).toBe(404);
      await rm(join(manifests, 'wrong.yaml'));
      await eventually(async () =>
        expect((await api.get('/resources/StructuredProperty/governance/wrong')).status).toBe(404),
      );
    });

    it('repairs what somebody changed by hand, at the next resync', async () => {
      await api.patch(entityPath('v3', DATASET, 'structuredProperties'), {
        patch: [{ op: 'add', path: `/properties/${TIER}`, value: { propertyUrn: TIER, values: [{ string: 'tin' }] } }],
      });
      await eventually(async () => expect(await assignmentsOf(DATASET)).toEqual({ [TIER]: 'silver' }));
    });

    it('lets the older of two resources that claim one property win, and the other say who', async () => {
      const rival = values('bronze')
        .replace('name: clicks', 'name: rival')
        .replace(/ {2}fields:[\s\S]*$/u, '');
      await write('rival.yaml', rival);
      await eventually(async () =>
        expect(await readyReason('DatasetProperties', 'rival')).toMatch(/False Conflict.*governance\/clicks/u),
      );
      expect(await assignmentsOf(DATASET)).toEqual({ [TIER]: 'silver' });
      await write('renamed.yaml', property('owner'));
      await eventually(async () => expect(await assignmentsOf(DATASET)).toEqual({ [TIER]: 'bronze' }));
      await rm(join(manifests, 'rival.yaml'));
      await eventually(async () => expect(await assignmentsOf(DATASET)).toEqual({}));
    });

    it('is followed when a manifest is deleted and restored', async () => {
      await write('values.yaml', values('gold'));
      await eventually(async () => expect(await assignmentsOf(DATASET)).toEqual({ [TIER]: 'gold' }));
      await rm(join(manifests, 'z-property.yaml'));
      await eventually(async () => expect((await api.get(entityPath('v3', TIER))).status).toBe(404));
      expect(await assignmentsOf(DATASET)).toEqual({});
      await write('z-property.yaml', property('tier'));
      await eventually(async () => expect(await assignmentsOf(DATASET)).toEqual({ [TIER]: 'gold' }));
    });

    it('is followed when it changed while Proplane was stopped', async () => {
      expect(await proplane.stop()).toBe(0);
      await write('values.yaml', values('platinum'));
      await rm(join(manifests, 'renamed.yaml'));
      await start();
      await eventually(async () => expect(await assignmentsOf(DATASET)).toEqual({ [TIER]: 'platinum' }));
      await eventually(async () => expect((await api.get(entityPath('v3', OWNER))).status).toBe(404));
      await proplane.kill();
      await rm(join(manifests, 'values.yaml'));
      await start();
      await eventually(async () => expect(await assignmentsOf(DATASET)).toEqual({}));
    });

    it('deletes nothing when the folder is away', async () => {
      await write('values.yaml', values('gold'));
      await eventually(async () => expect(await assignmentsOf(DATASET)).toEqual({ [TIER]: 'gold' }));
      await rename(manifests, `${manifests}-away`);
      await sleep(4_000);
      expect(await assignmentsOf(DATASET)).toEqual({ [TIER]: 'gold' });
      await proplane.kill();
      await start();
      await sleep(3_000);
      expect(await assignmentsOf(DATASET)).toEqual({ [TIER]: 'gold' });
      await rename(`${manifests}-away`, manifests);
      await write('values.yaml', values('silver'));
      await eventually(async () => expect(await assignmentsOf(DATASET)).toEqual({ [TIER]: 'silver' }));
    });
  });

  describe('a folder that loses most of its manifests at once', () => {
    const names = Array.from({ length: 24 }, (_, index) => `many-${index}`);
    const count = async () =>
      (await api.get('/openapi/v3/entity/structuredProperty?query=id:*many*&count=0')).body.totalCount;

    it('deletes nothing until somebody confirms', async () => {
      for (const name of names) await write(`${name}.yaml`, property(name));
      await eventually(async () => expect(await count()).toBe(names.length));
      for (const name of names) await rm(join(manifests, `${name}.yaml`));
      await eventually(async () => {
        const { body } = await api.get('/resources/held-deletions');
        expect(body.held[0]?.resources).toHaveLength(names.length);
      });
      await sleep(2_000);
      expect(await count()).toBe(names.length);
      expect((await api.post('/resources/confirm-deletions', { source: 'directory', all: true })).status).toBe(200);
      await eventually(async () => expect(await count()).toBe(0));
      await eventually(async () => expect((await api.get('/resources/held-deletions')).body.held).toEqual([]));
    });
  });
});
