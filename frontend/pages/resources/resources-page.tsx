import { Page } from '../parts/page.tsx';

export function ResourcesPage() {
  return (
    <Page title="Resources">
      <p>Not yet.</p>
    </Page>
  );
}
