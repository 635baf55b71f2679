import { Page } from '../../parts/page.tsx';

export function AuditPage() {
  return (
    <Page title="Audit Log">
      <p>Not yet.</p>
    </Page>
  );
}
