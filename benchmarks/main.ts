import { accessBenchmark } from './access.ts';
import { atRestBenchmark } from './at-rest.ts';
import { graphqlBenchmark } from './graphql.ts';
import { openJobsBenchmark } from './open-jobs.ts';
import { operatorBenchmark } from './operator.ts';
import { readEntityBenchmark } from './read-entity.ts';
import { searchBenchmark } from './search.ts';
import { type Figure, withServers } from './servers.ts';
import { writeValuesBenchmark } from './write-values.ts';

/** Each figure is a ratio to a baseline measured in the same run, on the same machine, by the same client. */
await withServers(async (servers) => {
  for (const benchmark of [readEntityBenchmark, searchBenchmark, graphqlBenchmark, writeValuesBenchmark])
    print(await benchmark(servers));
});
print(await accessBenchmark());
print(await openJobsBenchmark());
print(await operatorBenchmark());
print(await atRestBenchmark());

function print(figures: readonly Figure[]): void {
  for (const { name, value, baseline, unit } of figures) {
    const ratio = (value / baseline).toFixed(2);
    console.log(`${name}: ${ratio} of the baseline (${rounded(value)} against ${rounded(baseline)} ${unit})`);
  }
}

function rounded(value: number): string {
  return value < 10 ? value.toFixed(1) : value.toFixed(0);
}
