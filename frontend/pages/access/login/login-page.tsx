import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { configQuery } from '../../api/frontend-config.ts';
import { requestJson } from '../../api/request.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/fields.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useDocumentTitle } from '../../parts/page.tsx';
import { loginFailure } from './login-failure.ts';
import './login-page.css';

export function LoginPage() {
  useDocumentTitle('Log in');
  const { from = '/' } = useSearch({ from: '/login' });
  const { data: config } = useQuery(configQuery);
  return (
    <main className="alone">
      <div className="login">
        <h1 className="brand">Proplane</h1>
        {config?.authEnabled === false && (
          <Notice kind="info">
            <span>
              Authentication is off: there is nothing to log in to. <Link to="/">Go to the overview.</Link>
            </span>
          </Notice>
        )}
        <PasswordForm from={from} />
        {config?.oidc && (
          <a className="button" href={`/authenticate?redirect_uri=${encodeURIComponent(from)}`}>
            Sign in with {config.oidc.name}
          </a>
        )}
      </div>
    </main>
  );
}

function PasswordForm({ from }: { readonly from: string }) {
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<string>();
  const queries = useQueryClient();
  const { history } = useRouter();
  const logIn = async (event: FormEvent) => {
    event.preventDefault();
    setPending(true);
    setFailure(undefined);
    try {
      await requestJson('/logIn', { method: 'POST', body: { username, password } });
      // What was read as somebody else.
      queries.clear();
      history.push(from);
    } catch (error) {
      setFailure(loginFailure(error));
      setPending(false);
    }
  };
  return (
    <form className="stack" onSubmit={(event) => void logIn(event)}>
      <TextField
        label="User name"
        name="username"
        autoComplete="username"
        autoFocus
        isRequired
        value={username}
        onChange={setUsername}
      />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        isRequired
        value={password}
        onChange={setPassword}
      />
      {failure !== undefined && (
        <Notice kind="bad" isAlert>
          <span>{failure}</span>
        </Notice>
      )}
      <Button type="submit" look="primary" isPending={isPending}>
        Log in
      </Button>
    </form>
  );
}
