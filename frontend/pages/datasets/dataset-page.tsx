import { Page } from '../parts/page.tsx';

export function DatasetPage() {
  return (
    <Page title="Dataset">
      <p>Not yet.</p>
    </Page>
  );
}
