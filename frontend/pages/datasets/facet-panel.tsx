import { useState } from 'react';
import { BarList } from '../catalogue/bar-list.tsx';
import { Loading } from '../parts/loading.tsx';
import { PickerField } from '../parts/picker-field.tsx';
import type { DatasetSearch } from './dataset-search.ts';
import type { Facet } from './facets.ts';
import { labelOfFacetValue, type SearchableField, searchFieldNamed } from './search-fields.ts';

interface Props {
  readonly search: DatasetSearch;
  readonly facets: readonly Facet[] | undefined;
  readonly error: unknown;
  readonly fields: readonly SearchableField[];
  readonly onToggle: (field: string, value: string) => void;
  readonly onCount: (field: string) => void;
}

/** How many datasets have which value, as bars that narrow the search when they are pressed. */
export function FacetPanel({ search, facets, error, fields, onToggle, onCount }: Props) {
  const [isOpen, setOpen] = useState(() => matchMedia('(min-width: 64rem)').matches);
  // Why is said beside it, where the results would be.
  if (error !== null) return <p className="quiet">The values could not be counted.</p>;
  if (facets === undefined) return <Loading what="Counting" />;
  const others = fields.filter(({ field }) => !facets.some((facet) => facet.field === field));
  return (
    <details className="facets" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Narrow down</summary>
      <div className="stack">
        {facets.map(({ field, title, values }) => (
          <section key={field} aria-label={title}>
            <h2>{title}</h2>
            {values.length === 0 ? (
              <p className="quiet">No values.</p>
            ) : (
              <BarList
                label={title}
                unit="datasets"
                bars={values.map(({ value, count }) => ({
                  key: value,
                  label: labelOfFacetValue(searchFieldNamed(fields, field), value),
                  count,
                  isChosen: search.in?.[field]?.includes(value) === true,
                }))}
                onToggle={(value) => onToggle(field, value)}
              />
            )}
          </section>
        ))}
        {others.length > 0 && (
          <PickerField
            key={facets.length}
            label="Count the values of"
            placeholder="Property or field"
            options={others.map(({ field, title, hint }) => ({ value: field, label: title, hint }))}
            value={null}
            onChange={onCount}
          />
        )}
      </div>
    </details>
  );
}
