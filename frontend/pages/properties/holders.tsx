import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Bar, BarList } from '../catalogue/bar-list.tsx';
import { EntityLink, typeOfUrn } from '../catalogue/entity-link.tsx';
import { nameEntity, typeInWords } from '../catalogue/named-entity.ts';
import { type Property, searchFieldOf } from '../catalogue/property.ts';
import { textOfCounted } from '../catalogue/value-texts.ts';
import { DataTable } from '../parts/data-table.tsx';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Loading } from '../parts/loading.tsx';
import { MoreButton } from '../parts/more-button.tsx';
import { type Counted, describeHoldings } from './holdings.ts';
import { holdersQuery, holdingsQuery } from './holdings-query.ts';
import './holders.css';

const VALUES_SHOWN = 100;

/** Who holds a property: counted by type, platform and value, and listed. */
export function Holders({ property }: { readonly property: Property }) {
  const { name, valueType } = property;
  const holdings = useQuery(holdingsQuery(name));
  const holders = useInfiniteQuery(holdersQuery(name));
  const error = holdings.error ?? holders.error;
  if (error !== null) {
    return <ErrorNotice error={error} onRetry={() => void Promise.all([holdings.refetch(), holders.refetch()])} />;
  }
  if (holdings.data === undefined || holders.data === undefined) return <Loading what="Looking for holders" />;
  if (holdings.data.holders === 0) return <p className="quiet">Nothing has a value of it.</p>;
  const urns = holders.data.pages.flatMap(({ searchResults }) => searchResults.map(({ entity }) => entity.urn));
  const { byType, byPlatform, byValue } = holdings.data;
  return (
    <div className="stack">
      <div className="row">
        <p>{describeHoldings(holdings.data)}</p>
        <Link
          to="/datasets"
          search={{ where: [{ field: searchFieldOf(name), is: 'exists', values: [] }], count: [searchFieldOf(name)] }}
        >
          Search these datasets
        </Link>
      </div>
      <div className="where-used">
        <Chart title="By entity type" bars={byType} label={typeInWords} />
        {byPlatform.length > 0 && <Chart title="By platform" bars={byPlatform} label={(urn) => nameEntity(urn).name} />}
        <Chart
          title="By value"
          bars={byValue.slice(0, VALUES_SHOWN)}
          label={(value) => textOfCounted(value, valueType)}
        />
      </div>
      <DataTable
        label="Holders"
        columns={[
          { title: 'Entity', cell: (urn) => <EntityLink urn={urn} isLong /> },
          { title: 'Type', cell: (urn) => typeOfUrn(urn) },
        ]}
        rows={urns}
        keyOf={(urn) => urn}
        empty="Nothing has a value of it."
      />
      <MoreButton pages={holders} />
    </div>
  );
}

interface ChartProps {
  readonly title: string;
  readonly bars: readonly Counted[];
  readonly label: (value: string) => string;
}

function Chart({ title, bars, label }: ChartProps) {
  const shown: Bar[] = bars.map(({ value, count }) => ({ key: value, label: label(value), count }));
  return (
    <section className="stack-tight" aria-label={title}>
      <h3>{title}</h3>
      <BarList label={title} unit="holders" bars={shown} />
    </section>
  );
}
