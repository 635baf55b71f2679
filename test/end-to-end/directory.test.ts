import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { entityPath, eventually } from '../harness/api.ts';
import { onEachDeployment } from '../harness/deployments.ts';
import { DATASET, FIELD, FolderProcess, OWNER, property, TIER, values } from '../harness/folder-process.ts';

/** Manifests in, catalogue out: what somebody does to a folder of YAML while Proplane runs. */

await onEachDeployment((newDeployment) => {
  let folder: FolderProcess;
  beforeAll(async () => {
    folder = await FolderProcess.create(await newDeployment());
  });
  afterAll(() => folder?.remove());

  describe('a folder of manifests', () => {
    it('becomes a catalogue, whatever the order, values of fields included', async () => {
      await folder.write('a-values.yaml', values('gold'));
      await folder.start();
      await eventually(async () =>
        expect(await folder.readyReason('DatasetProperties', 'clicks')).toContain('ReferenceNotFound'),
      );
      await folder.write('z-property.yaml', property('tier'));
      await eventually(async () => {
        expect(await folder.assignmentsOf(DATASET)).toEqual({ [TIER]: 'gold' });
        expect(await folder.assignmentsOf(FIELD)).toEqual({ [TIER]: 'secret' });
      });
      await eventually(async () => expect(await folder.readyReason('DatasetProperties', 'clicks')).toMatch(/^True/u));
      const query = encodeURIComponent('structuredProperties.com_example_tier:gold');
      await eventually(async () =>
        expect((await folder.api.get(`/openapi/v3/entity/dataset?query=${query}`)).body.totalCount).toBe(1),
      );
    });

    it('is followed when a manifest is edited, renamed, split and joined', async () => {
      await folder.write('a-values.yaml', values('silver'));
      await eventually(async () => expect(await folder.assignmentsOf(DATASET)).toEqual({ [TIER]: 'silver' }));
      await folder.rename('a-values.yaml', 'renamed.yaml');
      await folder.write('renamed.yaml', `${values('silver')}---\n${property('owner')}`);
      await eventually(async () => expect((await folder.api.get(entityPath('v3', OWNER))).status).toBe(200));
      // Both were read at once.
      expect(await folder.assignmentsOf(DATASET)).toEqual({ [TIER]: 'silver' });
    });

    it('reports a broken file with its line, keeps what it held, and carries on with the rest', async () => {
      await folder.write('renamed.yaml', 'kind: [broken\n  yaml: : :\n');
      await folder.write('z-property.yaml', property('tier', '  description: how much it matters\n'));
      await eventually(async () => {
        const definition = await folder.api.get(entityPath('v2', TIER, 'propertyDefinition'));
        expect(definition.body.value.description).toBe('how much it matters');
      });
      await eventually(async () => expect(folder.proplane.output).toMatch(/renamed\.yaml:\d+/u));
      expect(await folder.assignmentsOf(DATASET)).toEqual({ [TIER]: 'silver' });
      await folder.write('renamed.yaml', `${values('silver')}---\n${property('owner')}`);
    });

    it('tells what is wrong with a manifest: every rule, with file and line, and writes nothing', async () => {
      await folder.write('wrong.yaml', property('wrong', '  cardinality: SOME\n  colour: red\n  version: "1"\n'));
      await eventually(async () => {
        const { body } = await folder.api.get('/resources/StructuredProperty/governance/wrong');
        const text = JSON.stringify(body);
        for (const part of ['wrong.yaml:1', 'cardinality', 'colour', 'version', 'Stalled'])
          expect(text).toContain(part);
      });
      expect((await folder.api.get(entityPath('v3', 'urn:li:structuredProperty:com.example.wrong'))).status).toBe(404);
      await folder.delete('wrong.yaml');
      await eventually(async () =>
        expect((await folder.api.get('/resources/StructuredProperty/governance/wrong')).status).toBe(404),
      );
    });

    it('repairs what somebody changed by hand, at the next resync', async () => {
      await folder.api.patch(entityPath('v3', DATASET, 'structuredProperties'), {
        patch: [{ op: 'add', path: `/properties/${TIER}`, value: { propertyUrn: TIER, values: [{ string: 'tin' }] } }],
      });
      await eventually(async () => expect(await folder.assignmentsOf(DATASET)).toEqual({ [TIER]: 'silver' }));
      // All this while: whatever became of its file, the resource was never taken for deleted.
      expect(folder.proplane.output).not.toMatch(/^Deleted DatasetProperties governance\/clicks/mu);
    });

    it('lets the older of two resources that claim one property win, and the other say who', async () => {
      const rival = values('bronze')
        .replace('name: clicks', 'name: rival')
        .replace(/ {2}fields:[\s\S]*$/u, '');
      await folder.write('rival.yaml', rival);
      await eventually(async () =>
        expect(await folder.readyReason('DatasetProperties', 'rival')).toMatch(/False Conflict.*governance\/clicks/u),
      );
      expect(await folder.assignmentsOf(DATASET)).toEqual({ [TIER]: 'silver' });
      await folder.write('renamed.yaml', property('owner'));
      await eventually(async () => expect(await folder.assignmentsOf(DATASET)).toEqual({ [TIER]: 'bronze' }));
      await folder.delete('rival.yaml');
      await eventually(async () => expect(await folder.assignmentsOf(DATASET)).toEqual({}));
    });
  });

  describe('a folder that loses most of its manifests at once', () => {
    const names = Array.from({ length: 24 }, (_, index) => `many-${index}`);
    const count = async () =>
      (await folder.api.get('/openapi/v3/entity/structuredProperty?query=id:*many*&count=0')).body.totalCount;

    it('deletes nothing until somebody confirms', async () => {
      for (const name of names) await folder.write(`${name}.yaml`, property(name));
      await eventually(async () => expect(await count()).toBe(names.length));
      for (const name of names) await folder.delete(`${name}.yaml`);
      await eventually(async () => {
        const { body } = await folder.api.get('/resources/held-deletions');
        expect(body.held[0]?.resources).toHaveLength(names.length);
      });
      expect(await count()).toBe(names.length);
      expect((await folder.api.post('/resources/confirm-deletions', { source: 'directory', all: true })).status).toBe(
        200,
      );
      await eventually(async () => expect(await count()).toBe(0));
      await eventually(async () => expect((await folder.api.get('/resources/held-deletions')).body.held).toEqual([]));
    });
  });
});
