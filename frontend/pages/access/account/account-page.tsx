import { Page } from '../../parts/page.tsx';

export function AccountPage() {
  return (
    <Page title="Account">
      <p>Not yet.</p>
    </Page>
  );
}
