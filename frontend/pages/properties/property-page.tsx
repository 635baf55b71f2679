import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../api/use-change.ts';
import { useMaySeeMarks } from '../catalogue/may-see-marks.ts';
import { OwnerLink } from '../catalogue/owner-link.tsx';
import { propertyQuery } from '../catalogue/properties-query.ts';
import type { Property } from '../catalogue/property.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { ConfirmDialog } from '../parts/dialog.tsx';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Loading } from '../parts/loading.tsx';
import { Notice } from '../parts/notice.tsx';
import { Page, Section } from '../parts/page.tsx';
import { changedWith, setRemoved } from './change-property.ts';
import { DefinitionDialog } from './definition-dialog.tsx';
import { DefinitionTable } from './definition-table.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { Holders } from './holders.tsx';

const route = getRouteApi('/signed-in/properties/$name');

/** A property: its definition, and who holds it. */
export function PropertyPage() {
  const { name } = route.useParams();
  const { data: property, error, refetch } = useQuery(propertyQuery(name, useMaySeeMarks()));
  return (
    <Page
      title={property?.title ?? name}
      above={[
        <Link key="properties" to="/properties">
          Properties
        </Link>,
      ]}
      {...(property?.definition.description === undefined ? {} : { description: property.definition.description })}
      {...(property ? { actions: <Actions property={property} /> } : {})}
    >
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {property === undefined && error === null && <Loading />}
      {property === null && <Notice kind="warn">There is a property of this name, and it has no definition.</Notice>}
      {property && <Contents property={property} />}
    </Page>
  );
}

function Contents({ property }: { readonly property: Property }) {
  const { owner, removed, name } = property;
  return (
    <>
      <p className="row">
        {removed ? <Badge kind="warn">Soft deleted</Badge> : <Badge kind="good">Live</Badge>}
        <Badge kind="accent">{property.valueType.replace('_', ' ')}</Badge>
        <code className="mono">{name}</code>
      </p>
      {owner && (
        <Notice kind="info">
          <span>
            The resource <OwnerLink owner={owner} /> defines this property: its operator sets back what is changed here.
          </span>
        </Notice>
      )}
      <Section title="Definition">
        <DefinitionTable property={property} />
      </Section>
      <Section title="Holders">
        {removed ? (
          <p className="quiet">Its values are kept and not shown while it is soft deleted. Restore it to see them.</p>
        ) : (
          <Holders property={property} />
        )}
      </Section>
    </>
  );
}

function Actions({ property }: { readonly property: Property }) {
  const [opened, setOpened] = useState<'change' | 'remove' | 'delete'>();
  const close = () => setOpened(undefined);
  const { urn, name, title, removed } = property;
  const set = useChange({
    change: (next: boolean) => setRemoved(urn, next),
    changes: changedWith(name),
    done: (next) => (next ? `${title} is soft deleted.` : `${title} is restored, with its values.`),
    onDone: close,
  });
  return (
    <>
      {removed ? (
        <Button look="primary" isPending={set.isPending} onPress={() => set.mutate(false)}>
          Restore
        </Button>
      ) : (
        <>
          <Button look="primary" onPress={() => setOpened('change')}>
            Change
          </Button>
          <Button onPress={() => setOpened('remove')}>Soft delete</Button>
        </>
      )}
      <Button look="danger" onPress={() => setOpened('delete')}>
        Delete
      </Button>
      {removed && <ErrorNotice error={set.error} />}
      {opened === 'change' && <DefinitionDialog property={property} onClose={close} />}
      {opened === 'remove' && (
        <ConfirmDialog
          title={`Soft delete ${title}?`}
          action="Soft delete"
          isPending={set.isPending}
          error={set.error}
          onConfirm={() => set.mutate(true)}
          onClose={close}
        >
          <p>Its values are hidden everywhere, and searches that name it are refused, until it is restored.</p>
        </ConfirmDialog>
      )}
      {opened === 'delete' && <DeleteDialog property={property} onClose={close} />}
    </>
  );
}
