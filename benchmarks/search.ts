import { type Figure, requestsPerSecond, type Servers } from './servers.ts';

/** A page of ten by one property filter over all datasets, against the same listing without a filter. */
export async function searchBenchmark({ url }: Servers): Promise<Figure[]> {
  const path = `${url}/openapi/v3/entity/dataset?count=10&aspects=structuredProperties`;
  const query = encodeURIComponent('structuredProperties.com_example_bench_days:>=990');
  const value = await requestsPerSecond(`${path}&query=${query}`);
  const baseline = await requestsPerSecond(path);
  return [{ name: 'search by a property value', value, baseline, unit: 'requests/s' }];
}
