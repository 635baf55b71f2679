import { EntityLink } from '../catalogue/entity-link.tsx';
import { nameEntity } from '../catalogue/named-entity.ts';
import { Badge } from '../parts/badge.tsx';
import type { FoundDataset } from './search-query.ts';

/** The datasets that were found. */
export function Results({ datasets }: { readonly datasets: readonly FoundDataset[] }) {
  return (
    <ul className="results" aria-label="Datasets that were found">
      {datasets.map((dataset) => (
        <li key={dataset.urn}>
          <Result dataset={dataset} />
        </li>
      ))}
    </ul>
  );
}

function Result({ dataset }: { readonly dataset: FoundDataset }) {
  const { platform, environment } = nameEntity(dataset.urn);
  const held = dataset.structuredProperties?.properties?.length ?? 0;
  const description = dataset.editableProperties?.description ?? dataset.properties?.description;
  return (
    <>
      <div className="result-name">
        <EntityLink urn={dataset.urn} />
      </div>
      {description && <p className="result-description">{description}</p>}
      <div className="row">
        <Badge kind="accent">{platform}</Badge>
        <Badge>{environment}</Badge>
        {dataset.subTypes?.typeNames?.map((type) => (
          <Badge key={type}>{type}</Badge>
        ))}
        <span className="quiet">{held === 1 ? '1 property' : `${held} properties`}</span>
      </div>
    </>
  );
}
