import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { useMe } from '../../api/me.ts';
import { nameOfUrn } from '../../api/urns.ts';
import { useChange } from '../../api/use-change.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { Facts } from '../../parts/facts.tsx';
import { TextField } from '../../parts/fields.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { setPassword } from '../users/user-requests.ts';

/** Settings › Account: who one is, and the own password. */
export function AccountPage() {
  const { actor, displayName, roles, groups } = useMe();
  return (
    <Page title="Account">
      <Section title="You">
        <Facts
          facts={[
            ['Name', displayName],
            ['URN', <code key="urn">{actor}</code>],
            ['Roles', roles.join(', ') || 'None'],
            ['Groups', groups.map(nameOfUrn).join(', ') || 'None'],
          ]}
        />
      </Section>
      <OwnPassword actor={actor} />
    </Page>
  );
}

function OwnPassword({ actor }: { readonly actor: string }) {
  const [oldPassword, setOld] = useState('');
  const [password, setNew] = useState('');
  const saving = useChange({
    change: () => setPassword(actor, { oldPassword, password }),
    changes: [],
    done: () => 'Your password is changed.',
    onDone: () => {
      setOld('');
      setNew('');
    },
  });
  return (
    <Section title="Password">
      <Form
        className="stack narrow"
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate();
        }}
      >
        <TextField
          label="Present password"
          type="password"
          autoComplete="current-password"
          isRequired
          value={oldPassword}
          onChange={setOld}
        />
        <TextField
          label="New password"
          hint="At least 8 characters."
          type="password"
          autoComplete="new-password"
          isRequired
          minLength={8}
          value={password}
          onChange={setNew}
        />
        <ErrorNotice error={saving.error} />
        <div className="row">
          <Button type="submit" look="primary" isPending={saving.isPending}>
            Change password
          </Button>
        </div>
      </Form>
    </Section>
  );
}
