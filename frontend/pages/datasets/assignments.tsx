import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Assignment } from '../../../model/assignment.ts';
import type { OwnerMark } from '../../../model/wire/owner-mark.ts';
import { EntityLink } from '../catalogue/entity-link.tsx';
import { nameEntity } from '../catalogue/named-entity.ts';
import { OwnerLink } from '../catalogue/owner-link.tsx';
import type { Property } from '../catalogue/property.ts';
import { ValueTexts } from '../catalogue/value-text.tsx';
import { announce } from '../parts/announcer.tsx';
import { Button } from '../parts/button.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { ConfirmDialog } from '../parts/dialog.tsx';
import { Moment } from '../parts/moment.tsx';
import { useReturningFocus } from '../parts/returning-focus.ts';
import { AddValue } from './add-value.tsx';
import { removeValues } from './change-values.ts';
import type { Holder } from './dataset-query.ts';
import { OwnerWarning, ValueForm } from './value-form.tsx';
import './assignments.css';

interface Props {
  readonly holder: Holder;
  readonly entityType: 'dataset' | 'schemaField';
  readonly properties: readonly Property[];
  /** Reads the holder anew. */
  readonly onChanged: () => Promise<unknown>;
}

/** The values on one entity: shown, changed in place, added, removed. */
export function Assignments({ holder, entityType, properties, onChanged }: Props) {
  const [edited, setEdited] = useState<string>();
  const [removed, setRemoved] = useState<Assignment>();
  const focus = useReturningFocus();
  const known = new Map(properties.map((property) => [property.urn, property]));
  const ownerOf = (urn: string) => holder.owners?.find(({ propertyUrn }) => propertyUrn === urn);
  const close = () => {
    if (edited !== undefined) focus.returnTo(edited);
    setEdited(undefined);
  };
  const columns: Column<Assignment>[] = [
    {
      title: 'Property',
      cell: ({ propertyUrn }) => <PropertyName urn={propertyUrn} property={known.get(propertyUrn)} />,
    },
    {
      title: 'Value',
      cell: ({ propertyUrn, values }) => {
        const property = known.get(propertyUrn);
        if (edited !== propertyUrn || property === undefined) {
          return <ValueTexts values={values} definition={property?.definition} />;
        }
        const owner = ownerOf(propertyUrn);
        return <ValueForm {...{ property, values, owner }} holder={holder.urn} onSaved={onChanged} onClose={close} />;
      },
    },
    {
      title: 'Type',
      cell: ({ propertyUrn }) => <span className="quiet nowrap">{typeInWords(known.get(propertyUrn))}</span>,
    },
    {
      title: 'Managed by',
      cell: ({ propertyUrn }) => {
        const owner = ownerOf(propertyUrn);
        return owner === undefined ? <span className="quiet">by hand</span> : <OwnerLink owner={owner} />;
      },
    },
    { title: 'Changed', cell: (assignment) => <LastChange assignment={assignment} /> },
    {
      title: 'Actions',
      kind: 'actions',
      cell: (assignment) => {
        const property = known.get(assignment.propertyUrn);
        const title = property?.title ?? nameEntity(assignment.propertyUrn).name;
        if (edited === assignment.propertyUrn) return null;
        return (
          <>
            {property !== undefined && (
              <Button
                look="quiet"
                ref={focus.refOf(assignment.propertyUrn)}
                onPress={() => setEdited(assignment.propertyUrn)}
                aria-label={`Change ${title}`}
              >
                Change
              </Button>
            )}
            <Button look="quiet" onPress={() => setRemoved(assignment)} aria-label={`Remove ${title}`}>
              Remove
            </Button>
          </>
        );
      },
    },
  ];
  return (
    <div className="stack">
      <DataTable
        label={`Properties of ${nameEntity(holder.urn).name}`}
        columns={columns.filter(({ title }) => title !== 'Managed by' || holder.owners !== undefined)}
        rows={holder.assignments}
        keyOf={({ propertyUrn }) => propertyUrn}
        empty="No property has a value here."
      />
      <AddValue holder={holder} entityType={entityType} properties={properties} onSaved={onChanged} />
      {removed !== undefined && (
        <RemoveDialog
          holder={holder.urn}
          propertyUrn={removed.propertyUrn}
          title={known.get(removed.propertyUrn)?.title ?? removed.propertyUrn}
          warning={warningOf(ownerOf(removed.propertyUrn))}
          onRemoved={onChanged}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </div>
  );
}

function warningOf(owner: OwnerMark | undefined): ReactNode {
  return owner === undefined ? undefined : <OwnerWarning owner={owner} />;
}

function PropertyName({ urn, property }: { readonly urn: string; readonly property: Property | undefined }) {
  if (property === undefined) return <EntityLink urn={urn} />;
  return (
    <Link to="/properties/$name" params={{ name: property.name }} title={property.name} className="whole-words">
      {property.title}
    </Link>
  );
}

function LastChange({ assignment: { lastModified, created } }: { readonly assignment: Assignment }) {
  const time = (lastModified ?? created)?.time;
  return time === undefined ? <span className="quiet">–</span> : <Moment at={time} />;
}

function typeInWords(property: Property | undefined): string {
  if (property === undefined) return '';
  return `${property.valueType.replace('_', ' ')}${property.isMultiple ? ', several' : ''}`;
}

interface RemoveProps {
  readonly holder: string;
  readonly propertyUrn: string;
  readonly title: string;
  readonly warning: ReactNode;
  readonly onRemoved: () => Promise<unknown>;
  readonly onClose: () => void;
}

function RemoveDialog({ holder, propertyUrn, title, warning, onRemoved, onClose }: RemoveProps) {
  const remove = useMutation({
    mutationFn: () => removeValues(holder, propertyUrn),
    onSuccess: async () => {
      await onRemoved();
      announce(`Removed ${title}.`);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`Remove ${title}?`}
      action="Remove"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <div className="stack-tight">
        {warning}
        <p>Its values are taken from {nameEntity(holder).name}. The property itself stays.</p>
      </div>
    </ConfirmDialog>
  );
}
