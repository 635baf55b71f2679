import { tokenIdOf } from '../../../api-server/auth/token-text.ts';
import type { PrivilegeName } from '../../../model/access/privileges.ts';

/**
 * What each route and each field of GraphQL needs. A route that is not in the table fails the test: whoever adds one says
 * here who may use it.
 */
export interface Rule {
  /** `open`: whoever asks. `signed-in`: whoever shows who he is. Otherwise: one of these is enough, and less is not. */
  readonly needs: 'open' | 'signed-in' | 'system' | readonly PrivilegeName[];
  /** A request that is right but for who asks. */
  readonly url?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:hive,rules.there,PROD)';
/** Who asks, and a text that somebody else's token has. */
export const CALLER = 'urn:li:corpuser:ada';
export const TOKEN = 'of-somebody-else';

export const PROPERTY = 'urn:li:structuredProperty:rules.there';
const FIELD = `urn:li:schemaField:(${DATASET},email)`;
const FLOW = 'urn:li:dataFlow:(airflow,rules,prod)';
const urn = (text: string) => encodeURIComponent(text);

const SEE: PrivilegeName[] = ['VIEW_ENTITY_PAGE', 'GET_ENTITY_PRIVILEGE', 'EDIT_ENTITY', 'DELETE_ENTITY'];
const SEE_PROPERTIES: PrivilegeName[] = [...SEE, 'VIEW_STRUCTURED_PROPERTIES_PAGE', 'MANAGE_STRUCTURED_PROPERTIES'];
const KNOW: PrivilegeName[] = ['EXISTS_ENTITY_PRIVILEGE', 'SEARCH_PRIVILEGE'];
const SEE_RESOURCES: PrivilegeName[] = ['VIEW_RESOURCES', 'MANAGE_RESOURCES'];
const MANAGE_RESOURCES: PrivilegeName[] = ['MANAGE_RESOURCES'];
const DEFINE: PrivilegeName[] = ['MANAGE_STRUCTURED_PROPERTIES', 'EDIT_ENTITY'];
const ASSIGN: PrivilegeName[] = ['EDIT_ENTITY_PROPERTIES', 'EDIT_ENTITY'];
const MANAGE_USERS: PrivilegeName[] = ['MANAGE_USERS_AND_GROUPS'];
const OTHER = 'urn:li:corpuser:bob';
const GROUP = `/access/groups/${urn('urn:li:corpGroup:none')}`;
const FENCE = 'source=rules&shard=0&lease=l&created=1&transitions=1';

const definition = {
  qualifiedName: 'rules.there',
  valueType: 'urn:li:dataType:datahub.string',
  entityTypes: ['urn:li:entityType:datahub.dataset'],
};
const values = { properties: [] };
const nothing = { patch: [], arrayPrimaryKeys: {} };
const status = { removed: false };

type Rules = Readonly<Record<string, Rule>>;

/** The routes of an aspect, as `METHOD /path`. */
function aspect(
  path: string,
  url: string,
  body: object,
  needs: { see: PrivilegeName[]; write: PrivilegeName[]; remove: PrivilegeName[] },
): Rules {
  return {
    [`GET ${path}`]: { needs: needs.see, url },
    [`HEAD ${path}`]: { needs: [...needs.see, ...KNOW], url },
    [`POST ${path}`]: { needs: needs.write, url, body },
    [`PATCH ${path}`]: { needs: needs.write, url, body: nothing },
    [`DELETE ${path}`]: { needs: needs.remove, url },
  };
}

function entities(version: 'v2' | 'v3'): Rules {
  const root = `/openapi/${version}/entity`;
  const define = { see: SEE_PROPERTIES, write: DEFINE, remove: [...DEFINE, 'DELETE_ENTITY' as const] };
  const assign = { see: SEE, write: ASSIGN, remove: [...ASSIGN, 'DELETE_ENTITY' as const] };
  const any = { see: SEE, write: ['EDIT_ENTITY' as const], remove: ['EDIT_ENTITY' as const, 'DELETE_ENTITY' as const] };
  return {
    ...aspect(
      `${root}/structuredProperty/:urn/propertyDefinition`,
      `${root}/structuredProperty/${urn(PROPERTY)}/propertyDefinition`,
      definition,
      define,
    ),
    ...aspect(`${root}/structuredProperty/:urn/status`, `${root}/structuredProperty/${urn(PROPERTY)}/status`, status, {
      ...define,
      write: [...DEFINE, 'DELETE_ENTITY'],
    }),
    ...aspect(
      `${root}/dataset/:urn/structuredProperties`,
      `${root}/dataset/${urn(DATASET)}/structuredProperties`,
      values,
      assign,
    ),
    ...aspect(
      `${root}/dataFlow/:urn/structuredProperties`,
      `${root}/dataFlow/${urn(FLOW)}/structuredProperties`,
      values,
      assign,
    ),
    ...aspect(
      `${root}/schemaField/:urn/structuredProperties`,
      `${root}/schemaField/${urn(FIELD)}/structuredProperties`,
      values,
      assign,
    ),
    ...aspect(
      `${root}/:entityType/:urn/:aspect`,
      `${root}/dataset/${urn(DATASET)}/datasetProperties`,
      { name: 'x' },
      any,
    ),
    [`GET ${root}/:entityType/:urn`]: { needs: SEE, url: `${root}/dataset/${urn(DATASET)}` },
    [`HEAD ${root}/:entityType/:urn`]: { needs: [...SEE, ...KNOW], url: `${root}/dataset/${urn(DATASET)}` },
    [`DELETE ${root}/:entityType/:urn`]: { needs: ['DELETE_ENTITY'], url: `${root}/dataset/${urn(DATASET)}` },
    // What it shows is narrowed: see visible.test.ts.
    [`GET ${root}/:entityType`]: { needs: 'signed-in', url: `${root}/dataset` },
    [`POST ${root}/:entityType`]: {
      needs: ['EDIT_ENTITY'],
      url: `${root}/dataset`,
      body:
        version === 'v2'
          ? [{ urn: DATASET, aspects: { status: { value: status }, subTypes: { value: { typeNames: [] } } } }]
          : [{ urn: DATASET, status: { value: status }, subTypes: { value: { typeNames: [] } } }],
    },
    ...(version === 'v2'
      ? {
          [`POST ${root}/batch/:entityType`]: {
            needs: 'signed-in' as const,
            url: `${root}/batch/dataset`,
            body: { urns: [DATASET], aspectNames: ['status'] },
          },
        }
      : {
          [`PATCH ${root}/:entityType`]: {
            needs: ['EDIT_ENTITY'] as const,
            url: `${root}/dataset`,
            body: [{ urn: DATASET, subTypes: { value: nothing } }],
          },
          [`POST ${root}/:entityType/batchGet`]: {
            needs: 'signed-in' as const,
            url: `${root}/dataset/batchGet`,
            body: [{ urn: DATASET }],
          },
          [`POST ${root}/generic`]: {
            needs: ['EDIT_ENTITY'] as const,
            body: { dataset: [{ urn: DATASET, subTypes: { value: { typeNames: [] } } }] },
          },
          [`PATCH ${root}/generic`]: {
            needs: ['EDIT_ENTITY'] as const,
            body: { dataset: [{ urn: DATASET, subTypes: { value: nothing } }] },
          },
          [`POST ${root}/generic/batchGet`]: { needs: 'signed-in' as const, body: { dataset: [{ urn: DATASET }] } },
          [`GET ${root}/generic/:urn`]: { needs: SEE, url: `${root}/generic/${urn(DATASET)}` },
          [`HEAD ${root}/generic/:urn`]: { needs: [...SEE, ...KNOW], url: `${root}/generic/${urn(DATASET)}` },
          [`DELETE ${root}/generic/:urn`]: {
            needs: ['DELETE_ENTITY'] as const,
            url: `${root}/generic/${urn(DATASET)}`,
          },
          [`POST ${root}/scroll`]: { needs: 'signed-in' as const, body: {} },
        }),
  } as Rules;
}

const resource = '/resources/DatasetProperties/shop/rules';
const place = { host: 'here', manifests: [] };
const lease = { holder: { id: 'h', place, pid: 1, processes: 'here' }, ms: 1000 };

export const ROUTES: Rules = {
  'GET /health': { needs: 'open' },
  'HEAD /health': { needs: 'open' },
  'GET /ready': { needs: 'open' },
  'HEAD /ready': { needs: 'open' },
  'GET /metrics': { needs: 'open' },
  'GET /openapi/v3/api-docs': { needs: 'open' },
  ...entities('v2'),
  ...entities('v3'),
  'GET /entities/:urn': { needs: SEE, url: `/entities/${urn(DATASET)}` },
  'GET /entitiesV2/:urn': { needs: SEE, url: `/entitiesV2/${urn(DATASET)}` },
  'GET /fences': { needs: SEE_RESOURCES },
  'PUT /fences': { needs: MANAGE_RESOURCES, headers: { 'x-proplane-fence': FENCE } },
  'GET /owners': { needs: SEE_RESOURCES },
  'DELETE /owners': { needs: MANAGE_RESOURCES, url: '/owners?source=s&kind=k&namespace=n&name=n' },
  'GET /resources': { needs: SEE_RESOURCES },
  'POST /resources/register': { needs: MANAGE_RESOURCES, body: { source: 's', resources: [] } },
  'GET /resources/held-deletions': { needs: SEE_RESOURCES },
  'PUT /resources/held-deletions': { needs: MANAGE_RESOURCES, body: { source: 's', resources: [] } },
  'POST /resources/confirm-deletions': { needs: MANAGE_RESOURCES, body: { source: 's', all: true } },
  'GET /resources/:kind/:namespace/:name': { needs: SEE_RESOURCES, url: resource },
  'PUT /resources/:kind/:namespace/:name': {
    needs: MANAGE_RESOURCES,
    url: resource,
    body: { source: 's', status: {} },
  },
  'DELETE /resources/:kind/:namespace/:name': { needs: MANAGE_RESOURCES, url: resource },
  'GET /sources': { needs: SEE_RESOURCES },
  'PUT /sources/:source/lease': { needs: MANAGE_RESOURCES, url: '/sources/rules/lease', body: lease },
  'DELETE /sources/:source/lease': { needs: MANAGE_RESOURCES, url: '/sources/rules/lease?holder=h' },
  'PUT /sources/:source/place': { needs: MANAGE_RESOURCES, url: '/sources/rules/place', body: place },
  'GET /jobs': { needs: ['VIEW_JOBS', 'MANAGE_JOBS'] },
  'POST /jobs': { needs: ['MANAGE_JOBS'], body: { kind: 'system-update' } },
  'GET /jobs/:id': { needs: ['VIEW_JOBS', 'MANAGE_JOBS'], url: '/jobs/none' },
  'DELETE /jobs/:id': { needs: ['MANAGE_JOBS'], url: '/jobs/none' },
  'GET /export': { needs: ['EXPORT_CATALOGUE'] },
  'GET /import': { needs: ['IMPORT_CATALOGUE', 'EXPORT_CATALOGUE'] },
  'POST /import': {
    needs: ['IMPORT_CATALOGUE'],
    url: '/import?id=none&before=5',
    body: '',
    headers: { 'content-type': 'application/x-ndjson' },
  },
  'GET /access/me': { needs: 'signed-in' },
  'GET /access/privileges': { needs: 'signed-in' },
  'GET /access/users': { needs: MANAGE_USERS },
  'POST /access/users': { needs: MANAGE_USERS, body: { username: 'bob' } },
  'PATCH /access/users/:urn': { needs: MANAGE_USERS, url: `/access/users/${urn(OTHER)}`, body: {} },
  'DELETE /access/users/:urn': { needs: MANAGE_USERS, url: `/access/users/${urn(OTHER)}` },
  'PUT /access/users/:urn/password': {
    needs: MANAGE_USERS,
    url: `/access/users/${urn(OTHER)}/password`,
    body: { password: 'long enough a password' },
  },
  'GET /access/groups': { needs: MANAGE_USERS },
  'POST /access/groups': { needs: MANAGE_USERS, body: { name: 'makers' } },
  'PATCH /access/groups/:urn': { needs: MANAGE_USERS, url: GROUP, body: { description: 'x' } },
  'DELETE /access/groups/:urn': { needs: MANAGE_USERS, url: GROUP },
  'GET /access/policies': { needs: ['MANAGE_POLICIES'] },
  'PUT /access/policies/:id': { needs: ['MANAGE_POLICIES'], url: '/access/policies/rules', body: {} },
  'DELETE /access/policies/:id': { needs: ['MANAGE_POLICIES'], url: '/access/policies/rules' },
  'GET /access/audit': { needs: ['VIEW_AUDIT_LOG'] },
  'POST /auth/verifyNativeUserCredentials': { needs: 'system', body: { username: 'bob', password: 'x' } },
  'POST /auth/generateSessionTokenForUser': { needs: 'system', body: { userId: 'bob' } },
  'POST /auth/endSession': { needs: 'signed-in' },
  'POST /api/graphql': { needs: 'signed-in', body: { query: '{ __typename }' } },
  'POST /api/v2/graphql': { needs: 'signed-in', body: { query: '{ __typename }' } },
};

/** Fields of GraphQL's `Query` and `Mutation`, by a document that asks for them. */
export const FIELDS: Readonly<Record<string, { readonly needs: Rule['needs']; readonly ask: string }>> = {
  'Query.entity': { needs: SEE, ask: `{ entity(urn: "${DATASET}") { urn } }` },
  'Query.entities': { needs: SEE, ask: `{ entities(urns: ["${DATASET}"]) { urn } }` },
  'Query.dataset': { needs: SEE, ask: `{ dataset(urn: "${DATASET}") { urn } }` },
  'Query.dataFlow': { needs: SEE, ask: `{ dataFlow(urn: "${FLOW}") { urn } }` },
  'Query.dataJob': { needs: SEE, ask: `{ dataJob(urn: "urn:li:dataJob:(${FLOW},j)") { urn } }` },
  'Query.structuredProperty': { needs: SEE_PROPERTIES, ask: `{ structuredProperty(urn: "${PROPERTY}") { urn } }` },
  // What they show is narrowed: see visible.test.ts.
  'Query.searchAcrossEntities': {
    needs: 'signed-in',
    ask: '{ searchAcrossEntities(input: { query: "*" }) { total } }',
  },
  'Query.scrollAcrossEntities': {
    needs: 'signed-in',
    ask: '{ scrollAcrossEntities(input: { query: "*" }) { total } }',
  },
  'Query.aggregateAcrossEntities': {
    needs: 'signed-in',
    ask: '{ aggregateAcrossEntities(input: { query: "*" }) { facets { field } } }',
  },
  'Query.me': { needs: 'signed-in', ask: '{ me { corpUser { urn } platformPrivileges { manageTokens } } }' },
  'Query.appConfig': { needs: 'signed-in', ask: '{ appConfig { authConfig { tokenAuthEnabled } } }' },
  'Query.listAccessTokens': { needs: ['MANAGE_ACCESS_TOKENS'], ask: '{ listAccessTokens(input: {}) { total } }' },
  'Query.getAccessTokenMetadata': {
    needs: ['MANAGE_ACCESS_TOKENS'],
    ask: `{ getAccessTokenMetadata(token: "${TOKEN}") { id } }`,
  },
  'Mutation.createAccessToken': {
    needs: ['MANAGE_ACCESS_TOKENS', 'GENERATE_PERSONAL_ACCESS_TOKENS'],
    ask: `mutation { createAccessToken(input: { type: PERSONAL, actorUrn: "${CALLER}", duration: ONE_HOUR, name: "own" }) { accessToken } }`,
  },
  'Mutation.revokeAccessToken': {
    needs: ['MANAGE_ACCESS_TOKENS'],
    ask: `mutation { revokeAccessToken(tokenId: "${tokenIdOf(TOKEN)}") }`,
  },
  'Mutation.createStructuredProperty': {
    needs: DEFINE,
    ask: 'mutation { createStructuredProperty(input: { id: "rules.made", valueType: "string", entityTypes: ["dataset"] }) { urn } }',
  },
  'Mutation.updateStructuredProperty': {
    needs: DEFINE,
    ask: `mutation { updateStructuredProperty(input: { urn: "${PROPERTY}", displayName: "There" }) { urn } }`,
  },
  'Mutation.deleteStructuredProperty': {
    needs: ['MANAGE_STRUCTURED_PROPERTIES', 'DELETE_ENTITY'],
    ask: `mutation { deleteStructuredProperty(input: { urn: "${PROPERTY}" }) }`,
  },
  'Mutation.upsertStructuredProperties': {
    needs: ASSIGN,
    ask: `mutation { upsertStructuredProperties(input: { assetUrn: "${DATASET}", structuredPropertyInputParams: [] }) { properties { associatedUrn } } }`,
  },
  'Mutation.removeStructuredProperties': {
    needs: ASSIGN,
    ask: `mutation { removeStructuredProperties(input: { assetUrn: "${DATASET}", structuredPropertyUrns: [] }) { properties { associatedUrn } } }`,
  },
};
