/**
 * Which test proves each row of the tables of the interface document, and each point of its numbered lists. The page
 * docs/reference/interface-coverage.md is written from it; `make check` fails when a test is not in its file, and a full
 * `make test` when one of them did not pass.
 */

export interface Section {
  /** Heading of the interface document. */
  readonly title: string;
  /** First cell, or cells, of each row as the document has them. */
  readonly rows: Readonly<Record<string, Proof>>;
}

/** A test, or what has to be built before there can be one. */
export type Proof =
  | {
      readonly file: string;
      readonly test: string;
      /** What a machine may lack: the test is skipped there, with the reason. */
      readonly needs?: string;
    }
  | { readonly pending: string };

const inFile =
  (name: string) =>
  (test: string): Proof => ({ file: `test/interface/${name}.test.ts`, test });
const definitions = inFile('definitions');
const values = inFile('values');
const states = inFile('states');
const search = inFile('search');
const graphql = inFile('graphql');
const addresses = inFile('addresses');
const commandLine = inFile('command-line');
const access = inFile('access');

export const COVERAGE: readonly Section[] = [
  {
    title: '`propertyDefinition` fields (HTTP)',
    rows: {
      qualifiedName: definitions('qualifiedName is the identifier of the URN'),
      valueType: definitions('valueType is the URN of a data type'),
      description: definitions('description is free text'),
      displayName: definitions('displayName is a name for people'),
      cardinality: definitions('cardinality is SINGLE or MULTIPLE and holds for values'),
      entityTypes: definitions('entityTypes are the kinds of entity that may have values'),
      allowedValues: definitions('allowedValues are typed values with a description, and nothing else is taken'),
      version: definitions('version is yyyyMMddhhmmss'),
    },
  },
  {
    title: 'Command-line definition file fields',
    rows: {
      id: commandLine('id is the qualified name'),
      urn: commandLine('urn stands for id, with qualified_name beside it'),
      qualified_name: commandLine('qualified_name is needed beside urn'),
      type: commandLine('type is the short name of a data type'),
      cardinality: commandLine('cardinality is SINGLE or MULTIPLE'),
      version: commandLine('version is 14 digits'),
      display_name: commandLine('display_name is a name for people'),
      entity_types: commandLine('entity_types are short names or URNs'),
      description: commandLine('description is free text'),
      allowed_values: commandLine('allowed_values are numbers or strings with a description'),
    },
  },
  {
    title: '`structuredProperties` on a dataset',
    rows: {
      properties: values('properties are a list of one element for each property, in its order'),
      'properties[].propertyUrn': values('propertyUrn is the key: one element for each property'),
      'properties[].values': values('values are doubles of a number and strings of a text'),
    },
  },
  {
    title: 'States and transitions',
    rows: {
      'Active (`status.removed` is false)': states(
        'active becomes soft deleted by its status, and no stored data is removed',
      ),
      'Soft deleted': states('soft deleted becomes active by its status or by deleting the status aspect'),
      'Active or soft deleted': states('active or soft deleted becomes hard deleted by DELETE of the entity'),
    },
  },
  {
    title: 'Soft-deleted effects',
    rows: {
      '1. Entities do not return its values': states('is not returned with its values'),
      '2. Updates to its definition are denied': states('denies updates of its definition'),
      '3. Adding its value is denied': states('denies values'),
      '4. Search filters that use it are denied': states('denies search filters'),
    },
  },
  {
    title: 'Hard-deleted effects',
    rows: {
      '1. The property entity is removed': states('is gone with its values at once, and its name can be used again'),
      '2. Values on other entities are removed asynchronously': states(
        'leaves values that a job removes, and a field that the system update removes',
      ),
      '3. Rollback is impossible': states('is gone with its values at once, and its name can be used again'),
      '4. Mappings keep references until a reindex': states(
        'leaves values that a job removes, and a field that the system update removes',
      ),
    },
  },
  {
    title: 'Structured property definition',
    rows: {
      'POST `{base_url}/openapi/{v}/entity/structuredProperty/<property_urn>/propertyDefinition`': definitions(
        'POST answers with the wrapper of its version',
      ),
      'GET `{base_url}/openapi/{v}/entity/structuredProperty/<property_urn>/propertyDefinition`': definitions(
        'GET answers with the wrapper of its version',
      ),
    },
  },
  {
    title: 'Properties on a dataset',
    rows: {
      'POST `{base_url}/openapi/{v}/entity/dataset/<dataset_urn>/structuredProperties`': values(
        'POST sets and replaces all properties',
      ),
      'PATCH `{base_url}/openapi/{v}/entity/dataset/<dataset_urn>/structuredProperties`': values(
        'PATCH adds and removes one property; a property that is added again is listed last',
      ),
    },
  },
  {
    title: 'Soft delete and hard delete',
    rows: {
      'POST `{base_url}/openapi/{v}/entity/structuredProperty/<property_urn>/status?systemMetadata=<boolean>`': states(
        'POST of the status answers with it',
      ),
      'DELETE `{base_url}/openapi/v3/entity/structuredProperty/<property_urn>`': states(
        'DELETE answers 200 without a body',
      ),
    },
  },
  {
    title: 'Entity search and listing (v3)',
    rows: {
      systemMetadata: search('systemMetadata says whether system metadata is returned'),
      aspects: search('aspects names the aspects to return, repeatedly'),
      count: search('count is the number of entities, the next ones follow by scrollId'),
      sort: search('sort is urn'),
      sortOrder: search('sortOrder is ASCENDING or DESCENDING'),
      query: search('query is in query-string syntax and points at the place of a mistake'),
    },
  },
  {
    title: 'Search field names and query forms',
    rows: {
      '1. Unversioned property': search('an unversioned property has its name with underscores'),
      '2. Versioned property': search('a versioned property has its version and type in its name'),
      'range `<field>:><number>`': search('a range'),
      'existence `_exists_:<field>`': search('existence'),
      'equality `<field>`': search('equality'),
      'full-text search over property values is excluded': search('no full-text search looks into property values'),
    },
  },
  {
    title: 'GraphQL',
    rows: {
      '`scrollAcrossEntities` types, count, query': graphql(
        'scrollAcrossEntities finds entities of the types, a page of count',
      ),
      '`GREATER_THAN`': graphql('the condition GREATER_THAN'),
      '`EXISTS`': graphql('the condition EXISTS, without values'),
      '`EQUAL`': graphql('the condition EQUAL'),
      '`aggregateAcrossEntities`': graphql('aggregateAcrossEntities counts the values of each facet'),
      '`searchFlags.maxAggValues`': graphql('maxAggValues bounds the values of a facet'),
      '`extensions` beside `data`': graphql('an answer has data and extensions'),
    },
  },
  {
    title: 'Metadata service entity read',
    rows: {
      'GET `{base_url}/entities/<entity_urn>`': addresses('GET /entities of the metadata service'),
      'GET `{frontend_url}/api/gms/entities/<entity_urn>` (proxy; preferred in production)': addresses(
        'GET /api/gms/entities through the proxy',
      ),
    },
  },
  {
    title: 'Command-line tool',
    rows: {
      '`<cli> init`': commandLine('init keeps the server and the token for the commands that follow'),
      '`<cli> properties upsert -f <properties_yaml>`': commandLine(
        'properties upsert creates and updates definitions',
      ),
      '`<cli> properties get --urn <property_urn>`': commandLine('properties get prints the definition as JSON'),
      '`<cli> dataset upsert -f <dataset_yaml>`': commandLine(
        'dataset upsert sets the properties of datasets and fields',
      ),
      '`<cli> dataset get --urn <dataset_urn>`': commandLine('dataset get prints the dataset with its properties'),
      '`<cli> delete --urn <urn>`': commandLine('delete soft-deletes'),
      '`<cli> delete --urn <urn> --hard`': commandLine('delete --hard hard-deletes'),
    },
  },
  {
    title: 'Errors',
    rows: {
      'Setting properties on a dataset or property that does not exist': values(
        'a dataset or a property that does not exist is refused, and nothing is written',
      ),
      'Definition update, adding a value, or search filter involving a soft-deleted property':
        states('denies search filters'),
      'Backward-incompatible definition change (e.g. cardinality `MULTIPLE` to `SINGLE`) without a new `version`':
        definitions('a backward-incompatible one without a new version is rejected, naming each break'),
      'Request without a valid token while metadata authentication is enabled': access(
        'answers 401 where a request carries no valid token',
      ),
      'Token owner lacks permission for the action': access(
        'answers 401 where the owner of the token lacks the permission, and takes what he may do',
      ),
    },
  },
  {
    title: 'Authentication',
    rows: {
      '1. Token authentication applies only when it is enabled': access(
        'applies only when it is enabled in the metadata service',
      ),
      '2. A bearer token to the frontend proxy or the metadata service': access(
        'takes a bearer token at the frontend proxy and at the metadata service',
      ),
      '3. No valid token: 401': access('answers 401 where a request carries no valid token'),
      '4. A token represents its owner': access(
        'answers 401 where the owner of the token lacks the permission, and takes what he may do',
      ),
      '5. Generating tokens requires the privilege': access('lets those make tokens to whom a policy grants it'),
      '6. Settings > Access Tokens in the user interface': {
        file: 'test/pages/tokens.test.ts',
        test: 'makes a token, shows it once and lets it be copied',
        needs: 'a browser',
      },
      '7. A token for another user': access('lets only those make tokens for others who may manage all'),
      '8. Ingestion runs are also protected': { pending: "the reference catalogue's own client" },
      '9. The command-line tool takes the token at init': access(
        'takes the token that the command line was given at init',
      ),
    },
  },
  {
    title: 'Limits',
    rows: {
      '1. `version` must match `yyyyMMddhhmmss`': definitions('version is yyyyMMddhhmmss'),
      '2. `searchFlags.maxAggValues`': graphql('maxAggValues bounds the values of a facet'),
      '3. The mapping is cleaned up only when no value remains': states(
        'leaves values that a job removes, and a field that the system update removes',
      ),
    },
  },
];
