import { Page } from '../parts/page.tsx';

export function JobsPage() {
  return (
    <Page title="Jobs">
      <p>Not yet.</p>
    </Page>
  );
}
