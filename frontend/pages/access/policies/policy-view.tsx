import type { ShownPolicy } from '../../../../model/wire/access.ts';
import { Facts } from '../../parts/facts.tsx';
import { Section } from '../../parts/page.tsx';
import { conditionLabel, fieldLabel } from './criterion-words.ts';
import { actorsOf, labelOfPrivilege } from './policy-words.tsx';

/** A policy that cannot be changed here. */
export function PolicyView({ policy }: { readonly policy: ShownPolicy }) {
  const { id, description, type, privileges, resources } = policy;
  return (
    <Section title="What it says">
      <Facts
        facts={[
          ['Id', <code key="id">{id}</code>],
          ...(description === '' ? [] : [['Description', description] as const]),
          ['Grants', <Lines key="grants" lines={privileges.map(labelOfPrivilege)} />],
          ['To', <Lines key="to" lines={actorsOf(policy)} />],
          ...(type === 'METADATA'
            ? [['On', <Lines key="on" lines={linesOf(resources?.filter ?? [])} />] as const]
            : []),
        ]}
      />
    </Section>
  );
}

function linesOf(filter: NonNullable<ShownPolicy['resources']>['filter']): string[] {
  if (filter.length === 0) return ['Every entity'];
  return filter.map(
    ({ field, condition, values }) => `${fieldLabel(field)} ${conditionLabel(condition)} ${values.join(' or ')}`,
  );
}

function Lines({ lines }: { readonly lines: readonly string[] }) {
  return lines.map((line) => <div key={line}>{line}</div>);
}
