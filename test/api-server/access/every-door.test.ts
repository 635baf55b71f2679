import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildSchema } from 'graphql';
import { ACCESS_TOKENS } from '../../../api-server/auth/access-tokens.ts';
import type { AuthParts } from '../../../api-server/auth/parts.ts';
import { POLICY_RECORDS } from '../../../api-server/auth/policies.ts';
import { signingKeys } from '../../../api-server/auth/signing-keys.ts';
import { tokenIdOf } from '../../../api-server/auth/token-text.ts';
import { CatalogError } from '../../../api-server/catalog/errors.ts';
import { SCHEMA_TEXT } from '../../../api-server/graphql/register.ts';
import { DEFAULT_POLICIES } from '../../../model/access/default-policies.ts';
import { type Policy, policySchema } from '../../../model/access/policy.ts';
import { PRIVILEGE_NAMES, PRIVILEGES, type PrivilegeName } from '../../../model/access/privileges.ts';
import { TEST_KEY } from '../../harness/auth.ts';
import { type Answer, TestServer } from '../../harness/http.ts';
import { askRoute } from './ask-route.ts';
import { CALLER, DATASET, FIELDS, PROPERTY, ROUTES, type Rule, TOKEN } from './rules.ts';

/**
 * Every route, every field of GraphQL: asked by nobody, by somebody who holds everything but what is needed, and by
 * somebody who holds what is needed and nothing else.
 */

/** Credentials say what the caller holds: `held:EDIT_ENTITY,VIEW_JOBS`. */
const auth: Partial<AuthParts> = {
  enabled: true,
  keys: signingKeys([TEST_KEY]),
  async identify({ authorization = '' }) {
    const held = /^Bearer held:([A-Z_,]*)$/u.exec(authorization)?.[1]?.split(',');
    if (held === undefined) throw new CatalogError('unauthorized', 'The credentials are not valid.');
    return { caller: { actor: CALLER, groups: [], roles: held, by: 'token' } };
  },
};
const holding = (...held: readonly PrivilegeName[]) => ({ authorization: `Bearer held:${held.join(',')}` });

/** A privilege is held by the role of its name, and what everybody may do otherwise is not so. */
const POLICIES: Policy[] = [
  ...DEFAULT_POLICIES.filter(({ editable }) => editable).map(({ origin: _from, editable: _is, ...policy }) => ({
    ...policy,
    state: 'INACTIVE' as const,
  })),
  ...PRIVILEGE_NAMES.map((name) =>
    policySchema.parse({ id: name, name, type: PRIVILEGES[name].type, privileges: [name], actors: { roles: [name] } }),
  ),
];

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.open(auth);
  const { catalog } = server;
  for (const policy of POLICIES) await catalog.parts.store.records.put(POLICY_RECORDS, policy.id, policy, undefined);
});
afterAll(() => server.close());

/** What the samples are about: a test may have deleted it. */
async function makeSamples(): Promise<void> {
  const { catalog } = server;
  await catalog.define('rules.there');
  await catalog.write(DATASET, {
    status: { removed: false },
    datasetProperties: { name: 'x' },
    subTypes: { typeNames: [] },
  });
  await catalog.write('urn:li:dataFlow:(airflow,rules,prod)', { status: { removed: false } });
  const bob = 'urn:li:corpuser:bob';
  const token = { actor: bob, owner: bob, name: 'of Bob', createdAt: catalog.clock.now() };
  await catalog.parts.store.records.put(ACCESS_TOKENS, tokenIdOf(TOKEN), token, undefined);
}

const ask = (route: string, rule: Rule, credentials: Record<string, string>) =>
  askRoute(server, route, rule, credentials);

function askField(field: string, credentials: Record<string, string>): Promise<Answer> {
  return server.post('/api/graphql', { query: FIELDS[field]?.ask }, credentials);
}

const isRefused = ({ status }: Answer) => status === 401 || status === 403;
const guarded = Object.entries(ROUTES).filter(([, { needs }]) => needs !== 'open');
const privileged = <T extends { readonly needs: Rule['needs'] }>(rules: Readonly<Record<string, T>>) =>
  Object.entries(rules).flatMap(([name, rule]) =>
    typeof rule.needs === 'string' ? [] : [[name, rule.needs, rule] as const],
  );

it('every route has a rule', () => {
  const routes = server.routes.filter((route) => !route.includes(' /openapi/ui'));
  expect(routes.sort()).toEqual(Object.keys(ROUTES).sort());
});

it('every field of GraphQL has a rule', () => {
  const schema = buildSchema(SCHEMA_TEXT);
  const fields = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    Object.keys(type?.getFields() ?? {}).map((field) => `${type?.name}.${field}`),
  );
  expect(fields.sort()).toEqual(Object.keys(FIELDS).sort());
});

describe('without valid credentials', () => {
  it.each(guarded)('%s is refused', async (route, rule) => {
    for (const credentials of [{}, { authorization: 'Bearer garbage' }, { authorization: 'Basic YTpi' }]) {
      const answer = await ask(route, rule, credentials as Record<string, string>);
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer']);
      if (!route.startsWith('HEAD')) expect(answer.body).toMatchObject({ error: 'Unauthorized' });
    }
  });

  it('a word on whose behalf one asks is nothing', async () => {
    expect((await server.get('/jobs', { headers: { 'x-datahub-actor': 'urn:li:corpuser:datahub' } })).status).toBe(401);
  });

  it('what is open answers', async () => {
    for (const [route, rule] of Object.entries(ROUTES).filter(([, { needs }]) => needs === 'open')) {
      expect([route, (await ask(route, rule, {})).status]).toEqual([route, 200]);
    }
    expect((await server.get('/openapi/ui')).status).toBe(200);
  });
});

describe('with every privilege but those that are needed', () => {
  beforeAll(makeSamples);

  it.each(privileged(ROUTES))('%s is refused', async (route, needs, rule) => {
    const answer = await ask(route, rule, holding(...PRIVILEGE_NAMES.filter((name) => !needs.includes(name))));
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    if (!route.startsWith('HEAD')) expect(answer.body.message).toContain('is not authorized');
  });

  it.each(privileged(FIELDS))('%s is refused', async (field, needs) => {
    const answer = await askField(field, holding(...PRIVILEGE_NAMES.filter((name) => !needs.includes(name))));
    expect(answer.status).toBe(401);
    expect(answer.body.errors[0].extensions).toMatchObject({ type: 'UNAUTHORIZED' });
  });
});

it('what only our own parts may is refused to whoever holds everything', async () => {
  for (const [route, rule] of Object.entries(ROUTES).filter(([, { needs }]) => needs === 'system')) {
    expect([route, (await ask(route, rule, holding(...PRIVILEGE_NAMES))).status]).toEqual([route, 401]);
  }
});

describe('with one of those that are needed, and no other', () => {
  const each = privileged(ROUTES).flatMap(([route, needs, rule]) => needs.map((name) => [route, name, rule] as const));

  it.each(each)('%s answers who holds %s', async (route, name, rule) => {
    await makeSamples();
    const answer = await ask(route, rule, holding(name));
    expect([isRefused(answer), answer.status < 500, answer.status]).toEqual([false, true, answer.status]);
  });

  const eachField = privileged(FIELDS).flatMap(([field, needs]) => needs.map((name) => [field, name] as const));

  it.each(eachField)('%s answers who holds %s', async (field, name) => {
    await makeSamples();
    await server.catalog.delete(PROPERTY.replace('there', 'made'));
    const { status, body } = await askField(field, holding(name));
    expect([status, body.errors]).toEqual([200, undefined]);
  });
});

describe('an owner mark, and a fence', () => {
  const mark = { 'x-proplane-owner': 'source=s&kind=DatasetProperties&namespace=n&name=n&deletionPolicy=Remove' };
  const fence = { 'x-proplane-fence': 'source=s&shard=0&lease=l&created=1&transitions=9' };
  const url = `/openapi/v3/entity/dataset/${encodeURIComponent(DATASET)}/structuredProperties`;
  const write = (headers: Record<string, string>, ...held: PrivilegeName[]) =>
    server.post(url, { properties: [] }, { ...headers, ...holding('EDIT_ENTITY', ...held) });

  it('are taken only from those who manage resources', async () => {
    await makeSamples();
    for (const headers of [mark, fence]) {
      expect((await write(headers)).status).toBe(401);
      expect((await write(headers, 'VIEW_RESOURCES')).status).toBe(401);
    }
    expect((await server.get('/fences', { headers: holding('VIEW_RESOURCES') })).body.fences).not.toContainEqual(
      expect.objectContaining({ source: 's' }),
    );
    for (const headers of [mark, fence]) expect((await write(headers, 'MANAGE_RESOURCES')).status).toBe(200);
  });

  it('are shown only to those who see resources', async () => {
    const read = `/openapi/v3/entity/dataset/${encodeURIComponent(DATASET)}?owners=true`;
    expect((await server.get(read, { headers: holding('VIEW_ENTITY_PAGE') })).status).toBe(401);
    expect((await server.get(read, { headers: holding('VIEW_ENTITY_PAGE', 'VIEW_RESOURCES') })).status).toBe(200);
  });
});

describe('who may only create', () => {
  const url = `/openapi/v3/entity/dataset/${encodeURIComponent(DATASET)}/datasetProperties`;

  it('overwrites nothing', async () => {
    await makeSamples();
    const creating = holding('CREATE_ENTITY');
    expect((await server.post(url, { name: 'y' }, creating)).status).toBe(401);
    expect((await server.post(`${url}?createIfNotExists=true`, { name: 'y' }, creating)).status).toBe(400);
    await server.catalog.delete(DATASET);
    expect((await server.post(`${url}?createIfNotExists=true`, { name: 'y' }, creating)).status).toBe(200);
  });
});
