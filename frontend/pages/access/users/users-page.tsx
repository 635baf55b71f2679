import { Link, useSearch } from '@tanstack/react-router';
import { Page } from '../../parts/page.tsx';
import '../../parts/tabs.css';
import { GroupList } from './group-list.tsx';
import { UserList } from './user-list.tsx';

/** Settings › Users & Groups. */
export function UsersPage() {
  const { tab, query = '' } = useSearch({ from: '/signed-in/settings/users' });
  return (
    <Page
      title="Users & Groups"
      description="Who there is. What somebody may do comes from roles and groups, by the policies that name them."
    >
      <nav className="tabs" aria-label="Users and groups">
        <Link
          to="/settings/users"
          search={{}}
          activeOptions={{ exact: true, includeSearch: true }}
          {...here(tab !== 'groups')}
        >
          Users
        </Link>
        <Link to="/settings/users" search={{ tab: 'groups' }} {...here(tab === 'groups')}>
          Groups
        </Link>
      </nav>
      {tab === 'groups' ? <GroupList /> : <UserList key={query} query={query} />}
    </Page>
  );
}

/** The router's own mark goes by the whole address. */
function here(isHere: boolean) {
  return { 'aria-current': isHere ? ('page' as const) : undefined, activeProps: {}, inactiveProps: {} };
}
