import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { fastify } from 'fastify';
import { pino } from 'pino';
import { apiServerEnvironment } from '../api-server/config.ts';
import { startApiServer } from '../api-server/server.ts';
import { closeServer } from '../process/listening.ts';
import { readEnvironment } from '../process/read-environment.ts';

/** Entities that the benchmarks read and search. */
export const DATASETS = 10_000;
export const PROPERTY = 'urn:li:structuredProperty:com.example.bench.days';

const SECONDS = 5;
const CONNECTIONS = 16;
const LOADED_AT_ONCE = 500;

export interface Servers {
  /** The API server with {@link DATASETS} datasets that hold {@link PROPERTY}. */
  readonly url: string;
  /** A bare Fastify that answers every request with a fixed body of an entity's size. */
  readonly baselineUrl: string;
  /** Datasets stored a second while loading, each with one assignment, and raw inserts a second as the baseline. */
  readonly loadedPerSecond: number;
}

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly baseline: number;
  readonly unit: string;
}

export function datasetUrn(index: number): string {
  return `urn:li:dataset:(urn:li:dataPlatform:hive,bench.table_${index},PROD)`;
}

/** Starts both servers over a temporary folder, loads the data, and cleans up afterwards. */
export async function withServers(run: (servers: Servers) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'proplane-bench-'));
  const config = readEnvironment(apiServerEnvironment, { DATA_DIR: folder, API_PORT: '0' });
  const api = await startApiServer(config, pino({ level: 'silent' }));
  const baseline = fastify();
  const body = { urn: datasetUrn(0), structuredProperties: { value: { properties: [assignment(0)] } } };
  baseline.all('/*', async () => body);
  await baseline.listen({ host: '127.0.0.1', port: 0 });
  try {
    const loadedPerSecond = await load(api.url);
    await run({ url: api.url, baselineUrl: baseline.listeningOrigin, loadedPerSecond });
  } finally {
    await closeServer(baseline);
    await api.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Requests a second that a server answers with 2xx. @throws Error when it answers anything else. */
export async function requestsPerSecond(url: string, request: Partial<autocannon.Options> = {}): Promise<number> {
  const result = await autocannon({ url, connections: CONNECTIONS, duration: SECONDS, ...request });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`);
  return result.requests.average;
}

function assignment(index: number): object {
  return { propertyUrn: PROPERTY, values: [{ double: index % 1000 }] };
}

async function load(url: string): Promise<number> {
  const path = `${url}/openapi/v3/entity`;
  const definition = { qualifiedName: 'com.example.bench.days', valueType: 'number', entityTypes: ['dataset'] };
  await post(`${path}/structuredProperty/${encodeURIComponent(PROPERTY)}/propertyDefinition`, definition);
  const started = performance.now();
  for (let start = 0; start < DATASETS; start += LOADED_AT_ONCE) {
    const items = Array.from({ length: LOADED_AT_ONCE }, (_, offset) => ({
      urn: datasetUrn(start + offset),
      status: { value: { removed: false } },
      structuredProperties: { value: { properties: [assignment(start + offset)] } },
    }));
    await post(`${path}/dataset?async=false`, items);
  }
  await untilIndexed(url);
  return (DATASETS * 1000) / (performance.now() - started);
}

async function untilIndexed(url: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${url}/openapi/v3/entity/dataset?count=0`);
    if (((await response.json()) as { totalCount: number }).totalCount >= DATASETS) return;
  }
}

async function post(url: string, body: unknown): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
}
