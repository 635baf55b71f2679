import { Page } from '../parts/page.tsx';

export function DatasetsPage() {
  return (
    <Page title="Datasets">
      <p>Not yet.</p>
    </Page>
  );
}
