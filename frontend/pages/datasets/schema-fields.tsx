import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SchemaFieldAnswer } from '../catalogue/entity-answer.ts';
import { useMaySeeMarks } from '../catalogue/may-see-marks.ts';
import type { Property } from '../catalogue/property.ts';
import { textOfValue } from '../catalogue/value-texts.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Dialog, DialogFooter } from '../parts/dialog.tsx';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Loading } from '../parts/loading.tsx';
import { Assignments } from './assignments.tsx';
import { fieldsQuery, fieldUrn, type Holder } from './dataset-query.ts';

interface Props {
  readonly dataset: string;
  readonly fields: readonly SchemaFieldAnswer[];
  readonly properties: readonly Property[];
  readonly onChanged: () => Promise<unknown>;
}

/** The fields of a dataset, each with its own values. */
export function SchemaFields({ dataset, fields, properties, onChanged }: Props) {
  const [opened, setOpened] = useState<string>();
  const withMarks = useMaySeeMarks();
  const {
    data: holders,
    error,
    refetch,
  } = useQuery({
    ...fieldsQuery(
      dataset,
      fields.map(({ fieldPath }) => fieldPath),
      withMarks,
    ),
    enabled: fields.length > 0,
  });
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (fields.length > 0 && holders === undefined) return <Loading what="Reading the values of the fields" />;
  const holderOf = (path: string): Holder =>
    holders?.get(path) ?? { urn: fieldUrn(dataset, path), assignments: [], owners: withMarks ? [] : undefined };
  const columns: Column<SchemaFieldAnswer>[] = [
    { title: 'Field', cell: ({ fieldPath }) => <code className="whole-words">{fieldPath}</code> },
    { title: 'Type', cell: ({ nativeDataType = '' }) => <span className="quiet whole-words">{nativeDataType}</span> },
    { title: 'Description', cell: ({ description = '' }) => description },
    { title: 'Properties', cell: ({ fieldPath }) => <Summary holder={holderOf(fieldPath)} properties={properties} /> },
    {
      title: 'Actions',
      kind: 'actions',
      cell: ({ fieldPath }) => (
        <Button look="quiet" onPress={() => setOpened(fieldPath)} aria-label={`Values of ${fieldPath}`}>
          Values
        </Button>
      ),
    },
  ];
  return (
    <>
      <DataTable
        label="Schema fields"
        columns={columns}
        rows={fields}
        keyOf={({ fieldPath }) => fieldPath}
        empty="The schema of this dataset is not known."
      />
      {opened !== undefined && (
        <Dialog title={`Values of the field ${opened}`} size="wide" onClose={() => setOpened(undefined)}>
          <Assignments
            holder={holderOf(opened)}
            entityType="schemaField"
            properties={properties}
            onChanged={onChanged}
          />
          <DialogFooter>
            <Button onPress={() => setOpened(undefined)}>Close</Button>
          </DialogFooter>
        </Dialog>
      )}
    </>
  );
}

function Summary({ holder, properties }: { readonly holder: Holder; readonly properties: readonly Property[] }) {
  if (holder.assignments.length === 0) return <span className="quiet">–</span>;
  return (
    <ul className="field-values">
      {holder.assignments.map(({ propertyUrn, values }) => {
        const title = properties.find(({ urn }) => urn === propertyUrn)?.title ?? propertyUrn;
        return (
          <li key={propertyUrn}>
            <span className="quiet">{title}:</span>{' '}
            {values.map((value) => {
              const text = textOfValue(value);
              return text.length > 40 ? <span key={text}>{text}</span> : <Badge key={text}>{text}</Badge>;
            })}
          </li>
        );
      })}
    </ul>
  );
}
