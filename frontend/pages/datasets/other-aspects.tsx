import type { AspectAnswer, EntityAnswer } from '../catalogue/entity-answer.ts';
import { Moment } from '../parts/moment.tsx';
import './other-aspects.css';

/** Are shown elsewhere on the page. */
const SHOWN: readonly string[] = ['urn', 'owners', 'structuredProperties', 'schemaMetadata', 'status'];

/** What else is known of an entity, as it is stored. */
export function OtherAspects({ entity }: { readonly entity: EntityAnswer }) {
  const aspects = Object.entries(entity).filter(([name]) => !SHOWN.includes(name)) as [string, AspectAnswer][];
  if (aspects.length === 0) return <p className="quiet">There are none.</p>;
  return (
    <div className="stack-tight">
      {aspects.map(([name, { value, systemMetadata }]) => (
        <details key={name} className="aspect">
          <summary>
            {name}
            {systemMetadata?.aspectModified !== undefined && (
              <span className="quiet">
                {' '}
                changed <Moment at={systemMetadata.aspectModified.time} />
              </span>
            )}
          </summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
          <pre tabIndex={0}>{JSON.stringify(value, undefined, 2)}</pre>
        </details>
      ))}
    </div>
  );
}
