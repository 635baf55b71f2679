import type { ReactNode } from 'react';
import type { Stamp } from '../catalogue/entity-answer.ts';
import { nameEntity, typeInWords } from '../catalogue/named-entity.ts';
import { OwnerLink } from '../catalogue/owner-link.tsx';
import type { Property } from '../catalogue/property.ts';
import { textOfValue } from '../catalogue/value-texts.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Facts } from '../parts/facts.tsx';
import { Moment } from '../parts/moment.tsx';

/** What the definition says. */
export function DefinitionTable({ property }: { readonly property: Property }) {
  const { definition, entityTypes, modified, owner, revision } = property;
  const { version, immutable } = definition;
  const types = definition.typeQualifier?.allowedTypes;
  const facts: [name: string, value: ReactNode][] = [
    ['Values', property.isMultiple ? 'several' : 'one'],
    ['For', entityTypes.map(typeInWords).join(', ')],
    ['Version', version === undefined ? 'none' : <code key="version">{version}</code>],
    ['Once set, a value stays', immutable === true ? 'yes' : 'no'],
  ];
  if (owner !== undefined)
    facts.push(['Managed by', owner === null ? 'hand' : <OwnerLink key="owner" owner={owner} />]);
  if (types !== undefined) facts.push(['Names entities of type', types.map(lastWord).join(', ')]);
  if (modified !== undefined) facts.push(['Changed', <Change key="change" modified={modified} revision={revision} />]);
  return (
    <div className="stack">
      <Facts facts={facts} />
      <div className="stack-tight">
        <h3>Allowed values</h3>
        {definition.allowedValues === undefined ? (
          <p className="quiet">Any value of the type.</p>
        ) : (
          <DataTable
            label="Allowed values"
            columns={[
              { title: 'Value', cell: ({ value }) => textOfValue(value) },
              { title: 'Meaning', cell: ({ description }) => description ?? <span className="quiet">–</span> },
            ]}
            rows={definition.allowedValues}
            keyOf={({ value }) => JSON.stringify(value)}
            empty="None: the list is empty."
          />
        )}
      </div>
    </div>
  );
}

function Change({ modified, revision }: { readonly modified: Stamp; readonly revision: string | undefined }) {
  return (
    <>
      <Moment at={modified.time} /> by {nameEntity(modified.actor).name}
      {revision !== undefined && <span className="quiet"> (revision {revision})</span>}
    </>
  );
}

function lastWord(urn: string): string {
  return typeInWords(urn.slice(urn.lastIndexOf('.') + 1));
}
