import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Api, entityPath, eventually } from '../harness/api.ts';
import { type Deployment, onEachDeployment } from '../harness/deployments.ts';
import { ProplaneProcess } from '../harness/proplane-process.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const REFERENCE = join(ROOT, '../shared/data/reference-examples');

await onEachDeployment((newDeployment) => {
  let deployment: Deployment;
  let proplane: ProplaneProcess;
  let api: Api;

  beforeAll(async () => {
    deployment = await newDeployment();
    proplane = await ProplaneProcess.start({
      deployment,
      manifests: 'examples/resources/**/*.yaml',
      catalogue: 'examples/catalogue.yaml',
    });
    api = new Api(proplane.url);
  });

  afterAll(async () => {
    await proplane?.kill();
    await deployment?.remove();
  });

  interface Resource {
    readonly kind: string;
    readonly status?: { readonly conditions: readonly { readonly type: string; readonly status: string }[] };
  }

  describe('the examples', () => {
    it('are all reconciled', async () => {
      await eventually(async () => {
        const resources: Resource[] = (await api.get('/resources')).body.resources;
        expect(resources.filter(({ kind }) => kind === 'StructuredProperty').length).toBeGreaterThanOrEqual(12);
        expect(resources.filter(({ kind }) => kind === 'DatasetProperties').length).toBeGreaterThanOrEqual(30);
        const unready = resources.filter(
          ({ status }) => !status?.conditions.some(({ type, status: value }) => type === 'Ready' && value === 'True'),
        );
        expect(unready).toEqual([]);
      }, 120_000);
    });

    it('are searchable by values of datasets and of fields', async () => {
      const total = async (type: string, query: string) =>
        (await api.get(`/openapi/v3/entity/${type}?count=0&query=${encodeURIComponent(query)}`)).body.totalCount;
      await eventually(async () => {
        expect(await total('dataset', '*')).toBeGreaterThanOrEqual(40);
        expect(
          await total('dataset', '_exists_:structuredProperties.com_thistlequay_ownership_steward'),
        ).toBeGreaterThan(5);
        expect(await total('schemaField', '*')).toBeGreaterThan(5);
      });
    });
  });

  async function upsert(kind: 'properties' | 'dataset', file: string): Promise<{ stdout: string; stderr: string }> {
    const options = ['--host', proplane.url, kind, 'upsert', '-f', join(REFERENCE, file)];
    return run(process.execPath, ['--no-warnings', 'cli/main.ts', ...options], { cwd: ROOT }).catch((error) => error);
  }

  const here = existsSync(REFERENCE);
  const onlyWithReference = here ? describe : describe.skip;

  onlyWithReference(
    `files in the reference catalogue's form${here ? '' : ' (its examples are not on this machine)'}`,
    () => {
      it('load definitions', async () => {
        const { stdout, stderr } = await upsert('properties', 'properties.yaml');
        expect(stderr).toBe('');
        expect(stdout.match(/Created structured property/gu)).toHaveLength(8);
        const { body } = await api.get(
          entityPath('v2', 'urn:li:structuredProperty:io.acryl.privacy.retentionTime', 'propertyDefinition'),
        );
        expect(body.value.allowedValues).toHaveLength(3);
      });

      it('load datasets, and refuse the one field whose property is for datasets only', async () => {
        const { stdout, stderr } = await upsert('dataset', 'dataset.yaml');
        expect(stdout.match(/Update succeeded/gu)?.length).toBe(4);
        expect(stderr.trim().split('\n')).toEqual([expect.stringContaining('not for entity type schemaField')]);
        const hive = 'urn:li:dataset:(urn:li:dataPlatform:hive,user.clicks,PROD)';
        const { body } = await api.get(entityPath('v3', hive, 'structuredProperties'));
        expect(body.structuredProperties.value.properties).toContainEqual({
          propertyUrn: 'urn:li:structuredProperty:projectNames',
          values: [{ string: 'Tracking' }, { string: 'DataHub' }],
        });
      });
    },
  );
});
