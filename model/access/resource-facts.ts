import { listOf } from '../list-of.ts';
import { type ParsedUrn, parseUrn } from '../urn.ts';

/** What policies look at of an entity. */
export interface ResourceFacts {
  /** Names of types: a schema field also counts as a part of its dataset. */
  readonly types: readonly string[];
  /** URNs likewise. */
  readonly urns: readonly string[];
  readonly platforms: readonly string[];
  readonly domains: readonly string[];
  /** URNs of users and groups. */
  readonly owners: readonly string[];
}

type Aspects = Readonly<Record<string, { readonly value: Readonly<Record<string, unknown>> } | undefined>>;

/** Aspects that facts are taken from, beside the URN. */
export const FACT_ASPECTS: ReadonlySet<string> = new Set(['domains', 'ownership']);

/** @param aspects of the entity, or of the dataset of a schema field; none when it does not exist. */
export function factsOf(urn: ParsedUrn, aspects: Aspects = {}): ResourceFacts {
  const whole = wholeOf(urn);
  const both = whole === urn ? [urn] : [urn, whole];
  return {
    types: both.map(({ entityType }) => entityType.name),
    urns: both.map((each) => each.urn),
    platforms: platformsOf(whole),
    domains: domainsOf(aspects.domains?.value),
    owners: ownersOf(aspects.ownership?.value),
  };
}

/** The dataset of a schema field; anything else is itself. */
export function wholeOf(urn: ParsedUrn): ParsedUrn {
  return urn.entityType.name === 'schemaField' ? parseUrn(urn.key[0] ?? '') : urn;
}

/** URNs of users and groups that an aspect `ownership` names. */
export function ownersOf(ownership: Readonly<Record<string, unknown>> | undefined): string[] {
  return textsOf(listOf(ownership?.owners).map((owner) => (owner as { owner?: unknown } | null)?.owner));
}

/** URNs that an aspect `domains` names. */
export function domainsOf(domains: Readonly<Record<string, unknown>> | undefined): string[] {
  return textsOf(listOf(domains?.domains));
}

/** The URN, and the name, as an index knows a platform too. */
function platformsOf({ entityType, key: [platform = ''] }: ParsedUrn): string[] {
  return entityType.name === 'dataset' ? [platform, platform.replace(/^urn:li:dataPlatform:/u, '')] : [];
}

function textsOf(values: readonly unknown[]): string[] {
  return values.filter((value) => typeof value === 'string');
}
