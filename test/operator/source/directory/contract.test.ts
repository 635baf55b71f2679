import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { createHttpClient } from '../../../../client/http-client.ts';
import { createHttpHeldDeletions } from '../../../../operator/catalogue/held-deletions.ts';
import { createHttpResourceRecords } from '../../../../operator/catalogue/resource-records.ts';
import { DirectorySource } from '../../../../operator/source/directory/directory-source.ts';
import { describeResourceSource } from '../../../contract/resource-source.ts';
import { FakeServer } from '../../../harness/fake-server.ts';
import { temporaryFolder } from '../../../harness/temporary-folder.ts';
import { TestClock } from '../../../harness/test-clock.ts';

describeResourceSource('a folder', async () => {
  const folder = await temporaryFolder();
  const server = await new FakeServer().listen();
  const http = createHttpClient({ host: server.url });
  const clock = new TestClock(20);
  const root = join(folder.path, 'resources');
  await mkdir(root);
  return {
    open: () =>
      new DirectorySource({
        name: 'directory',
        manifests: ['resources/*.yaml'],
        workingFolder: folder.path,
        clock,
        former: { whyAsk: async () => undefined, settled: async () => undefined },
        records: createHttpResourceRecords(http, 'directory'),
        heldDeletions: createHttpHeldDeletions(http, 'directory'),
      }),
    async apply(manifest) {
      const { kind, metadata } = manifest as { kind: string; metadata: { name: string } };
      await writeFile(join(root, `${kind}-${metadata.name}.yaml`), stringify(manifest));
    },
    remove: ({ kind, name }) => rm(join(root, `${kind}-${name}.yaml`)),
    async storedStatus({ kind, namespace, name }) {
      return server.records.stored.get(`${kind}/${namespace}/${name}`)?.status as never;
    },
    async close() {
      clock.stop();
      http.close();
      await server.close();
      await folder.remove();
    },
  };
});
