import * as z from 'zod';
import { isReservedName } from '../access/actor-urn.ts';
import { policySchema } from '../access/policy.ts';
import { PRIVILEGE_NAMES } from '../access/privileges.ts';
import { nextPageSchema } from './next-page.ts';
import { openEnum } from './open-enum.ts';

/** What requests about users, groups, policies and the audit log send, and what they are answered. */

const actorShape = policySchema.shape.actors.shape;
const groupUrns = actorShape.groups.unwrap().describe('URNs of groups');
const roleNames = actorShape.roles.unwrap().describe('Names of roles, such as Reader');
const time = z.number().int().describe('ms since 1970');

/**
 * What follows `urn:li:corpuser:` in the URN of a user with a password. A colon would let somebody be called like a
 * ServiceAccount.
 */
export const usernameSchema = z
  .string()
  .regex(/^[^\s\p{C}:,()]{1,100}$/u, 'at most 100 characters without spaces, colons, commas and parentheses')
  .refine((name) => !isReservedName(name), 'reserved for ServiceAccounts and parts of the server');

/** Longer than any that a person types; whatever is longer costs time to hash. */
export const MAX_PASSWORD_LENGTH = 1000;
/** What can be guessed where somebody has the hashes is shorter. */
export const MIN_PASSWORD_LENGTH = 12;

const passwordSchema = z
  .string()
  .min(MIN_PASSWORD_LENGTH, `at least ${MIN_PASSWORD_LENGTH} characters`)
  .max(MAX_PASSWORD_LENGTH, `at most ${MAX_PASSWORD_LENGTH} characters`);

const displayName = z.string().min(1).max(200);
const email = z.string().min(1).max(320);

export const USER_STATES = ['ACTIVE', 'SUSPENDED'] as const;

/** A user, as the server shows it. */
export const accountSchema = z
  .object({
    urn: z.string(),
    username: z.string(),
    displayName: z.string().exactOptional(),
    email: z.string().exactOptional(),
    roles: z.array(z.string()),
    groups: z.array(z.string()).describe('URNs'),
    state: openEnum(USER_STATES),
    hasPassword: z.boolean().describe('False: logs in by OpenID Connect only, or not at all'),
    created: time,
    lastLogin: time.exactOptional(),
  })
  .meta({ id: 'Account' });

export const accountsSchema = z.object({ users: z.array(accountSchema), next: nextPageSchema });

export const newAccountSchema = z.strictObject({
  username: usernameSchema,
  password: passwordSchema.exactOptional().describe('Absent: the user cannot log in by a password yet'),
  displayName: displayName.exactOptional(),
  email: email.exactOptional(),
  roles: roleNames.exactOptional(),
  groups: groupUrns.exactOptional(),
});

/** What is absent stays. */
export const accountChangeSchema = z.strictObject({
  displayName: displayName.exactOptional(),
  email: email.exactOptional(),
  roles: roleNames.exactOptional().describe('All that the user has then'),
  groups: groupUrns.exactOptional().describe('All that the user is in then'),
  state: z.enum(USER_STATES).exactOptional(),
});

export const passwordChangeSchema = z.strictObject({
  password: passwordSchema,
  oldPassword: z.string().max(MAX_PASSWORD_LENGTH).exactOptional().describe('Needed when it is the own one'),
});

/** A group, as the server shows it. */
export const groupSchema = z
  .object({
    urn: z.string(),
    name: z.string(),
    description: z.string().exactOptional(),
    members: z.number().int().describe('How many users are in it'),
  })
  .meta({ id: 'Group' });

export const groupsSchema = z.object({ groups: z.array(groupSchema), next: nextPageSchema });

/** What follows `urn:li:corpGroup:`. */
const groupName = z
  .string()
  .regex(/^[^\s\p{C}](?:[^\p{C}]{0,98}[^\s\p{C}])?$/u, 'at most 100 characters of one line, without space around them')
  .refine((name) => !isReservedName(name), 'reserved for ServiceAccounts');
const groupDescription = z.string().max(2000);

export const newGroupSchema = z.strictObject({ name: groupName, description: groupDescription.exactOptional() });

/** The name is part of the URN, and stays. */
export const groupChangeSchema = z.strictObject({ description: groupDescription });

/** A policy, as the server shows it; a newer server may know more privileges. */
export const knownPolicySchema = z
  .object({
    ...policySchema.shape,
    privileges: z.array(openEnum(PRIVILEGE_NAMES)),
    origin: openEnum(['default', 'file', 'stored']).describe(
      'default: every installation has it; file: of a file that the server was started with; stored: by the API',
    ),
    editable: z.boolean(),
  })
  .meta({ id: 'KnownPolicy' });

export const policiesSchema = z.object({ policies: z.array(knownPolicySchema) });

const { id: _inPath, ...policyShape } = policySchema.shape;
/** What is sent to replace a policy, or to make it. With the id of the path it has to keep `policySchema` as well. */
export const policyBodySchema = z.strictObject(policyShape).meta({ id: 'PolicyBody' });

export const privilegesSchema = z.object({
  privileges: z.array(
    z.object({
      name: z.string(),
      type: openEnum(['PLATFORM', 'METADATA']),
      label: z.string(),
      description: z.string(),
    }),
  ),
  roles: z.array(z.string()).describe('That every installation has'),
});

/** Who asks. */
export const meSchema = z
  .object({
    actor: z.string().describe('URN'),
    displayName: z.string(),
    by: openEnum(['none', 'token', 'session', 'system', 'service-account']).describe('How it was shown'),
    roles: z.array(z.string()),
    groups: z.array(z.string()).describe('URNs'),
    privileges: z.array(z.string()).describe('Names of those of type PLATFORM that are held'),
    authEnabled: z.boolean().describe('False: everybody may do everything'),
  })
  .meta({ id: 'Me' });

export const AUDIT_OUTCOMES = ['ok', 'refused'] as const;

export const auditEntrySchema = z
  .object({
    id: z.string(),
    at: time,
    actor: z.string().describe('URN of who did it, or tried to'),
    action: z.string().describe('Such as logIn or revokeAccessToken'),
    subject: z.string().exactOptional().describe('What it was done to'),
    outcome: openEnum(AUDIT_OUTCOMES),
    address: z.string().exactOptional().describe('Where the request came from'),
    detail: z.string().exactOptional(),
  })
  .meta({ id: 'AuditEntry' });

export const auditSchema = z.object({ entries: z.array(auditEntrySchema), next: nextPageSchema });

export type Account = z.output<typeof accountSchema>;
export type NewAccount = z.output<typeof newAccountSchema>;
export type AccountChange = z.output<typeof accountChangeSchema>;
export type PasswordChange = z.output<typeof passwordChangeSchema>;
export type Group = z.output<typeof groupSchema>;
export type NewGroup = z.output<typeof newGroupSchema>;
export type GroupChange = z.output<typeof groupChangeSchema>;
export type ShownPolicy = z.output<typeof knownPolicySchema>;
export type ShownPrivileges = z.output<typeof privilegesSchema>;
export type Me = z.output<typeof meSchema>;
export type AuditEntry = z.output<typeof auditEntrySchema>;
