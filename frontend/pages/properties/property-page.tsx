import { Page } from '../parts/page.tsx';

export function PropertyPage() {
  return (
    <Page title="Property">
      <p>Not yet.</p>
    </Page>
  );
}
