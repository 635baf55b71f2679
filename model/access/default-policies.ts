import { type Policy, policySchema } from './policy.ts';
import { type PrivilegeName, privilegesOf } from './privileges.ts';

/** A policy, and where it is from. */
export interface KnownPolicy extends Policy {
  /** `default`: every installation has it. `file`: from a file that the server was started with. `stored`: by the API. */
  readonly origin: 'default' | 'file' | 'stored';
  /** False: it stays as it is, so that somebody can always manage policies, or because the file says so. */
  readonly editable: boolean;
}

const SEEING: PrivilegeName[] = [
  'VIEW_ENTITY_PAGE',
  'GET_ENTITY_PRIVILEGE',
  'EXISTS_ENTITY_PRIVILEGE',
  'SEARCH_PRIVILEGE',
];

/** What holds where nobody has said anything else, as with the reference catalogue. Those that can be edited, are by id. */
export const DEFAULT_POLICIES: readonly KnownPolicy[] = [
  fixed({
    id: 'admin-platform',
    name: 'Administrators: the platform',
    type: 'PLATFORM',
    privileges: privilegesOf('PLATFORM'),
    actors: { roles: ['Admin'] },
  }),
  fixed({
    id: 'admin-metadata',
    name: 'Administrators: all metadata',
    type: 'METADATA',
    privileges: privilegesOf('METADATA'),
    actors: { roles: ['Admin'] },
  }),
  editable({
    id: 'editor-platform',
    name: 'Editors: the platform',
    type: 'PLATFORM',
    privileges: ['MANAGE_STRUCTURED_PROPERTIES', 'GENERATE_PERSONAL_ACCESS_TOKENS', 'VIEW_RESOURCES', 'VIEW_JOBS'],
    actors: { roles: ['Editor'] },
  }),
  editable({
    id: 'editor-metadata',
    name: 'Editors: all metadata, without deleting',
    type: 'METADATA',
    privileges: ['CREATE_ENTITY', 'EDIT_ENTITY', 'EDIT_ENTITY_PROPERTIES'],
    actors: { roles: ['Editor'] },
  }),
  editable({
    id: 'reader-metadata',
    name: 'Readers: see all metadata',
    type: 'METADATA',
    privileges: SEEING,
    actors: { roles: ['Editor', 'Reader'] },
  }),
  editable({
    id: 'all-users-platform',
    name: 'Everybody: own access tokens, definitions, jobs and resources',
    type: 'PLATFORM',
    privileges: ['GENERATE_PERSONAL_ACCESS_TOKENS', 'VIEW_STRUCTURED_PROPERTIES_PAGE', 'VIEW_RESOURCES', 'VIEW_JOBS'],
    actors: { allUsers: true },
  }),
  editable({
    id: 'all-users-metadata',
    name: 'Everybody: see all metadata',
    type: 'METADATA',
    privileges: SEEING,
    actors: { allUsers: true },
  }),
  editable({
    id: 'asset-owners',
    name: 'Owners: edit what is theirs',
    type: 'METADATA',
    privileges: ['EDIT_ENTITY', 'EDIT_ENTITY_PROPERTIES'],
    actors: { resourceOwners: true },
  }),
];

type PolicyInput = Parameters<typeof policySchema.parse>[0];

function fixed(policy: PolicyInput): KnownPolicy {
  return { ...policySchema.parse(policy), origin: 'default', editable: false };
}

function editable(policy: PolicyInput): KnownPolicy {
  return { ...policySchema.parse(policy), origin: 'default', editable: true };
}
