import { writeAspect } from '../client/entities.ts';
import type { HttpClient } from '../client/http-client.ts';
import { ConflictError, MissingError, RejectedError } from '../client/http-errors.ts';
import { type EntityToSend, parseDatasetFile } from '../model/cli-file/dataset-file.ts';
import { parsePropertiesFile } from '../model/cli-file/properties-file.ts';
import type { ErrorViolation } from '../model/wire/error-body.ts';
import { checkedFile, readEntries } from '../process/read-yaml.ts';
import { readAvroSchema, type SchemaFiles } from './avro-schema.ts';
import { entityPatches } from './entity-patches.ts';

/** One thing that was sent: `error` says why the server refused it, `violations` which rules it breaks. */
export interface Outcome {
  readonly urn: string;
  readonly error?: string;
  readonly violations?: readonly ErrorViolation[];
}

const DATASETS_AT_ONCE = 100;

/**
 * Creates or updates the definitions of a file, one by one.
 * @throws FileError before anything is sent, when the file is not right; AnyHttpError when the server can take none.
 */
export async function* upsertProperties(client: HttpClient, file: string): AsyncGenerator<Outcome> {
  const yaml = readEntries(file);
  for (const { urn, definition } of checkedFile(yaml, parsePropertiesFile(yaml.value))) {
    yield attempt(urn, () => writeAspect(client, urn, 'propertyDefinition', definition));
  }
}

/** Creates or updates the entities of a dataset file, one by one, each with its fields. Throws as `upsertProperties`. */
export async function* upsertDatasets(client: HttpClient, file: string, schemas: SchemaFiles): AsyncGenerator<Outcome> {
  const { entities, fields } = readDatasetFile(file, schemas);
  for (const entity of [...entities, ...fields]) {
    yield attempt(entity.urn, () => sendEntities(client, [entity]));
  }
}

/**
 * Loads whole dataset files, many entities a request: what a server is started with.
 * @throws FileError, or the server's refusal; what was sent before stays.
 */
export async function loadCatalogue(client: HttpClient, files: readonly string[]): Promise<number> {
  const loaded = files.map((file) => readDatasetFile(file, { anywhere: false }));
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
  const body = await entityPatches(client, entities);
  const query = [
    ['async', 'false'],
    ['createIfEntityNotExists', 'true'],
  ] as const;
  await client.send({ method: 'PATCH', path: `/openapi/v3/entity/${first.entityType}`, query, body });
}

function readDatasetFile(file: string, schemas: SchemaFiles) {
  const yaml = readEntries(file);
  return checkedFile(
    yaml,
    parseDatasetFile(yaml.value, (schema) => readAvroSchema(schema, file, schemas)),
  );
}

/** What is wrong with one thing does not keep the others from being sent; a server that is away does. */
async function attempt(urn: string, send: () => Promise<unknown>): Promise<Outcome> {
  try {
    await send();
    return { urn };
  } catch (error) {
    const isOfThis = [RejectedError, MissingError, ConflictError].some((kind) => error instanceof kind);
    if (!isOfThis) throw error;
    const { message } = error as Error;
    return error instanceof RejectedError
      ? { urn, error: message, violations: error.violations }
      : { urn, error: message };
  }
}
