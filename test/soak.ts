import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * Tests that are too long or too large for `make test`, whose figures are in docs/performance.md: each entry is a run of
 * test/run.ts. What runs on servers uses the quick MongoDB-wire server, which is built once.
 */
const RUNS: readonly { readonly sizes: Readonly<Record<string, string>>; readonly tests: readonly string[] }[] = [
  {
    sizes: { PROPLANE_AGREEMENT_RUNS: '10000', PROPLANE_PLAN_RUNS: '200' },
    tests: [
      'test/api-server/search/agreement.test.ts',
      'test/api-server/catalog/languages.test.ts',
      'test/plan/agreement.test.ts',
    ],
  },
  {
    sizes: { PROPLANE_ADMISSION_RUNS: '2000' },
    tests: ['test/end-to-end/kubernetes/admission-agreement.test.ts'],
  },
  {
    sizes: { PROPLANE_KUBE_FAULT_ROUNDS: '240' },
    tests: ['test/end-to-end/kubernetes/fault-rounds.test.ts'],
  },
  {
    sizes: {
      PROPLANE_TEST_BACKENDS: 'embedded',
      PROPLANE_LIFE_CYCLE_RUNS: '300',
      PROPLANE_RECREATE_ROUNDS: '2000',
      PROPLANE_RECREATE_KILLS: '4',
      PROPLANE_CASCADE_HOLDERS: '100000',
      PROPLANE_KUBE_HOLDERS: '100000',
      PROPLANE_REINDEX_ENTITIES: '100000',
      PROPLANE_BULK_DATASETS: '200000',
      PROPLANE_PAGING_ENTITIES: '50000',
    },
    tests: ['life-cycle', 'recreate', 'cascade', 'kubernetes/cascade', 'reindex', 'bulk-import', 'paging'].map(
      endToEnd,
    ),
  },
  {
    sizes: {
      PROPLANE_TEST_BACKENDS: 'servers',
      PROPLANE_TEST_MONGODB: 'rust',
      PROPLANE_LIFE_CYCLE_RUNS: '100',
      PROPLANE_RECREATE_ROUNDS: '500',
      PROPLANE_RECREATE_KILLS: '4',
      PROPLANE_CASCADE_HOLDERS: '10000',
      PROPLANE_KUBE_HOLDERS: '10000',
      PROPLANE_REINDEX_ENTITIES: '10000',
      PROPLANE_BULK_DATASETS: '200000',
      PROPLANE_REPLICA_SECONDS: '300',
      PROPLANE_PAGING_ENTITIES: '10000',
    },
    tests: [
      'life-cycle',
      'recreate',
      'cascade',
      'kubernetes/cascade',
      'reindex',
      'bulk-import',
      'paging',
      'replicas',
    ].map(endToEnd),
  },
];

for (const { sizes, tests } of RUNS) {
  console.log(
    Object.entries(sizes)
      .map(([name, value]) => `${name}=${value}`)
      .join(' '),
  );
  const env = { ...process.env, ...sizes };
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, 'run.ts'), ...tests], {
    stdio: 'inherit',
    env,
  });
  if (status !== 0) process.exitCode = 1;
}

function endToEnd(name: string): string {
  return `test/end-to-end/${name}.test.ts`;
}
