import { Page } from '../parts/page.tsx';

export function PropertiesPage() {
  return (
    <Page title="Properties">
      <p>Not yet.</p>
    </Page>
  );
}
