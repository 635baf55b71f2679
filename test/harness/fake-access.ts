import type { FastifyReply, FastifyRequest } from 'fastify';
import { DEFAULT_POLICIES } from '../../model/access/default-policies.ts';
import { PRIVILEGES, privilegesOf } from '../../model/access/privileges.ts';
import type { Account, AuditEntry, Group, Me, ShownPolicy } from '../../model/wire/access.ts';
import type { AccessTokenAnswer } from '../../model/wire/access-token.ts';
import { FakeError, type FakePart } from './fake-api.ts';

const ME = 'urn:li:corpuser:ada';
const NOW = Date.UTC(2026, 4, 4, 9, 30);
const DAY = 86_400_000;

/** Made-up users, tokens, policies and what was done, and who is signed in. */
export const fakeAccess: FakePart = (server, graphql, scene) => {
  const { authEnabled = true, privileges = privilegesOf('PLATFORM'), empty = false } = scene;
  let signedIn = scene.signedIn ?? true;
  const some = <T>(list: readonly T[]): T[] => (empty ? [] : [...list]);
  const tokens = some(TOKENS);
  let users = some(USERS);
  let groups = some(GROUPS);
  let policies: ShownPolicy[] = [...DEFAULT_POLICIES, ...some(STORED_POLICIES)];

  server.addHook('onRequest', async ({ url }: FastifyRequest, reply: FastifyReply) => {
    if (!url.startsWith('/api/') || signedIn || !authEnabled) return;
    reply.header('www-authenticate', 'Bearer');
    return reply.code(401).send({ error: 'Unauthorized', message: 'Send a valid access token.' });
  });
  server.get('/config.json', async () => ({
    authEnabled,
    oidc: scene.oidc === undefined ? null : { name: scene.oidc },
    version: '0.1.0',
  }));
  server.post('/logIn', async (request, reply) => {
    const { username, password } = request.body as { username: string; password: string };
    if (username === 'throttled') {
      return reply.code(429).header('retry-after', 120).send({ message: 'Too many attempts.' });
    }
    if (password !== 'right') return reply.code(400).send({ message: 'Invalid Credentials' });
    signedIn = true;
    return {};
  });
  server.post('/logOut', async () => {
    signedIn = false;
    return {};
  });
  const me: Me = {
    actor: authEnabled ? ME : 'urn:li:corpuser:__datahub_system',
    displayName: authEnabled ? 'Ada Lovelace' : 'Everybody',
    by: authEnabled ? 'session' : 'none',
    roles: ['Editor'],
    groups: ['urn:li:corpGroup:Analysts'],
    privileges: [...privileges],
    authEnabled,
  };
  server.get('/api/gms/access/me', async () => me);

  const mayManage = privileges.includes('MANAGE_ACCESS_TOKENS');
  graphql.set('appConfig', () => ({
    appConfig: { authConfig: { tokenAuthEnabled: authEnabled } },
    me: {
      corpUser: { urn: me.actor },
      platformPrivileges: {
        generatePersonalAccessTokens: privileges.includes('GENERATE_PERSONAL_ACCESS_TOKENS'),
        manageTokens: mayManage,
      },
    },
  }));
  graphql.set('listAccessTokens', ({ input }) => {
    const { start, count, filters } = input as ListInput;
    const fits = (token: AccessTokenAnswer) =>
      filters.every(({ field, values }) =>
        field === 'expiresAt' ? (token.expiresAt ?? Infinity) < Number(values[0]) : values.includes(token.ownerUrn),
      );
    const found = tokens.filter(fits);
    return {
      listAccessTokens: { start, count, total: found.length, tokens: found.slice(start, start + count) },
    };
  });
  graphql.set('createAccessToken', ({ input }) => {
    const { name, description, actorUrn } = input as { name: string; description?: string; actorUrn: string };
    if (name === 'refused') throw new FakeError(400, 'The name is taken.');
    const metadata = { ...tokenOf(`id-${tokens.length}`, name, ME, 30), description: description ?? null, actorUrn };
    tokens.unshift(metadata);
    return { createAccessToken: { accessToken: 'eyJhbGciOiJIUzI1NiJ9.made.up', metadata } };
  });
  graphql.set('revokeAccessToken', ({ tokenId }) => {
    tokens.splice(
      tokens.findIndex(({ id }) => id === tokenId),
      1,
    );
    return { revokeAccessToken: true };
  });

  server.get('/api/gms/access/users', async ({ query }) => {
    const { query: text = '', after } = query as { query?: string; after?: string };
    const found = users.filter((user) => JSON.stringify(user).toLowerCase().includes(text.toLowerCase()));
    const start = Number(after ?? 0);
    const end = start + 4;
    return { users: found.slice(start, end), ...(found.length > end ? { next: String(end) } : {}) };
  });
  server.post('/api/gms/access/users', async ({ body }) => {
    const sent = body as Partial<Account> & { username: string; password?: string };
    if ((sent.password ?? 'long enough').length < 8) {
      throw new FakeError(400, 'password: at least 8 characters');
    }
    const { password, ...shown } = sent;
    const user = userOf(sent.username, { ...shown, hasPassword: password !== undefined });
    users = [user, ...users];
    return user;
  });
  server.patch('/api/gms/access/users/:urn', async ({ params, body }) => {
    users = users.map((user) => (user.urn === urnOf(params) ? { ...user, ...(body as Partial<Account>) } : user));
    return users.find(({ urn }) => urn === urnOf(params));
  });
  server.put('/api/gms/access/users/:urn/password', async ({ body }) => {
    if ((body as { oldPassword?: string }).oldPassword === 'wrong') throw new FakeError(400, 'Invalid Credentials');
    return {};
  });
  server.delete('/api/gms/access/users/:urn', async ({ params }) => {
    users = users.filter(({ urn }) => urn !== urnOf(params));
    return {};
  });
  server.get('/api/gms/access/groups', async () => ({ groups }));
  server.post('/api/gms/access/groups', async ({ body }) => {
    const { name } = body as { name: string };
    groups = [...groups, { ...(body as Group), urn: `urn:li:corpGroup:${name}`, members: 0 }];
    return groups.at(-1);
  });
  server.patch('/api/gms/access/groups/:urn', async ({ params, body }) => {
    groups = groups.map((group) => (group.urn === urnOf(params) ? { ...group, ...(body as Group) } : group));
    return groups.find(({ urn }) => urn === urnOf(params));
  });
  server.delete('/api/gms/access/groups/:urn', async ({ params }) => {
    groups = groups.filter(({ urn }) => urn !== urnOf(params));
    return {};
  });

  server.get('/api/gms/access/policies', async () => ({ policies }));
  server.put('/api/gms/access/policies/:id', async ({ params, body }) => {
    const { id } = params as { id: string };
    const policy = { ...(body as ShownPolicy), id, origin: 'stored', editable: true };
    policies = [...policies.filter((each) => each.id !== id), policy];
    return policy;
  });
  server.delete('/api/gms/access/policies/:id', async ({ params }) => {
    policies = policies.filter(({ id }) => id !== (params as { id: string }).id);
    return {};
  });
  server.get('/api/gms/access/privileges', async () => ({
    privileges: Object.entries(PRIVILEGES).map(([name, privilege]) => ({ name, ...privilege })),
    roles: ['Admin', 'Editor', 'Reader'],
  }));
  server.get('/api/gms/access/audit', async ({ query }) => {
    const { actor, action } = query as { actor?: string; action?: string };
    const fits = (entry: AuditEntry) =>
      (actor === undefined || entry.actor === actor) && (action === undefined || entry.action === action);
    return { entries: some(AUDIT).filter(fits) };
  });
};

interface ListInput {
  readonly start: number;
  readonly count: number;
  readonly filters: readonly { readonly field: string; readonly values: readonly string[] }[];
}

const urnOf = (params: unknown): string => (params as { urn: string }).urn;

function tokenOf(id: string, name: string, ownerUrn: string, days: number | null): AccessTokenAnswer {
  return {
    id,
    name,
    description: null,
    actorUrn: ownerUrn,
    ownerUrn,
    createdAt: NOW - 20 * DAY,
    expiresAt: days === null ? null : NOW + days * DAY,
  };
}

const TOKENS: readonly AccessTokenAnswer[] = [
  { ...tokenOf('a1', 'nightly load', ME, 3650), description: 'Used by the job that loads the warehouse every night' },
  tokenOf('a2', 'notebook', ME, null),
  tokenOf('a3', 'old laptop', ME, -400),
  {
    ...tokenOf('b1', 'quality gate', 'urn:li:corpuser:grace.hopper@example.com', 3650),
    actorUrn: 'urn:li:corpuser:quality-gate',
  },
];

function userOf(username: string, more: Partial<Account> = {}): Account {
  return {
    urn: `urn:li:corpuser:${username}`,
    username,
    roles: ['Reader'],
    groups: [],
    state: 'ACTIVE',
    hasPassword: true,
    created: NOW - 90 * DAY,
    ...more,
  };
}

const USERS: readonly Account[] = [
  userOf('datahub', { displayName: 'Administrator', roles: ['Admin'], lastLogin: NOW }),
  userOf('ada', { displayName: 'Ada Lovelace', email: 'ada@example.com', roles: ['Editor'], lastLogin: NOW - DAY }),
  userOf('grace.hopper@example.com', {
    displayName: 'Grace Hopper',
    email: 'grace.hopper@example.com',
    hasPassword: false,
    groups: ['urn:li:corpGroup:Analysts'],
  }),
  userOf('left-us', { state: 'SUSPENDED' }),
  userOf('edsger'),
];

const GROUPS: readonly Group[] = [
  { urn: 'urn:li:corpGroup:Analysts', name: 'Analysts', description: 'Who read what the warehouse has', members: 2 },
  { urn: 'urn:li:corpGroup:Stewards', name: 'Stewards', members: 0 },
];

const ACTORS = { users: [], groups: [], roles: [], allUsers: false, resourceOwners: false };

const STORED_POLICIES: readonly ShownPolicy[] = [
  {
    id: 'stewards-hive',
    name: 'Stewards: properties of Hive tables',
    description: 'Agreed with the data office in spring',
    type: 'METADATA',
    state: 'ACTIVE',
    privileges: ['EDIT_ENTITY_PROPERTIES'],
    actors: { ...ACTORS, groups: ['urn:li:corpGroup:Stewards'] },
    resources: {
      filter: [
        { field: 'TYPE', condition: 'EQUALS', values: ['dataset'] },
        { field: 'PLATFORM', condition: 'EQUALS', values: ['urn:li:dataPlatform:hive'] },
      ],
    },
    origin: 'stored',
    editable: true,
  },
  {
    id: 'operator',
    name: 'The operator of the cluster',
    description: '',
    type: 'PLATFORM',
    state: 'INACTIVE',
    privileges: ['MANAGE_RESOURCES', 'MANAGE_STRUCTURED_PROPERTIES'],
    actors: { ...ACTORS, users: ['urn:li:corpuser:system:serviceaccount:proplane:operator'] },
    origin: 'file',
    editable: false,
  },
];

const AUDIT: readonly AuditEntry[] = [
  entryOf(4, { action: 'createAccessToken', subject: 'nightly load' }),
  entryOf(3, { action: 'logIn', address: '192.0.2.17' }),
  entryOf(2, {
    actor: 'urn:li:corpuser:left-us',
    action: 'logIn',
    outcome: 'refused',
    address: '2001:db8::17',
    detail: 'suspended',
  }),
  entryOf(1, { action: 'putPolicy', subject: 'stewards-hive', detail: 'state: ACTIVE' }),
];

function entryOf(minute: number, more: Partial<AuditEntry>): AuditEntry {
  return { id: `00${minute}`, at: NOW + minute * 60_000, actor: ME, action: 'logIn', outcome: 'ok', ...more };
}
