import { TOKEN_DURATIONS } from '../../../model/access/token-duration.ts';

export const ACCESS_SCHEMA = `
extend type Query {
  "Who asks, and what they may do."
  me: AuthenticatedUser
  appConfig: AppConfig
  "Soonest to end last; of others only with the privilege to manage all tokens: otherwise name yourself in a filter on ownerUrn."
  listAccessTokens(input: ListAccessTokenInput!): ListAccessTokenResult!
  "What is known of a token, by its text."
  getAccessTokenMetadata(token: String!): AccessTokenMetadata!
}

extend type Mutation {
  "The answer alone has the token: it cannot be read again."
  createAccessToken(input: CreateAccessTokenInput!): AccessToken
  "From the answer on it is refused everywhere."
  revokeAccessToken(
    "\`id\` of the metadata; not the token."
    tokenId: String!
  ): Boolean!
}

enum AccessTokenType { PERSONAL }
enum AccessTokenDuration { ${TOKEN_DURATIONS.join(' ')} }

input CreateAccessTokenInput {
  type: AccessTokenType!
  "Whom it acts as."
  actorUrn: String!
  duration: AccessTokenDuration!
  name: String!
  description: String
}

input ListAccessTokenInput {
  start: Int = 0
  count: Int = 20
  "All of them have to hold: one name, one ownerUrn, one actorUrn, expiresAt LESS_THAN or GREATER_THAN (ms since 1970)."
  filters: [FacetFilterInput!]
}

type ListAccessTokenResult {
  start: Int!
  count: Int!
  total: Int!
  tokens: [AccessTokenMetadata!]!
}

type AccessToken {
  accessToken: String!
  metadata: AccessTokenMetadata
}

enum AccessTokenEntityType { ACCESS_TOKEN }

type AccessTokenMetadata {
  urn: String!
  type: AccessTokenEntityType!
  id: String!
  name: String!
  description: String
  "Whom it acts as."
  actorUrn: String!
  "Who made it."
  ownerUrn: String!
  createdAt: Long!
  "Null: it does not end."
  expiresAt: Long
  "When it was used, to the minute; null: never."
  lastUsedAt: Long
}

type AuthenticatedUser {
  corpUser: CorpUser!
  platformPrivileges: PlatformPrivileges!
}

"Which privileges over the whole platform are held."
type PlatformPrivileges {
  generatePersonalAccessTokens: Boolean!
  manageTokens: Boolean!
  managePolicies: Boolean!
  manageUserGroups: Boolean!
  manageStructuredProperties: Boolean!
  viewStructuredPropertiesPage: Boolean!
  viewResources: Boolean!
  manageResources: Boolean!
  viewJobs: Boolean!
  manageJobs: Boolean!
  viewAuditLog: Boolean!
}

type AppConfig {
  appVersion: String
  authConfig: AuthConfig!
}

type AuthConfig {
  "False: everybody may do everything, and there are no tokens."
  tokenAuthEnabled: Boolean!
}
`;
