import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { lengthOf, TOKEN_DURATIONS, type TokenDuration } from '../../../../model/access/token-duration.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Dialog, DialogFooter } from '../../parts/dialog.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { SelectField, TextField } from '../../parts/fields.tsx';
import { Notice } from '../../parts/notice.tsx';
import { createToken } from './token-requests.ts';
import './create-token.css';

interface Props {
  /** URN of whom the token acts as. */
  readonly actor: string;
  readonly onClose: () => void;
}

/** Asks for what a new token is to be, then shows it, once. */
export function CreateToken({ actor, onClose }: Props) {
  const [token, setToken] = useState<string>();
  return token === undefined ? (
    <TokenForm actor={actor} onClose={onClose} onCreated={setToken} />
  ) : (
    <CreatedToken token={token} onClose={onClose} />
  );
}

function TokenForm({ actor, onClose, onCreated }: Props & { readonly onCreated: (token: string) => void }) {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [duration, setDuration] = useState<TokenDuration>('ONE_MONTH');
  const queries = useQueryClient();
  const creation = useMutation({
    mutationFn: createToken,
    onSuccess: (token) => {
      onCreated(token);
      return queries.invalidateQueries({ queryKey: ['tokens', 'list'] });
    },
  });
  return (
    <Dialog title="Create new Token" onClose={onClose}>
      <Form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          const described = description.trim() === '' ? {} : { description: description.trim() };
          creation.mutate({ actorUrn: actor, name: name.trim(), duration, ...described });
        }}
      >
        <TextField
          label="Name"
          hint="What it is for"
          isRequired
          autoFocus
          maxLength={50}
          value={name}
          onChange={setName}
        />
        <TextField label="Description" rows={2} maxLength={500} value={description} onChange={setDescription} />
        <SelectField
          label="Type"
          value="PERSONAL"
          onChange={() => undefined}
          options={[{ value: 'PERSONAL', label: 'Personal' }]}
        />
        <SelectField
          label="Expire in"
          value={duration}
          onChange={setDuration}
          options={TOKEN_DURATIONS.map((value) => ({ value, label: LABELS[value] }))}
          hint={endOf(duration)}
        />
        <ErrorNotice error={creation.error} />
        <DialogFooter>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isPending={creation.isPending}>
            Create
          </Button>
        </DialogFooter>
      </Form>
    </Dialog>
  );
}

function CreatedToken({ token, onClose }: { readonly token: string; readonly onClose: () => void }) {
  return (
    <Dialog title="New Personal Access Token" kind="alert" onClose={onClose}>
      <Notice kind="warn">
        <span>Copy it now and keep it safe: it will not be shown again.</span>
      </Notice>
      <div className="stack">
        <h3 id="new-token">Token</h3>
        {/* biome-ignore lint/a11y/useSemanticElements: an output cannot be named by a heading */}
        <code className="new-token" role="group" aria-labelledby="new-token">
          {token}
        </code>
        <CopyButton text={token} label="Copy token" />
      </div>
      <div className="stack">
        <h3>How to use it</h3>
        <code className="new-token">
          {`curl '${location.origin}/api/gms/openapi/v3/entity/dataset?count=10' \\\n  --header 'Authorization: Bearer <token>'`}
        </code>
      </div>
      <DialogFooter>
        <Button look="primary" onPress={onClose}>
          Done
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

const LABELS: Readonly<Record<TokenDuration, string>> = {
  ONE_HOUR: '1 hour',
  ONE_DAY: '1 day',
  ONE_WEEK: '1 week',
  ONE_MONTH: '1 month',
  THREE_MONTHS: '3 months',
  SIX_MONTHS: '6 months',
  ONE_YEAR: '1 year',
  NO_EXPIRY: 'Never',
};

function endOf(duration: TokenDuration): string {
  const length = lengthOf(duration);
  if (length === undefined) return 'The token works until it is revoked.';
  const end = new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeStyle: 'short' });
  return `The token ends on ${end.format(Date.now() + length)}.`;
}
