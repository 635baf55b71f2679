import type { PrivilegeName } from '../../model/access/privileges.ts';
import { parseUrn } from '../../model/urn.ts';
import type { AccessTokenAnswer, NewAccessToken } from '../../model/wire/access-token.ts';
import { VERSION } from '../../process/version.ts';
import { CatalogError } from '../catalog/errors.ts';
import type { Filter } from '../catalog/find/resolve-filters.ts';
import {
  createAccessToken,
  listAccessTokens,
  readAccessTokenOf,
  revokeAccessToken,
} from '../use-cases/access-tokens.ts';
import { heldPrivileges } from '../use-cases/users.ts';
import type { GraphqlContext } from './context.ts';
import { refOf } from './entity-kinds.ts';

/** Tokens of a page. */
const MAX_COUNT = 1000;

/** The privileges over the whole platform, as the reference catalogue's clients call them. */
const PLATFORM_PRIVILEGES: Readonly<Record<string, PrivilegeName>> = {
  generatePersonalAccessTokens: 'GENERATE_PERSONAL_ACCESS_TOKENS',
  manageTokens: 'MANAGE_ACCESS_TOKENS',
  managePolicies: 'MANAGE_POLICIES',
  manageUserGroups: 'MANAGE_USERS_AND_GROUPS',
  manageStructuredProperties: 'MANAGE_STRUCTURED_PROPERTIES',
  viewStructuredPropertiesPage: 'VIEW_STRUCTURED_PROPERTIES_PAGE',
  viewResources: 'VIEW_RESOURCES',
  manageResources: 'MANAGE_RESOURCES',
  viewJobs: 'VIEW_JOBS',
  manageJobs: 'MANAGE_JOBS',
  viewAuditLog: 'VIEW_AUDIT_LOG',
};

interface ListInput {
  readonly start?: number | null;
  readonly count?: number | null;
  readonly filters?: readonly Filter[] | null;
}

export const accessResolvers = {
  Query: {
    me: async (_root: unknown, _args: unknown, { caller }: GraphqlContext) => {
      const held = new Set(await heldPrivileges(caller));
      const privileges = Object.entries(PLATFORM_PRIVILEGES).map(([name, privilege]) => [name, held.has(privilege)]);
      return { corpUser: refOf(parseUrn(caller.actor)), platformPrivileges: Object.fromEntries(privileges) };
    },

    appConfig: (_root: unknown, _args: unknown, { parts }: GraphqlContext) => ({
      appVersion: VERSION,
      authConfig: { tokenAuthEnabled: parts.auth.enabled },
    }),

    async listAccessTokens(_root: unknown, { input }: { input: ListInput }, { caller }: GraphqlContext) {
      const start = input.start ?? 0;
      const count = input.count ?? 20;
      if (start < 0 || count < 0 || count > MAX_COUNT) {
        throw new CatalogError('malformed', `start and count: not negative, and a count of at most ${MAX_COUNT}`);
      }
      const { total, tokens } = await listAccessTokens(caller, filterOf(input.filters ?? []), { start, count });
      return { start, count: tokens.length, total, tokens: tokens.map(metadata) };
    },

    getAccessTokenMetadata: async (_root: unknown, { token }: { token: string }, { caller }: GraphqlContext) =>
      metadata(await readAccessTokenOf(caller, token)),
  },

  Mutation: {
    async createAccessToken(
      _root: unknown,
      { input }: { input: NewAccessToken & { readonly type: string } },
      { caller }: GraphqlContext,
    ) {
      const { type: _only, description, ...wanted } = input;
      const created = await createAccessToken(caller, { ...wanted, ...(description == null ? {} : { description }) });
      return { accessToken: created.accessToken, metadata: metadata(created.metadata) };
    },

    async revokeAccessToken(_root: unknown, { tokenId }: { tokenId: string }, { caller }: GraphqlContext) {
      await revokeAccessToken(caller, tokenId);
      return true;
    },
  },
};

function metadata(token: AccessTokenAnswer) {
  return { ...token, urn: `urn:li:dataHubAccessToken:${token.id}`, type: 'ACCESS_TOKEN' };
}

/** @throws CatalogError `malformed` for one that tokens cannot be narrowed by. */
function filterOf(filters: readonly Filter[]) {
  const filter: { name?: string; owner?: string; actor?: string; endsBefore?: number; endsAfter?: number } = {};
  for (const { field, condition, values, value, negated } of filters) {
    const [wanted = value ?? '', ...more] = values ?? [];
    const isEqual = condition == null || condition === 'EQUAL';
    const isOne = more.length === 0 && negated !== true;
    if (isOne && isEqual && field === 'name') filter.name = wanted;
    else if (isOne && isEqual && field === 'ownerUrn') filter.owner = wanted;
    else if (isOne && isEqual && field === 'actorUrn') filter.actor = wanted;
    else if (isOne && condition === 'LESS_THAN' && field === 'expiresAt') filter.endsBefore = Number(wanted);
    else if (isOne && condition === 'GREATER_THAN' && field === 'expiresAt') filter.endsAfter = Number(wanted);
    else {
      throw new CatalogError(
        'malformed',
        `filters: ${field}: tokens are narrowed by one name, one ownerUrn, one actorUrn, and expiresAt LESS_THAN or GREATER_THAN`,
      );
    }
  }
  return filter;
}
