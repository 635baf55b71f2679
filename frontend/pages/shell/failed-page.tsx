import type { ErrorComponentProps } from '@tanstack/react-router';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Page } from '../parts/page.tsx';

/** Instead of a page that could not be shown, such as after an update, when its script is another one. */
export function FailedPage({ error }: ErrorComponentProps) {
  return (
    <Page title="This page could not be shown">
      <ErrorNotice error={error} onRetry={() => location.reload()} />
    </Page>
  );
}
