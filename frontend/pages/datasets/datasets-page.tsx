import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { propertiesQuery } from '../catalogue/properties-query.ts';
import { Button } from '../parts/button.tsx';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Loading } from '../parts/loading.tsx';
import { MoreButton } from '../parts/more-button.tsx';
import { Page } from '../parts/page.tsx';
import { type DatasetSearch, isRestricted, toggleFacetValue } from './dataset-search.ts';
import { FacetPanel } from './facet-panel.tsx';
import { FilterBuilder } from './filter-builder.tsx';
import { Results } from './results.tsx';
import { searchFieldsOf } from './search-fields.ts';
import { facetCountsQuery, resultsQuery } from './search-query.ts';
import './datasets-page.css';

const route = getRouteApi('/signed-in/datasets');

/** Datasets by words, conditions and facets; the search is kept in the address. */
export function DatasetsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const known = useQuery(propertiesQuery);
  const properties = known.data?.properties ?? [];
  const facets = useQuery({ ...facetCountsQuery(search, properties), enabled: !known.isPending });
  const fields = searchFieldsOf(properties);
  const look = (next: DatasetSearch) => void navigate({ search: next, resetScroll: false });
  return (
    <Page title="Datasets" description="Find datasets by their names, and by the values of their properties.">
      <FilterBuilder search={search} fields={fields} onSearch={look} />
      <div className="datasets">
        <FacetPanel
          search={search}
          facets={facets.data}
          error={facets.error}
          fields={fields}
          onToggle={(field, value) => look(toggleFacetValue(search, field, value))}
          onCount={(field) => look({ ...search, count: [...(search.count ?? []), field] })}
        />
        <Found search={search} onReset={() => look({})} />
      </div>
    </Page>
  );
}

function Found({ search, onReset }: { readonly search: DatasetSearch; readonly onReset: () => void }) {
  const results = useInfiniteQuery(resultsQuery(search));
  const datasets = results.data?.pages.flatMap((page) => page.searchResults.map(({ entity }) => entity)) ?? [];
  const total = results.data?.pages[0]?.total;
  return (
    <section className="stack" aria-label="Results" aria-busy={results.isPlaceholderData}>
      <div className="row results-head">
        <p role="status">{total === undefined ? '' : <strong>{inWords(total)}</strong>}</p>
        {isRestricted(search) && <Button onPress={onReset}>Clear the search</Button>}
      </div>
      <ErrorNotice error={results.error} onRetry={() => void results.refetch()} />
      {results.isPending && <Loading what="Searching" />}
      {total === 0 && <p className="table-empty">No dataset meets this search.</p>}
      {datasets.length > 0 && <Results datasets={datasets} />}
      <MoreButton pages={results} />
    </section>
  );
}

function inWords(total: number): string {
  return total === 1 ? '1 dataset' : `${total.toLocaleString('en')} datasets`;
}
