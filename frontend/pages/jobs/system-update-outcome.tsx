import { useQuery } from '@tanstack/react-query';
import type { ShownJob } from '../../../model/wire/job.ts';
import { EntityLink } from '../catalogue/entity-link.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { Section } from '../parts/page.tsx';
import { endedJobQuery } from './jobs-query.ts';

/** Which fields of properties the new index has, and how many are gone. */
export function SystemUpdateOutcome({ job }: { readonly job: ShownJob }) {
  const result = useQuery(endedJobQuery(job)).data?.result;
  if (result === undefined) return null;
  const { entities, kept, removed } = result;
  return (
    <Section title="Outcome of the last system update">
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
    </Section>
  );
}
