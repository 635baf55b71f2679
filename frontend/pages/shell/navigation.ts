import type { PrivilegeName } from '../../../model/access/privileges.ts';
import type { Me } from '../../../model/wire/access.ts';
import { holds } from '../api/me.ts';

interface Entry {
  readonly to:
    | '/'
    | '/properties'
    | '/datasets'
    | '/jobs'
    | '/resources'
    | '/settings/tokens'
    | '/settings/users'
    | '/settings/policies'
    | '/settings/audit';
  readonly label: string;
  /** One of these is needed to see anything there; empty: everybody sees what may be seen. */
  readonly anyOf: readonly PrivilegeName[];
}

interface Group {
  readonly title: string;
  readonly entries: readonly Entry[];
}

const GROUPS: readonly Group[] = [
  {
    title: 'Catalogue',
    entries: [
      { to: '/', label: 'Overview', anyOf: [] },
      { to: '/datasets', label: 'Datasets', anyOf: [] },
      {
        to: '/properties',
        label: 'Properties',
        anyOf: ['VIEW_STRUCTURED_PROPERTIES_PAGE', 'MANAGE_STRUCTURED_PROPERTIES'],
      },
    ],
  },
  {
    title: 'Operation',
    entries: [
      { to: '/resources', label: 'Resources', anyOf: ['VIEW_RESOURCES', 'MANAGE_RESOURCES'] },
      { to: '/jobs', label: 'Jobs', anyOf: ['VIEW_JOBS', 'MANAGE_JOBS'] },
    ],
  },
  {
    title: 'Settings',
    entries: [
      { to: '/settings/tokens', label: 'Access Tokens', anyOf: [] },
      { to: '/settings/users', label: 'Users & Groups', anyOf: ['MANAGE_USERS_AND_GROUPS'] },
      { to: '/settings/policies', label: 'Policies', anyOf: ['MANAGE_POLICIES'] },
      { to: '/settings/audit', label: 'Audit Log', anyOf: ['VIEW_AUDIT_LOG'] },
    ],
  },
];

/** What a user is led to: a page that would only say no is not named. */
export function navigationFor(me: Me): readonly Group[] {
  return GROUPS.map(({ title, entries }) => ({
    title,
    entries: entries.filter(({ anyOf }) => anyOf.length === 0 || holds(me, ...anyOf)),
  })).filter(({ entries }) => entries.length > 0);
}
