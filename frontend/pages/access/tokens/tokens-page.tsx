import { Page } from '../../parts/page.tsx';

export function TokensPage() {
  return (
    <Page title="Manage Access Tokens">
      <p>Not yet.</p>
    </Page>
  );
}
