import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { EntityAnswer } from '../catalogue/entity-answer.ts';
import { useMaySeeMarks } from '../catalogue/may-see-marks.ts';
import { nameEntity } from '../catalogue/named-entity.ts';
import { propertiesQuery } from '../catalogue/properties-query.ts';
import { Badge } from '../parts/badge.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Loading } from '../parts/loading.tsx';
import { Notice } from '../parts/notice.tsx';
import { Page, Section } from '../parts/page.tsx';
import { Assignments } from './assignments.tsx';
import { datasetQuery, holderOf } from './dataset-query.ts';
import { OtherAspects } from './other-aspects.tsx';
import { SchemaFields } from './schema-fields.tsx';

const route = getRouteApi('/signed-in/datasets/$urn');

/** A dataset: what it is, its values, its fields with theirs. */
export function DatasetPage() {
  const { urn } = route.useParams();
  const dataset = useQuery(datasetQuery(urn, useMaySeeMarks()));
  const properties = useQuery(propertiesQuery);
  const { name, platform, environment } = nameEntity(urn);
  const error = dataset.error ?? properties.error;
  const retry = () => void Promise.all([dataset.refetch(), properties.refetch()]);
  return (
    <Page
      title={name}
      above={[
        <Link key="datasets" to="/datasets">
          Datasets
        </Link>,
      ]}
      description={descriptionOf(dataset.data)}
      actions={<CopyButton text={urn} label="Copy the URN" />}
    >
      <p className="row">
        {platform !== undefined && <Badge kind="accent">{platform}</Badge>}
        {environment !== undefined && <Badge>{environment}</Badge>}
        {dataset.data?.subTypes?.value.typeNames?.map((type) => (
          <Badge key={type}>{type}</Badge>
        ))}
      </p>
      {dataset.data?.status?.value.removed === true && (
        <Notice kind="warn">This dataset is soft deleted: searches do not show it.</Notice>
      )}
      <ErrorNotice error={error} onRetry={retry} />
      {error === null && (dataset.isPending || properties.isPending) && <Loading />}
      {dataset.data !== undefined && !properties.isPending && (
        <Contents urn={urn} dataset={dataset.data} properties={properties.data?.properties ?? []} />
      )}
    </Page>
  );
}

interface ContentsProps {
  readonly urn: string;
  readonly dataset: EntityAnswer;
  readonly properties: Parameters<typeof Assignments>[0]['properties'];
}

function Contents({ urn, dataset, properties }: ContentsProps) {
  const queries = useQueryClient();
  const readAgain = () => queries.invalidateQueries({ queryKey: ['dataset', urn] });
  return (
    <>
      <Section title="Properties">
        <Assignments holder={holderOf(dataset)} entityType="dataset" properties={properties} onChanged={readAgain} />
      </Section>
      <Section title="Schema fields">
        <SchemaFields
          dataset={urn}
          fields={dataset.schemaMetadata?.value.fields ?? []}
          properties={properties}
          onChanged={readAgain}
        />
      </Section>
      <Section title="Other aspects">
        <OtherAspects entity={dataset} />
      </Section>
    </>
  );
}

function descriptionOf(dataset: EntityAnswer | undefined): string | undefined {
  return dataset?.editableDatasetProperties?.value.description ?? dataset?.datasetProperties?.value.description;
}
