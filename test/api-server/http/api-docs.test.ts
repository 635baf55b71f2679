import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestServer } from '../../harness/http.ts';

interface Operation {
  readonly summary?: string;
  readonly tags?: string[];
  readonly parameters?: { readonly name: string; readonly in: string; readonly schema: object }[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema: object }> };
  readonly responses: Record<string, { readonly content?: Record<string, { readonly schema: object }> }>;
}

interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly tags: { readonly name: string }[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, object> };
}

let document: Document;
let operations: { readonly name: string; readonly operation: Operation }[];
beforeAll(async () => {
  const api = await TestServer.open();
  document = (await api.get('/openapi/v3/api-docs')).body;
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  );
  await api.close();
});
let open: TestServer;
beforeAll(async () => {
  open = await TestServer.open();
});
afterAll(() => open.close());

/** Names of the operations for which the check does not hold. */
const failing = (check: (operation: Operation, name: string) => boolean) =>
  operations.filter(({ operation, name }) => !check(operation, name)).map(({ name }) => name);

describe('the served OpenAPI document', () => {
  it('is of the release and of OpenAPI 3.1', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.info.version).toBe('1.2.3');
  });

  it('has the operations of the interface in both versions', () => {
    const names = operations.map(({ name }) => name);
    for (const version of ['v2', 'v3']) {
      const entity = `/openapi/${version}/entity`;
      expect(names).toEqual(
        expect.arrayContaining([
          `GET ${entity}/structuredProperty/{urn}/propertyDefinition`,
          `POST ${entity}/structuredProperty/{urn}/propertyDefinition`,
          `POST ${entity}/structuredProperty/{urn}/status`,
          `POST ${entity}/dataset/{urn}/structuredProperties`,
          `PATCH ${entity}/dataset/{urn}/structuredProperties`,
          `GET ${entity}/{entityType}`,
          `POST ${entity}/{entityType}`,
          `DELETE ${entity}/{entityType}/{urn}`,
        ]),
      );
    }
  });

  it('says of every operation what it does, and in which of the groups it is', () => {
    const groups = new Set(document.tags.map(({ name }) => name));
    expect(failing(({ summary }) => summary !== undefined && summary.length > 3)).toEqual([]);
    expect(failing(({ tags }) => tags?.length === 1 && groups.has(tags[0] ?? ''))).toEqual([]);
    expect(groups.size).toBe(document.tags.length);
  });

  it('has the schema of every answer, except those that have no body', () => {
    const withoutBody = failing(({ responses }) =>
      Object.entries(responses).every(([, { content }]) => content !== undefined),
    );
    expect(withoutBody.filter((name) => !name.startsWith('DELETE '))).toEqual([]);
    expect(failing(({ responses }) => responses['200'] !== undefined || responses['202'] !== undefined)).toEqual([]);
    const isEntity = (name: string) => name.includes('/entity/');
    expect(failing(({ responses }, name) => !isEntity(name) || responses['4XX'] !== undefined)).toEqual([]);
    const schemas = operations.flatMap(({ name, operation }) =>
      Object.values(operation.responses).flatMap(({ content }) =>
        Object.values(content ?? {}).map(({ schema }) => ({ name, schema })),
      ),
    );
    const isSaid = (schema: object) => Object.keys(schema).some((key) => key !== 'description');
    expect(schemas.filter(({ schema }) => !isSaid(schema)).map(({ name }) => name)).toEqual([]);
  });

  it('has the body of every operation that takes one', () => {
    const takes = (name: string) => /^(?:POST|PUT|PATCH) /u.test(name) && !/\/(?:fences|endSession)$/u.test(name);
    expect(failing((operation, name) => takes(name) === (operation.requestBody !== undefined))).toEqual([]);
    const patches = operations.filter(({ name }) => name.startsWith('PATCH /openapi/'));
    for (const { operation } of patches) {
      expect(Object.keys(operation.requestBody?.content ?? {})).toEqual([
        'application/json-patch+json',
        'application/json',
      ]);
    }
  });

  it('names every parameter of every path', () => {
    const inPath = (name: string) => [...name.matchAll(/\{(\w+)\}/gu)].map(([, parameter]) => parameter).sort();
    const named = ({ parameters = [] }: Operation) =>
      parameters
        .filter((parameter) => parameter.in === 'path')
        .map((parameter) => parameter.name)
        .sort();
    expect(failing((operation, name) => inPath(name).join() === named(operation).join())).toEqual([]);
  });

  it('refers only to schemas that it has', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/gu)];
    expect(references.length).toBeGreaterThan(50);
    for (const [, name] of references) expect(Object.keys(document.components.schemas)).toContain(name);
  });

  it('describes the definition, the values and the error as they are', () => {
    expect(document.components.schemas.PropertyDefinition).toMatchObject({
      required: ['qualifiedName', 'valueType', 'entityTypes'],
      properties: { cardinality: { enum: ['SINGLE', 'MULTIPLE'] } },
    });
    expect(document.components.schemas.TypedValue).toMatchObject({
      anyOf: [{ required: ['string'] }, { required: ['double'] }],
    });
    expect(document.components.schemas.Error).toMatchObject({ required: ['error', 'message'] });
  });

  it('says which operations a patch may have, and what URNs and versions look like', () => {
    const { PatchOperationInput, PropertyDefinitionInput } = document.components.schemas;
    expect(PatchOperationInput).toMatchObject({
      properties: { op: { enum: ['add', 'remove', 'replace', 'test'] }, path: { allOf: expect.anything() } },
    });
    expect(PatchOperationInput).not.toHaveProperty('additionalProperties');
    expect(PropertyDefinitionInput).toMatchObject({ properties: { version: { pattern: '^[0-9]{14}$' } } });
    const urns = operations.flatMap(({ operation }) => operation.parameters ?? []).filter(({ name }) => name === 'urn');
    const inPath = urns.filter((parameter) => parameter.in === 'path');
    expect(inPath.length).toBeGreaterThan(10);
    for (const { schema } of inPath) expect(schema).toHaveProperty('pattern');
  });

  it('is served under /gms as well, and a page to browse it', async () => {
    expect((await open.get('/gms/openapi/v3/api-docs')).body).toEqual(document);
    const page = await open.get('/openapi/ui/');
    expect([page.status, page.headers['content-type']]).toEqual([200, expect.stringContaining('text/html')]);
  });
});
