import { datasetUrn, type Figure, requestsPerSecond, type Servers } from './servers.ts';

/** Reading one entity by its URN, against a bare Fastify that answers the same body. */
export async function readEntityBenchmark({ url, baselineUrl }: Servers): Promise<Figure[]> {
  const path = `/openapi/v3/entity/dataset/${encodeURIComponent(datasetUrn(7))}`;
  const value = await requestsPerSecond(`${url}${path}`);
  const baseline = await requestsPerSecond(`${baselineUrl}${path}`);
  return [{ name: 'read an entity', value, baseline, unit: 'requests/s' }];
}
