import * as z from 'zod';
import { shorten } from '../violation.ts';
import { groupUrnSchema, userUrnSchema } from './actor-urn.ts';
import { PRIVILEGE_NAMES, PRIVILEGES } from './privileges.ts';

/** A policy grants privileges to actors; those of type METADATA on the resources that its filter lets through. */

const quoted = (input: unknown) => shorten(JSON.stringify(input) ?? 'nothing', 100);

const criterionSchema = z.strictObject({
  field: z
    .enum(['TYPE', 'URN', 'PLATFORM', 'DOMAIN'])
    .describe('What of the entity is looked at: its type, such as dataset; its URN; the URN of its platform or domain'),
  condition: z.enum(['EQUALS', 'STARTS_WITH']).default('EQUALS'),
  values: z.array(z.string().min(1)).min(1).max(1000).describe('One of them has to fit'),
});

export const policySchema = z
  .strictObject({
    id: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/u, 'at most 100 letters, digits, dots, hyphens and underscores')
      .describe('Names the policy for good'),
    name: z.string().min(1).max(200).describe('For people'),
    description: z.string().max(2000).default(''),
    type: z.enum(['PLATFORM', 'METADATA']),
    state: z.enum(['ACTIVE', 'INACTIVE']).default('ACTIVE'),
    privileges: z.array(z.enum(PRIVILEGE_NAMES, { error: ({ input }) => `${quoted(input)} is no privilege` })).min(1),
    actors: z
      .strictObject({
        users: z.array(userUrnSchema).max(1000).default([]),
        groups: z.array(groupUrnSchema).max(1000).default([]),
        roles: z.array(z.string().min(1).max(100)).max(100).default([]),
        allUsers: z.boolean().default(false),
        resourceOwners: z.boolean().default(false).describe("Those whom the entity's ownership names; METADATA only"),
      })
      .describe('Who is meant: anybody of these'),
    resources: z
      .strictObject({ filter: z.array(criterionSchema).min(1).max(20).describe('All of them have to hold') })
      .optional()
      .describe('METADATA only; absent: every entity'),
  })
  .superRefine((policy, context) => {
    for (const [at, name] of policy.privileges.entries()) {
      const { type } = PRIVILEGES[name];
      if (type === policy.type) continue;
      context.addIssue({ code: 'custom', path: ['privileges', at], message: `${name} is of type ${type}` });
    }
    if (policy.type === 'METADATA') return;
    if (policy.resources !== undefined) {
      context.addIssue({ code: 'custom', path: ['resources'], message: 'a policy of type PLATFORM has none' });
    }
    if (policy.actors.resourceOwners) {
      const message = 'a policy of type PLATFORM is about no resource that has owners';
      context.addIssue({ code: 'custom', path: ['actors', 'resourceOwners'], message });
    }
  })
  .meta({ id: 'Policy', description: 'Who may do what' });

export type Policy = z.output<typeof policySchema>;
export type Criterion = z.output<typeof criterionSchema>;
