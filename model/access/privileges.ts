/**
 * What a policy can grant. Names and labels are those of the reference catalogue where it has the like; what only
 * Proplane has (resources, jobs, export and import, the audit log) has names of its own.
 */

/** PLATFORM: held or not. METADATA: held on resources, that is on entities. */
export type PrivilegeType = 'PLATFORM' | 'METADATA';

export interface Privilege {
  readonly type: PrivilegeType;
  /** As people read it. */
  readonly label: string;
  readonly description: string;
}

function platform(label: string, description: string): Privilege {
  return { type: 'PLATFORM', label, description };
}

function metadata(label: string, description: string): Privilege {
  return { type: 'METADATA', label, description };
}

export const PRIVILEGES = {
  GENERATE_PERSONAL_ACCESS_TOKENS: platform('Generate Personal Access Tokens', 'Make access tokens for oneself.'),
  MANAGE_ACCESS_TOKENS: platform('Manage All Access Tokens', 'Make tokens for others; list and revoke all tokens.'),
  MANAGE_POLICIES: platform('Manage Policies', 'Make, change and delete policies.'),
  MANAGE_USERS_AND_GROUPS: platform('Manage Users & Groups', 'Make, change and suspend users, groups and their roles.'),
  MANAGE_STRUCTURED_PROPERTIES: platform('Manage Structured Properties', 'Define, change and delete properties.'),
  VIEW_STRUCTURED_PROPERTIES_PAGE: platform('View Structured Properties', 'See the definitions of properties.'),
  VIEW_RESOURCES: platform('View Resources', 'See what operators report, owner marks, and who leads.'),
  MANAGE_RESOURCES: platform(
    'Manage Resources',
    'Act as an operator: lease sources, send owner marks and fences, report resources, confirm held deletions.',
  ),
  VIEW_JOBS: platform('View Jobs', 'See long work and how far it is.'),
  MANAGE_JOBS: platform('Manage Jobs', 'Begin and cancel the system update.'),
  EXPORT_CATALOGUE: platform('Export Catalogue', 'Read all that is stored, whatever the other policies say.'),
  IMPORT_CATALOGUE: platform('Import Catalogue', 'Fill an empty catalogue with an export.'),
  VIEW_AUDIT_LOG: platform('View Audit Log', 'See logins, tokens, changes of policies and users, refused requests.'),
  VIEW_ENTITY_PAGE: metadata('View Entity Page', 'See the entity, also in searches and counts.'),
  GET_ENTITY_PRIVILEGE: metadata('Get Entity', 'See the entity over the APIs, also in searches and counts.'),
  EXISTS_ENTITY_PRIVILEGE: metadata('Entity Exists', 'Ask whether the entity exists.'),
  SEARCH_PRIVILEGE: metadata('Search', 'Ask whether the entity exists; what a search shows is what may be seen.'),
  CREATE_ENTITY: metadata('Create Entity', 'Make the entity, by writes that overwrite nothing.'),
  EDIT_ENTITY: metadata('Edit Entity', 'Make and change the entity and all its aspects.'),
  EDIT_ENTITY_PROPERTIES: metadata('Edit Properties', 'Put values of structured properties on the entity.'),
  DELETE_ENTITY: metadata('Delete Entity', 'Delete the entity, softly and hard.'),
} as const satisfies Record<string, Privilege>;

export type PrivilegeName = keyof typeof PRIVILEGES;

export const PRIVILEGE_NAMES = Object.keys(PRIVILEGES) as [PrivilegeName, ...PrivilegeName[]];

export function privilegesOf(type: PrivilegeType): PrivilegeName[] {
  return PRIVILEGE_NAMES.filter((name) => PRIVILEGES[name].type === type);
}
