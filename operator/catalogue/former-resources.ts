import type { HttpClient } from '../../client/http-client.ts';
import { placeSource } from '../../client/source-records.ts';
import type { ResourceId } from '../../model/resource/identity.ts';
import type { SourcePlace, SourceRecord } from '../../model/wire/source-record.ts';
import { counted } from '../../process/text.ts';
import { mapConcurrently } from '../runtime/map-concurrently.ts';
import { type Catalogue, isOnAssignment } from './catalogue.ts';

/** Resources that are known from before this life of the operator and are not found: nobody saw them go. */
export interface FormerResources {
  /** Why they are not to be deleted unasked; `undefined`: nothing speaks against it. @throws AnyHttpError */
  whyAsk(ids: readonly ResourceId[]): Promise<string | undefined>;
  /** Each of them is found, or is deleted, or asked about. @throws AnyHttpError */
  settled(): Promise<void>;
}

export interface FormerResourcesOptions {
  readonly http: HttpClient;
  readonly catalogue: Pick<Catalogue, 'marksOf' | 'readProperties' | 'countHolders'>;
  /** As the operator has found it. */
  readonly source: SourceRecord;
  /** Where it looks for resources. */
  readonly place: SourcePlace;
  /** So many holders may lose values without a question. */
  readonly holdAbove: number;
}

const AT_ONCE = 4;

export function createFormerResources(options: FormerResourcesOptions): FormerResources {
  const { http, catalogue, source, place, holdAbove } = options;
  let isKnownPlace = isSame(source.place, place);

  return {
    async whyAsk(ids) {
      if (!isKnownPlace) return describeMove(source, place);
      const losses = await mapConcurrently(ids, AT_ONCE, (id) => lossBy(id, catalogue));
      const unknown = losses.includes(undefined);
      const total = losses.reduce<number>((sum, loss) => sum + (loss ?? 0), 0);
      if (!unknown && total <= holdAbove) return undefined;
      const many = unknown
        ? 'it cannot be told now how many entities would lose values'
        : `${counted(total, 'entity', 'entities')} would lose values`;
      return `gone while the operator was down, and ${many} (HOLD_DELETIONS_ABOVE=${holdAbove})`;
    },
    async settled() {
      if (isKnownPlace) return;
      await placeSource(http, source.name, place);
      isKnownPlace = true;
    },
  };
}

/** How many entities the deletion of a resource would take values from; `undefined`: that cannot be told now. */
async function lossBy(id: ResourceId, catalogue: FormerResourcesOptions['catalogue']): Promise<number | undefined> {
  const marks = (await catalogue.marksOf(id)).filter(({ deletionPolicy }) => deletionPolicy !== 'Retain');
  const holders = new Set(marks.filter(isOnAssignment).map(({ urn }) => urn));
  const properties = await catalogue.readProperties(
    marks.filter((mark) => !isOnAssignment(mark)).map(({ urn }) => urn),
  );
  let sum: number | undefined = holders.size;
  for (const { definition, removed } of properties.values()) {
    // Its values are hidden already.
    if (definition === undefined || removed) continue;
    const count = await catalogue.countHolders(definition);
    sum = sum === undefined || count === undefined ? undefined : sum + count;
  }
  return sum;
}

function isSame(one: SourcePlace | undefined, other: SourcePlace): boolean {
  const globs = (place: SourcePlace) => JSON.stringify(place.manifests.toSorted());
  return one !== undefined && one.host === other.host && globs(one) === globs(other);
}

function describeMove({ name, place: before }: SourceRecord, place: SourcePlace): string {
  const here = `${place.manifests.join(', ')} on ${place.host}`;
  if (before === undefined) return `not found in ${here}, which the source ${name} never looked at before`;
  return `not found in ${here}; before, the source ${name} looked at ${before.manifests.join(', ')} on ${before.host}`;
}
