import { graphqlBenchmark } from './graphql.ts';
import { readEntityBenchmark } from './read-entity.ts';
import { searchBenchmark } from './search.ts';
import { withServers } from './servers.ts';
import { writeValuesBenchmark } from './write-values.ts';

/** Each figure is a ratio to a baseline measured in the same run, on the same machine, by the same client. */
await withServers(async (servers) => {
  for (const benchmark of [readEntityBenchmark, searchBenchmark, graphqlBenchmark, writeValuesBenchmark]) {
    for (const { name, value, baseline, unit } of await benchmark(servers)) {
      const ratio = (value / baseline).toFixed(2);
      console.log(`${name}: ${ratio} of the baseline (${Math.round(value)} against ${Math.round(baseline)} ${unit})`);
    }
  }
});
