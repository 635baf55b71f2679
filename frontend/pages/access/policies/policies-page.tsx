import { Page } from '../../parts/page.tsx';

export function PoliciesPage() {
  return (
    <Page title="Policies">
      <p>Not yet.</p>
    </Page>
  );
}
