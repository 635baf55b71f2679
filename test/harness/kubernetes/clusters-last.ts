import { readFileSync } from 'node:fs';
import TestSequencer from '@jest/test-sequencer';
import { builtKubeBinary } from './kube-binary.ts';

/** The class itself; the types are those of its CommonJS module. */
const Sequencer = TestSequencer as unknown as typeof TestSequencer.default;
type Tests = Awaited<ReturnType<TestSequencer.default['sort']>>;

/** What a test file on a cluster imports. */
const ON_CLUSTER = /\/kubernetes\/describe-(?:cluster|deployments)\.ts'/u;

/** Slow files first, as jest knows them, but those on a cluster last while its control plane is not built yet. */
// biome-ignore lint/style/noDefaultExport: jest takes no other
export default class ClustersLast extends Sequencer {
  override async sort(given: Tests): Promise<Tests> {
    const tests = await super.sort(given);
    if ((await builtKubeBinary()) !== undefined) return tests;
    const { yes = [], no = [] } = Object.groupBy(tests, isOnCluster);
    return [...no, ...yes];
  }
}

function isOnCluster({ path }: Tests[number]): 'yes' | 'no' {
  return ON_CLUSTER.test(readFileSync(path, 'utf8')) ? 'yes' : 'no';
}
