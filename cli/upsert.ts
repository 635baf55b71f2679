import type { HttpClient } from '../client/http-client.ts';
import { type EntityToSend, parseDatasetFile } from '../model/cli-file/dataset-file.ts';
import { parsePropertiesFile } from '../model/cli-file/properties-file.ts';
import type { Checked } from '../model/shape.ts';
import { describeViolations } from '../model/violation.ts';
import { readAvroSchema } from './avro-schema.ts';
import { FileError, readYaml } from './read-yaml.ts';

/** One thing that was sent: `error` says why the server refused it. */
export interface Outcome {
  readonly urn: string;
  readonly error?: string;
}

const DATASETS_AT_ONCE = 100;

/** Creates or updates the definitions of a file, one by one. @throws FileError when the file is not right. */
export async function upsertProperties(client: HttpClient, file: string): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { urn, definition } of checked(file, parsePropertiesFile(readYaml(file)))) {
    const path = `/openapi/v3/entity/structuredProperty/${encodeURIComponent(urn)}/propertyDefinition`;
    outcomes.push(await attempt(urn, () => client.send({ method: 'POST', path, body: definition })));
  }
  return outcomes;
}

/** Creates or updates the entities of a dataset file, one by one, each with its fields. */
export async function upsertDatasets(client: HttpClient, file: string): Promise<Outcome[]> {
  const { entities, fields } = readDatasetFile(file);
  const outcomes: Outcome[] = [];
  for (const entity of [...entities, ...fields]) {
    outcomes.push(await attempt(entity.urn, () => sendEntities(client, [entity])));
  }
  return outcomes;
}

/**
 * Loads whole dataset files, many entities a request: what a server is started with.
 * @throws FileError, or the server's refusal; what was sent before stays.
 */
export async function loadCatalogue(client: HttpClient, files: readonly string[]): Promise<number> {
  const loaded = files.map(readDatasetFile);
  const entities = loaded.flatMap((file) => file.entities);
  for (const type of ['dataset', 'dataFlow'] as const)
    await sendMany(
      client,
      entities.filter((entity) => entity.entityType === type),
    );
  await sendMany(
    client,
    loaded.flatMap((file) => file.fields),
  );
  return entities.length;
}

async function sendMany(client: HttpClient, entities: readonly EntityToSend[]): Promise<void> {
  for (let start = 0; start < entities.length; start += DATASETS_AT_ONCE) {
    await sendEntities(client, entities.slice(start, start + DATASETS_AT_ONCE));
  }
}

async function sendEntities(client: HttpClient, entities: readonly EntityToSend[]): Promise<void> {
  const [first] = entities;
  if (first === undefined) return;
  const body = entities.map(({ urn, aspects }) => ({
    urn,
    ...Object.fromEntries(Object.entries(aspects).map(([name, value]) => [name, { value }])),
  }));
  const query = [
    ['async', 'false'],
    ['createIfEntityNotExists', 'true'],
  ] as const;
  await client.send({ method: 'POST', path: `/openapi/v3/entity/${first.entityType}`, query, body });
}

function readDatasetFile(file: string) {
  return checked(
    file,
    parseDatasetFile(readYaml(file), (schema) => readAvroSchema(schema, file)),
  );
}

async function attempt(urn: string, send: () => Promise<unknown>): Promise<Outcome> {
  try {
    await send();
    return { urn };
  } catch (error) {
    return { urn, error: error instanceof Error ? error.message : String(error) };
  }
}

function checked<T>(file: string, result: Checked<T>): T {
  if (!result.ok) throw new FileError(`${file}: ${describeViolations(result.violations)}`);
  return result.value;
}
