import type { SystemUpdateResult } from '../../../model/wire/job.ts';
import { EntityLink } from '../catalogue/entity-link.tsx';
import { DataTable } from '../parts/data-table.tsx';

/** Which fields of properties a new index has, and which are gone. */
export function SystemUpdateOutcome({ result }: { readonly result: SystemUpdateResult }) {
  const { entities, kept, removed } = result;
  return (
    <div className="stack">
      <p>
        The new index has {entities.toLocaleString('en')} entities, and fields of {kept.length} properties;{' '}
        {removed.length} fields were removed.
      </p>
      <DataTable
        label="Fields that were kept"
        columns={[
          {
            title: 'Property',
            cell: ({ propertyUrn, field = '' }) =>
              propertyUrn === undefined ? <code>{field}</code> : <EntityLink urn={propertyUrn} />,
          },
          { title: 'Why it was kept', cell: ({ why }) => why },
          { title: 'Entities', kind: 'number', cell: ({ entities: having }) => having.toLocaleString('en') },
        ]}
        rows={kept}
        keyOf={({ propertyUrn = '', field = '' }) => `${propertyUrn} ${field}`}
        empty="No property has a value."
      />
    </div>
  );
}
