import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { policySchema } from '../../model/access/policy.ts';
import { PRIVILEGES } from '../../model/access/privileges.ts';
import {
  type Account,
  type AuditEntry,
  accountChangeSchema,
  accountSchema,
  accountsSchema,
  auditSchema,
  type Group,
  groupSchema,
  groupsSchema,
  type Me,
  meSchema,
  newAccountSchema,
  newGroupSchema,
  passwordChangeSchema,
  policiesSchema,
  privilegesSchema,
  type ShownPolicy,
} from '../../model/wire/access.ts';
import { demand, meOf, Refusal, sent } from './fake-access-answers.ts';
import { FakeAccessTokens } from './fake-access-tokens.ts';

interface Asked {
  readonly method: string;
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes
  readonly body: any;
  /** Who asks. */
  readonly me: Me;
}

const INVALID = 'The credentials are not valid: they are malformed, have expired or were revoked.';
const PAGE = 2;

/** The routes of access control in memory, for the administrator `admin` and whoever else has a token; and a frontend. */
export class FakeAccessServer {
  /** Whom each token is of. */
  readonly me = new Map<string, Me>();
  readonly users = new Map<string, Account>();
  /** By URN of the user. */
  readonly passwords = new Map<string, string>();
  readonly groups = new Map<string, Group>();
  readonly policies = new Map<string, ShownPolicy>();
  readonly tokens = new FakeAccessTokens(this.me);
  audit: AuditEntry[] = [];
  authEnabled = true;
  isFrontend = true;
  /** Every request that is no read, as `METHOD /path`. */
  readonly writes: string[] = [];
  readonly #server = createServer((request, response) => {
    void this.#answer(request).then(({ status, body, cookie }) => {
      response.writeHead(status, {
        'content-type': 'application/json',
        ...(cookie === undefined ? {} : { 'set-cookie': cookie }),
      });
      response.end(body === undefined ? '' : JSON.stringify(body));
    });
  });

  constructor() {
    this.me.set('admin-token', meOf('admin', Object.keys(PRIVILEGES)));
    this.me.set('reader-token', meOf('reader', []));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  addUser(username: string, more: Partial<Account> = {}): Account {
    const urn = `urn:li:corpuser:${username}`;
    const user = { urn, username, roles: [], groups: [], state: 'ACTIVE', hasPassword: true, created: 1, ...more };
    this.users.set(urn, user);
    return user;
  }

  async #answer(request: IncomingMessage): Promise<{ status: number; body?: unknown; cookie?: string[] }> {
    const given = await text(request);
    const body = given === '' ? undefined : JSON.parse(given);
    const url = new URL(request.url ?? '', 'http://fake');
    if (this.isFrontend && url.pathname === '/config.json')
      return { status: 200, body: { authEnabled: this.authEnabled, oidc: null, version: '0' } };
    if (this.isFrontend && url.pathname === '/logIn') return this.#logIn(body);
    if (this.isFrontend && url.pathname === '/logOut') {
      this.me.delete(/PLAY_SESSION=([^;]+)/u.exec(request.headers.cookie ?? '')?.[1] ?? '');
      return { status: 303 };
    }
    const path = url.pathname.replace(/^\/api\/gms(?=\/)/u, '');
    try {
      const me = path === '/ready' ? meOf('nobody', []) : this.#whoAsks(request.headers.authorization);
      const method = request.method ?? '';
      if (method !== 'GET' && path !== '/api/graphql') this.writes.push(`${method} ${decodeURIComponent(path)}`);
      const steps = path.slice(1).split('/').map(decodeURIComponent);
      return { status: 200, body: this.#route({ method, path: steps, query: url.searchParams, body, me }) };
    } catch (error) {
      if (!(error instanceof Refusal)) return { status: 500, body: { error: 'Fault', message: String(error) } };
      const isGraphql = path === '/api/graphql' && error.message !== INVALID;
      const item = { message: error.message, extensions: { code: error.status, type: 'REFUSED' } };
      const shown = isGraphql ? { data: null, errors: [item] } : { error: 'Refused', message: error.message };
      return { status: isGraphql && error.status !== 401 ? 200 : error.status, body: shown };
    }
  }

  #logIn({ username, password }: { username: string; password: string }) {
    const urn = `urn:li:corpuser:${username}`;
    if (this.passwords.get(urn) !== password) return { status: 400, body: { message: 'Invalid Credentials' } };
    this.me.set('the-session', { ...meOf(username, []), by: 'session' });
    const cookie = [`actor=${urn}; Path=/`, 'PLAY_SESSION=the-session; Path=/; HttpOnly; SameSite=Strict'];
    return { status: 200, body: {}, cookie };
  }

  #whoAsks(authorization: string | undefined): Me {
    if (!this.authEnabled) return { ...meOf('__datahub_system', Object.keys(PRIVILEGES)), authEnabled: false };
    const me = this.me.get(authorization?.replace(/^Bearer /u, '') ?? '');
    if (me === undefined) throw new Refusal(401, INVALID);
    return me;
  }

  #route(asked: Asked): unknown {
    const [first, second] = asked.path;
    if (first === 'ready') return { ready: true };
    if (first === 'openapi') return { entities: [], totalCount: 0 };
    if (first === 'api') return this.#graphql(asked);
    switch (second) {
      case 'me':
        return sent(meSchema, asked.me);
      case 'users':
        return this.#users(asked);
      case 'groups':
        return this.#groups(asked);
      case 'policies':
        return this.#policies(asked);
      case 'privileges':
        return sent(privilegesSchema, {
          privileges: Object.entries(PRIVILEGES).map(([name, privilege]) => ({ name, ...privilege })),
          roles: ['Admin', 'Editor', 'Reader'],
        });
      case 'audit':
        return this.#audit(asked);
      default:
        throw new Refusal(404, `No endpoint ${asked.path.join('/')}`);
    }
  }

  #graphql({ body: { query, variables }, me }: Asked): unknown {
    const operation = /\b(\w+)\(/u.exec(query)?.[1] ?? '';
    return { data: { [operation]: this.tokens.answer(operation, variables, me) } };
  }

  #users({ method, path, query, body, me }: Asked): unknown {
    const [, , urn = '', what] = path;
    if (what === 'password') {
      const { password, oldPassword } = sent(passwordChangeSchema, body);
      const isOwn = urn === me.actor;
      if (isOwn && this.passwords.get(urn) !== oldPassword) throw new Refusal(400, 'The present password is wrong.');
      if (!isOwn) demand(me, 'MANAGE_USERS_AND_GROUPS');
      this.passwords.set(urn, password);
      return undefined;
    }
    demand(me, 'MANAGE_USERS_AND_GROUPS');
    if (method === 'POST') {
      const { password, ...rest } = sent(newAccountSchema, body);
      const user = this.addUser(rest.username, { ...rest, hasPassword: password !== undefined });
      if (password !== undefined) this.passwords.set(user.urn, password);
      return sent(accountSchema, user);
    }
    if (method === 'GET') {
      const found = [...this.users.values()].filter(({ username }) => username.includes(query.get('query') ?? ''));
      const { page, next } = pageOf(found, query);
      return sent(accountsSchema, { users: page, ...next });
    }
    const user = this.users.get(urn);
    if (user === undefined) throw new Refusal(404, `There is no user ${urn}`);
    if (method === 'DELETE') return void this.users.delete(urn);
    const changed = { ...user, ...sent(accountChangeSchema, body) };
    this.users.set(urn, changed);
    return sent(accountSchema, changed);
  }

  #groups({ method, path, query, body, me }: Asked): unknown {
    demand(me, 'MANAGE_USERS_AND_GROUPS');
    const [, , urn = ''] = path;
    if (method === 'DELETE') return void this.groups.delete(urn);
    if (method === 'GET') {
      const { page, next } = pageOf([...this.groups.values()], query);
      return sent(groupsSchema, { groups: page, ...next });
    }
    const group = sent(groupSchema, {
      ...sent(newGroupSchema, body),
      urn: `urn:li:corpGroup:${body.name}`,
      members: 0,
    });
    this.groups.set(group.urn, group);
    return group;
  }

  #policies({ method, path, body, me }: Asked): unknown {
    demand(me, 'MANAGE_POLICIES');
    const [, , id = ''] = path;
    if (method === 'GET') return sent(policiesSchema, { policies: [...this.policies.values()] });
    if (method === 'DELETE') return void this.policies.delete(id);
    if (id === 'refused') throw new Refusal(400, 'Nobody could manage policies any more.');
    this.policies.set(id, { ...sent(policySchema, { ...body, id }), origin: 'stored', editable: true });
    return undefined;
  }

  #audit({ query, me }: Asked): unknown {
    demand(me, 'VIEW_AUDIT_LOG');
    const found = this.audit.filter((entry) =>
      (['actor', 'action'] as const).every((name) => [null, entry[name]].includes(query.get(name))),
    );
    const { page, next } = pageOf(found, query);
    return sent(auditSchema, { entries: page, ...next });
  }
}

/** A few at a time, so that pages are followed. */
function pageOf<T>(all: readonly T[], query: URLSearchParams): { page: T[]; next: { next?: string } } {
  const start = Number(query.get('after') ?? 0);
  const end = start + Math.min(PAGE, Number(query.get('count') ?? PAGE));
  return { page: all.slice(start, end), next: end < all.length ? { next: String(end) } : {} };
}
