import { Link } from '@tanstack/react-router';
import { Page } from '../parts/page.tsx';

export function UnknownPage() {
  return (
    <Page title="No such page">
      <p>
        There is no page at this address. <Link to="/">Go to the overview.</Link>
      </p>
    </Page>
  );
}
