/**
 * Which tests `make test` runs, and which are left to `make test-all`. The first are the `quick` tier: what a person
 * waits for. The `long` tier is the rest of the matrix, and what plays faults at every step.
 */
export type Tier = 'quick' | 'long';

export type Backends = 'embedded' | 'servers';

/** Files of the long tier, as the ends of their paths. */
const LONG: readonly string[] = [
  // faults of networks and backends, and what several processes do to each other
  'api-server/search/typesense/outage.test.ts',
  'api-server/store/mongodb/outage.test.ts',
  'end-to-end/kubernetes/fault-proxy.test.ts',
  'end-to-end/kubernetes/fault-rounds.test.ts',
  'end-to-end/kubernetes/faults.test.ts',
  'end-to-end/kubernetes/kills.test.ts',
  'end-to-end/kubernetes/leaders.test.ts',
  'end-to-end/kubernetes/shards.test.ts',
  'end-to-end/outage.test.ts',
  'end-to-end/replicas.test.ts',
  'operator/kubernetes/election-on-cluster.test.ts',
  'operator/kubernetes/informer-restarts.test.ts',
  // what a release is made of
  'cli/package.test.ts',
  // the rest of what a cluster can show
  'end-to-end/kubernetes/access-tokens.test.ts',
  'end-to-end/kubernetes/admission-agreement.test.ts',
  'end-to-end/kubernetes/admission-upgrade.test.ts',
  'end-to-end/kubernetes/cascade.test.ts',
  'end-to-end/kubernetes/control-plane.test.ts',
  'end-to-end/kubernetes/deletion-of-several.test.ts',
  'end-to-end/kubernetes/examples.test.ts',
  'end-to-end/kubernetes/kubectl.test.ts',
  'end-to-end/kubernetes/rights.test.ts',
];

/** Files whose tests on SQLite are quick, and those on MongoDB and Typesense long. */
const LONG_ON_SERVERS: readonly string[] = [
  'end-to-end/access-tokens.test.ts',
  'end-to-end/awkward.test.ts',
  'end-to-end/bulk-import.test.ts',
  'end-to-end/cascade.test.ts',
  'end-to-end/concurrency.test.ts',
  'end-to-end/directory-losses.test.ts',
  'end-to-end/directory.test.ts',
  'end-to-end/examples.test.ts',
  'end-to-end/graphql.test.ts',
  'end-to-end/paging.test.ts',
  'end-to-end/reindex.test.ts',
  'end-to-end/system-update.test.ts',
  'end-to-end/transfer.test.ts',
  'hostile/big-pages.test.ts',
  'hostile/bodies.test.ts',
  'hostile/clock.test.ts',
  'hostile/index-writes.test.ts',
  'hostile/lists.test.ts',
  'hostile/one-entity.test.ts',
  'hostile/search-patterns.test.ts',
  'hostile/simple-requests.test.ts',
  'hostile/urns.test.ts',
];

/** Files that do more in the long tier, where they run on both pairs, than in the quick one, as `sizeOf` says. */
const MORE_IN_LONG: readonly string[] = [
  'end-to-end/bulk-import.test.ts',
  'end-to-end/cascade.test.ts',
  'end-to-end/crash.test.ts',
  'end-to-end/life-cycle.test.ts',
  'end-to-end/paging.test.ts',
  'end-to-end/recreate.test.ts',
  'end-to-end/reindex.test.ts',
  'end-to-end/transfer.test.ts',
  'hostile/documents.test.ts',
  'pages/access-looks.test.ts',
  'pages/catalogue-looks.test.ts',
  'plan/agreement.test.ts',
];

/** The tier that runs; `undefined` where files are run by their names. */
export function tierOfRun(): Tier | undefined {
  return process.env.PROPLANE_TEST_TIER as Tier | undefined;
}

/**
 * How many rounds a test does, or how much it fills in. A file that is run by its name does as in the quick tier.
 * @param variable of the environment, in which a soak run asks for more.
 */
export function sizeOf(variable: string, sizes: Readonly<Record<Tier, number>>): number {
  return Number(process.env[variable] ?? sizes[tierOfRun() ?? 'quick']);
}

/** The files of a tier, of all test files. */
export function filesOf(tier: Tier, files: readonly string[]): string[] {
  return files.filter((file) => tierOf(file) === tier || isInBoth(file));
}

/** The tier in which a file runs first: for one that is in both, the quick one. */
export function tierOf(file: string): Tier {
  return isAmong(LONG, file) ? 'long' : 'quick';
}

/** On which pairs of backends a file runs its tests in a tier. */
export function pairsOf(tier: Tier, file: string): readonly Backends[] {
  if (!isAmong(LONG_ON_SERVERS, file) || (tier === 'long' && doesMoreInLong(file))) return ['embedded', 'servers'];
  return tier === 'quick' ? ['embedded'] : ['servers'];
}

/** Entries that name no file: one that was renamed would change its tier unnoticed. */
export function unknownEntries(files: readonly string[]): string[] {
  return [...LONG, ...LONG_ON_SERVERS, ...MORE_IN_LONG].filter(
    (entry) => !files.some((file) => isAmong([entry], file)),
  );
}

/** Whether a file does more in the long tier. */
export const doesMoreInLong = (file: string): boolean => isAmong(MORE_IN_LONG, file);

function isInBoth(file: string): boolean {
  return isAmong(LONG_ON_SERVERS, file) || doesMoreInLong(file);
}

function isAmong(entries: readonly string[], file: string): boolean {
  return entries.some((entry) => file.endsWith(`test/${entry}`));
}
