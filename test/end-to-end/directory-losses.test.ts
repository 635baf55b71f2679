import { rename } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { entityPath, eventually } from '../harness/api.ts';
import { onEachDeployment } from '../harness/deployments.ts';
import { DATASET, FolderProcess, OWNER, property, TIER, values } from '../harness/folder-process.ts';

/**
 * What becomes of the catalogue when manifests go, while Proplane runs and while it does not. That what is held stays
 * held, however long it takes, is shown by the tests of the operator.
 */

await onEachDeployment((newDeployment) => {
  let folder: FolderProcess;
  beforeAll(async () => {
    folder = await FolderProcess.create(await newDeployment());
  });
  afterAll(() => folder?.remove());

  describe('a folder of manifests', () => {
    it('is followed when a manifest is deleted and restored', async () => {
      await folder.write('z-property.yaml', property('tier'));
      await folder.write('owner.yaml', property('owner'));
      await folder.write('values.yaml', values('gold'));
      await folder.start();
      await eventually(async () => expect(await folder.assignmentsOf(DATASET)).toEqual({ [TIER]: 'gold' }));
      await folder.delete('z-property.yaml');
      await eventually(async () => expect((await folder.api.get(entityPath('v3', TIER))).status).toBe(404));
      expect(await folder.assignmentsOf(DATASET)).toEqual({});
      await folder.write('z-property.yaml', property('tier'));
      await eventually(async () => expect(await folder.assignmentsOf(DATASET)).toEqual({ [TIER]: 'gold' }));
    });

    it('is followed when it changed while Proplane was stopped', async () => {
      expect(await folder.proplane.stop()).toBe(0);
      await folder.write('values.yaml', values('platinum'));
      await folder.delete('owner.yaml');
      await folder.start();
      await eventually(async () => expect(await folder.assignmentsOf(DATASET)).toEqual({ [TIER]: 'platinum' }));
      await eventually(async () => expect((await folder.api.get(entityPath('v3', OWNER))).status).toBe(404));
      await folder.proplane.kill();
      await folder.delete('values.yaml');
      await folder.start();
      await eventually(async () => expect(await folder.assignmentsOf(DATASET)).toEqual({}));
    });

    it('deletes nothing when the folder is away', async () => {
      const away = `${folder.folder}-away`;
      const toldWhatWaits = () =>
        eventually(async () =>
          expect(folder.proplane.output).toMatch(/nothing is deleted whose manifest is missing: .*governance\/clicks/u),
        );
      await folder.write('values.yaml', values('gold'));
      await eventually(async () => expect(await folder.assignmentsOf(DATASET)).toEqual({ [TIER]: 'gold' }));
      await rename(folder.folder, away);
      await toldWhatWaits();
      expect(await folder.assignmentsOf(DATASET)).toEqual({ [TIER]: 'gold' });
      await folder.proplane.kill();
      await folder.start();
      await toldWhatWaits();
      expect(await folder.assignmentsOf(DATASET)).toEqual({ [TIER]: 'gold' });
      await rename(away, folder.folder);
      await folder.write('values.yaml', values('silver'));
      await eventually(async () => expect(await folder.assignmentsOf(DATASET)).toEqual({ [TIER]: 'silver' }));
    });
  });
});
