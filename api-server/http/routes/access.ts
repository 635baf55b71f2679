import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { PRIVILEGE_NAMES, PRIVILEGES } from '../../../model/access/privileges.ts';
import { ROLES } from '../../../model/access/roles.ts';
import {
  accountChangeSchema,
  accountSchema,
  accountsSchema,
  auditSchema,
  groupChangeSchema,
  groupSchema,
  groupsSchema,
  knownPolicySchema,
  meSchema,
  newAccountSchema,
  newGroupSchema,
  passwordChangeSchema,
  policiesSchema,
  policyBodySchema,
  privilegesSchema,
} from '../../../model/wire/access.ts';
import type { CatalogParts } from '../../catalog/parts.ts';
import { checkedBody } from '../../request/bodies.ts';
import { contextOf } from '../../request/context.ts';
import { errorResponses } from '../../request/errors.ts';
import { listAudit } from '../../use-cases/audit.ts';
import { deletePolicy, listPolicies, putPolicy } from '../../use-cases/policies.ts';
import {
  changeGroup,
  changeUser,
  createGroup,
  createUser,
  deleteGroup,
  deleteUser,
  listGroups,
  listUsers,
  me,
  setPassword,
} from '../../use-cases/users.ts';
import { urnParameter } from '../parameters.ts';
import { pageQuery } from '../record-page.ts';
import { type TypedServer, typed } from '../typed-routes.ts';

const urnParams = z.object({ urn: urnParameter });
const done = z.object({}).describe('It is done');
const noBody = z.null().describe('No body');

/** Who there is and what they may do. */
export function accessRoutes(untyped: FastifyInstance, parts: CatalogParts): void {
  const server = typed(untyped);
  server.get('/access/me', describe('Who asks, and what they may do', {}, meSchema), (request) =>
    me(contextOf(parts, request)),
  );
  userRoutes(server, parts);
  groupRoutes(server, parts);
  policyRoutes(server, parts);
  const filters = { actor: z.string().optional().describe('URN'), action: z.string().optional() };
  server.get(
    '/access/audit',
    describe(
      'What was done about access, and refused, the newest first',
      { querystring: pageQuery.extend(filters) },
      auditSchema,
    ),
    (request) => listAudit(contextOf(parts, request), request.query),
  );
}

function userRoutes(server: TypedServer, parts: CatalogParts): void {
  const query = z.string().optional().describe('A part of the name or address');
  server.get(
    '/access/users',
    describe('Users, by name', { querystring: pageQuery.extend({ query }) }, accountsSchema),
    (request) => listUsers(contextOf(parts, request), request.query),
  );
  server.post('/access/users', describe('Make a user', { body: newAccountSchema }, accountSchema), (request) =>
    createUser(contextOf(parts, request), checkedBody(newAccountSchema, request)),
  );
  const path = '/access/users/:urn';
  server.patch(
    path,
    describe('Change a user', { params: urnParams, body: accountChangeSchema }, accountSchema),
    (request) => changeUser(contextOf(parts, request), request.params.urn, checkedBody(accountChangeSchema, request)),
  );
  server.delete(path, describe('Delete a user', { params: urnParams }, noBody), async (request, reply) => {
    await deleteUser(contextOf(parts, request), request.params.urn);
    reply.code(200).send();
  });
  server.put(
    `${path}/password`,
    describe(
      'Give a user another password; all sessions of the user end',
      { params: urnParams, body: passwordChangeSchema },
      done,
    ),
    async (request) => {
      const change = checkedBody(passwordChangeSchema, request);
      await setPassword(contextOf(parts, request), request.params.urn, change);
      return {};
    },
  );
}

function groupRoutes(server: TypedServer, parts: CatalogParts): void {
  server.get('/access/groups', describe('Groups, by name', { querystring: pageQuery }, groupsSchema), (request) =>
    listGroups(contextOf(parts, request), request.query),
  );
  server.post('/access/groups', describe('Make a group', { body: newGroupSchema }, groupSchema), (request) =>
    createGroup(contextOf(parts, request), checkedBody(newGroupSchema, request)),
  );
  const path = '/access/groups/:urn';
  server.patch(
    path,
    describe('Change a group', { params: urnParams, body: groupChangeSchema }, groupSchema),
    (request) => changeGroup(contextOf(parts, request), request.params.urn, checkedBody(groupChangeSchema, request)),
  );
  server.delete(path, describe('Delete a group', { params: urnParams }, noBody), async (request, reply) => {
    await deleteGroup(contextOf(parts, request), request.params.urn);
    reply.code(200).send();
  });
}

function policyRoutes(server: TypedServer, parts: CatalogParts): void {
  server.get(
    '/access/privileges',
    describe('What a policy can grant, and the roles that every installation has', {}, privilegesSchema),
    async () => ({ privileges: PRIVILEGE_NAMES.map((name) => ({ name, ...PRIVILEGES[name] })), roles: [...ROLES] }),
  );
  server.get('/access/policies', describe('All policies', {}, policiesSchema), async (request) => ({
    policies: await listPolicies(contextOf(parts, request)),
  }));
  const path = '/access/policies/:id';
  const params = z.object({ id: z.string() });
  server.put(
    path,
    describe('Make a policy, or replace it', { params, body: policyBodySchema }, knownPolicySchema),
    (request) => putPolicy(contextOf(parts, request), request.params.id, request.body),
  );
  server.delete(
    path,
    describe('Delete a policy; one of the defaults is as it was', { params }, noBody),
    async (request, reply) => {
      await deletePolicy(contextOf(parts, request), request.params.id);
      reply.code(200).send();
    },
  );
}

function describe<More extends object>(summary: string, more: More, success: z.ZodType) {
  return { schema: { tags: ['Access'], summary, ...more, response: { 200: success, ...errorResponses } } };
}
