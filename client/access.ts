import type * as z from 'zod';
import type { Policy } from '../model/access/policy.ts';
import {
  type AuditEntry,
  auditEntrySchema,
  auditSchema,
  knownPolicySchema,
  type Me,
  meSchema,
  policiesSchema,
  privilegesSchema,
  type ShownPolicy,
  type ShownPrivileges,
} from '../model/wire/access.ts';
import { ask } from './ask.ts';
import type { HttpClient } from './http-client.ts';

/** Requests about who may do what. They throw AnyHttpError. Whatever more a newer server says is kept. */

const me: z.ZodType<Me> = meSchema.loose();
const policies = policiesSchema.extend({ policies: knownPolicySchema.loose().array() });
const privileges: z.ZodType<ShownPrivileges> = privilegesSchema.loose();
const audit = auditSchema.extend({ entries: auditEntrySchema.loose().array() });

/** The server sends no more at once. */
const LARGEST_PAGE = 1000;

/** As whom the server takes this client. */
export async function readMe(http: HttpClient): Promise<Me> {
  return await ask(http, { method: 'GET', path: '/access/me' }, me);
}

export async function listPolicies(http: HttpClient): Promise<ShownPolicy[]> {
  return (await ask(http, { method: 'GET', path: '/access/policies' }, policies)).policies;
}

/** Makes the policy, or puts it in the place of the one with its id. */
export async function writePolicy(http: HttpClient, { id, ...body }: Policy): Promise<void> {
  await http.send({ method: 'PUT', path: policyPath(id), body });
}

export async function deletePolicy(http: HttpClient, id: string): Promise<void> {
  await http.send({ method: 'DELETE', path: policyPath(id) });
}

/** What policies can grant, and the roles that every installation has. */
export async function readPrivileges(http: HttpClient): Promise<ShownPrivileges> {
  return await ask(http, { method: 'GET', path: '/access/privileges' }, privileges);
}

export interface AuditFilter {
  /** URN. */
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  /** Of all that there are when absent. */
  readonly limit?: number | undefined;
}

/** The newest first. */
export async function* listAudit(http: HttpClient, filter: AuditFilter): AsyncGenerator<AuditEntry> {
  const { actor, action, limit = Number.POSITIVE_INFINITY } = filter;
  let left = limit;
  let after: string | undefined;
  do {
    const query = [
      ['actor', actor],
      ['action', action],
      ['count', String(Math.min(left, LARGEST_PAGE))],
      ['after', after],
    ] as const;
    const page = await ask(http, { method: 'GET', path: '/access/audit', query }, audit);
    yield* page.entries.slice(0, left);
    left -= page.entries.length;
    after = page.next;
  } while (after !== undefined && left > 0);
}

function policyPath(id: string): string {
  return `/access/policies/${encodeURIComponent(id)}`;
}
