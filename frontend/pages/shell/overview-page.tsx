import { Link } from '@tanstack/react-router';
import { useMe } from '../api/me.ts';
import { Page } from '../parts/page.tsx';
import { navigationFor } from './navigation.ts';
import { CountOf } from './overview-counts.tsx';
import { QuickSearch } from './quick-search.tsx';
import './overview-page.css';

const ABOUT: Readonly<Partial<Record<string, string>>> = {
  '/datasets': 'Find datasets by the values of their properties, and put values on them.',
  '/properties': 'What properties there are, what their values may be, and who holds them.',
  '/resources': 'Manifests that the operator reconciles, with their conditions.',
  '/jobs': 'Long work, such as clean-ups and reindexing, and how far it is.',
  '/settings/tokens': 'Tokens for scripts, pipelines and the command line.',
  '/settings/users': 'Who there is, in which groups and roles.',
  '/settings/policies': 'Who may do what.',
  '/settings/audit': 'Logins, tokens, changes of policies, refused requests.',
};

/** The first page: where one can go, and how much there is. */
export function OverviewPage() {
  const entries = navigationFor(useMe())
    .flatMap((group) => group.entries)
    .filter(({ to }) => to !== '/');
  return (
    <Page title="Overview" description="Typed metadata for data assets.">
      <QuickSearch />
      <ul className="overview">
        {entries.map(({ to, label }) => (
          <li key={to}>
            <Link to={to}>{label}</Link>
            <CountOf to={to} />
            <p className="quiet">{ABOUT[to]}</p>
          </li>
        ))}
      </ul>
    </Page>
  );
}
