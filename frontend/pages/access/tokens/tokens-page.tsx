import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { CreateToken } from './create-token.tsx';
import { TokenList } from './token-list.tsx';
import { type TokenRights, tokenRightsQuery } from './token-requests.ts';

/** Settings › Access Tokens. */
export function TokensPage() {
  const { data: rights, error, refetch } = useQuery(tokenRightsQuery);
  return (
    <Page title="Manage Access Tokens" description="Manage the access tokens for use with the APIs of Proplane.">
      {rights !== undefined ? (
        <Tokens rights={rights} />
      ) : error === null ? (
        <Loading />
      ) : (
        <ErrorNotice error={error} onRetry={() => void refetch()} />
      )}
    </Page>
  );
}

function Tokens({ rights }: { readonly rights: TokenRights }) {
  const [isCreating, setCreating] = useState(false);
  const reasonId = useId();
  const reason = reasonAgainst(rights);
  return (
    <>
      {!rights.isEnabled && (
        <Notice kind="bad">
          <span>
            Token based authentication is currently disabled. Contact your Proplane administrator to enable this
            feature.
          </span>
        </Notice>
      )}
      <Section
        title="Personal Access Tokens"
        actions={
          <Button
            look="primary"
            isDisabled={reason !== undefined}
            {...(reason === undefined ? {} : { 'aria-describedby': reasonId })}
            onPress={() => setCreating(true)}
          >
            Generate new token
          </Button>
        }
      >
        <p className="quiet">
          Personal access tokens let you make requests to the APIs. They have the privileges of the user they are of,
          and a finite life. Treat them like passwords: do not share them.
        </p>
        {reason !== undefined && (
          <p id={reasonId} className={rights.isEnabled ? undefined : 'quietly'}>
            {reason}
          </p>
        )}
        {reason === undefined && <TokenList rights={rights} />}
      </Section>
      {isCreating && <CreateToken actor={rights.actor} onClose={() => setCreating(false)} />}
    </>
  );
}

function reasonAgainst({ isEnabled, mayGenerate }: TokenRights): string | undefined {
  if (!isEnabled) return 'Tokens cannot be generated: token based authentication is disabled.';
  if (!mayGenerate) {
    return 'To generate tokens you need the privilege “Generate Personal Access Tokens” or “Manage All Access Tokens”. Ask an administrator.';
  }
  return undefined;
}
