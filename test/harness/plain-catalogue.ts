import fc from 'fast-check';
import { foldCase } from '../../api-server/search/fold.ts';
import { patternMatcher } from '../../model/pattern.ts';
import type { TypedValue } from '../../model/typed-value.ts';
import { structuredPropertyUrn } from '../../model/urn.ts';
import { daysOf, parseNumber } from '../../model/value-rules.ts';
import type { ValueType } from '../../model/value-type.ts';
import { compareText } from './memory-search-index.ts';
import { someNumber, someText } from './search-arbitraries.ts';

/** Catalogues as people think of them, without epochs, fields or an index: what searches are compared with. */

/**
 * - `broken`: a breaking change has hidden the values that entities had.
 * - `deleted`: hard deleted; entities still have values that nothing shows.
 */
type State = 'plain' | 'versioned' | 'removed' | 'removedVersioned' | 'broken' | 'deleted';

export interface PlainProperty {
  readonly qualifiedName: string;
  readonly type: ValueType;
  readonly state: State;
}

export interface PlainEntity {
  readonly urn: string;
  readonly entityType: 'dataset' | 'dataFlow';
  readonly name: string;
  /** Datasets only. */
  readonly platform?: string;
  readonly removed: boolean;
  /** By qualified name; of types number and date whole or fractional numbers and ISO dates. */
  readonly values: Readonly<Record<string, readonly (string | number)[]>>;
  /** Such as stand under an earlier definition, and nobody may find. */
  readonly hidden: Readonly<Record<string, readonly (string | number)[]>>;
}

export interface PlainCatalogue {
  readonly properties: readonly PlainProperty[];
  readonly entities: readonly PlainEntity[];
}

export const VERSION = '20240614080000';
const OLDER = '20230101000000';

const NAMES = {
  string: 'io.acme.text',
  number: 'io.acme.count',
  date: 'io.acme.day',
  rich_text: 'io.acme-rich.text',
  urn: 'io.acme.a:b',
} as const satisfies Record<ValueType, string>;

export const someDate = fc.constantFrom('1969-12-31', '1970-01-01', '2024-02-29', '2024-03-01');

function someValue(type: ValueType): fc.Arbitrary<string | number> {
  if (type === 'number') return someNumber;
  return type === 'date' ? someDate : someText;
}

const someProperty = (type: ValueType): fc.Arbitrary<PlainProperty> =>
  fc.record({
    qualifiedName: fc.constant(NAMES[type]),
    type: fc.constant(type),
    state: fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom('plain' as const, 'versioned' as const, 'broken' as const) },
      { weight: 1, arbitrary: fc.constantFrom('removed' as const, 'removedVersioned' as const, 'deleted' as const) },
    ),
  });

const TYPES = Object.keys(NAMES) as ValueType[];

const someValues = fc
  .tuple(...TYPES.map((type) => fc.array(someValue(type), { maxLength: 3 })))
  .map((lists) => Object.fromEntries(lists.map((list, index) => [NAMES[TYPES[index] ?? 'string'], list])));

const someEntity: fc.Arbitrary<PlainEntity> = fc
  .record({
    entityType: fc.constantFrom('dataset', 'dataset', 'dataFlow'),
    name: fc.constantFrom('a', 'B', 'orders v2', 'Ä', '😀', '\ue000', 'a.b'),
    platform: fc.constantFrom('hive', 'kafka'),
    removed: fc.boolean(),
    values: someValues,
    hidden: someValues,
  })
  .map(({ platform, ...rest }): PlainEntity => {
    const { entityType, name } = rest;
    return entityType === 'dataset'
      ? { ...rest, platform, urn: `urn:li:dataset:(urn:li:dataPlatform:${platform},${name},PROD)` }
      : { ...rest, urn: `urn:li:dataFlow:(airflow,${name},PROD)` };
  });

export const someCatalogue: fc.Arbitrary<PlainCatalogue> = fc.record({
  properties: fc.tuple(...TYPES.map(someProperty)),
  entities: fc.uniqueArray(someEntity, { selector: ({ urn }) => urn, minLength: 2, maxLength: 8 }),
});

/** One thing that is asked about: a property under one of its names, or a field of the entity, with texts to ask for. */
export interface Topic {
  /** In the query string; right names and others. */
  readonly queryNames: fc.Arbitrary<string>;
  /** In a filter. */
  readonly filterNames: fc.Arbitrary<string>;
  readonly texts: fc.Arbitrary<string>;
}

function propertyTopic(type: ValueType): Topic {
  const name = NAMES[type].replaceAll('.', '_');
  const queryNames = fc.constantFrom(
    `structuredProperties.${name}`,
    `structuredProperties.${name}.keyword`,
    `structuredProperties._versioned.${name}.${VERSION}.${type}`,
    `structuredProperties._versioned.${name}.${VERSION}.${type}.keyword`,
  );
  const older = fc.constantFrom(
    `structuredProperties._versioned.${name}.${OLDER}.${type}`,
    'structuredProperties.nobody',
  );
  const right = type === 'number' ? someNumber.map(String) : type === 'date' ? someDate : someText;
  const someNames = fc.oneof({ weight: 12, arbitrary: queryNames }, { weight: 1, arbitrary: older });
  return {
    queryNames: someNames,
    filterNames: fc.oneof(
      { weight: 4, arbitrary: fc.constant(`structuredProperties.${NAMES[type]}`) },
      { weight: 1, arbitrary: someNames },
    ),
    texts: fc.oneof(
      { weight: 40, arbitrary: right },
      { weight: 1, arbitrary: fc.oneof(someText, someNumber.map(String), someDate) },
    ),
  };
}

const ENTITY_TOPIC: Topic = {
  queryNames: fc.constantFrom('platform', 'platform.keyword', 'origin', 'urn'),
  filterNames: fc.constantFrom('platform', 'platform.keyword', 'origin', 'env', 'urn', 'nothing', 'browsePathV2'),
  texts: fc.constantFrom(
    'hive',
    'urn:li:dataPlatform:kafka',
    'PROD',
    'prod',
    'kaf',
    'urn:li:dataFlow:(airflow,B,PROD)',
  ),
};

export const someTopic: fc.Arbitrary<Topic> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...TYPES.map(propertyTopic)) },
  { weight: 1, arbitrary: fc.constant(ENTITY_TOPIC) },
);

/** What a name means in a catalogue: a typed field, nothing, or something that must not be asked for. */
export type Meaning =
  | { readonly kind: 'field'; readonly type: ValueType; readonly exact: boolean; readonly of: ValuesOf }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'refused' };

type ValuesOf = (entity: PlainEntity) => readonly (string | number)[];

/** What a name of the query string means. */
export function meaningOfQueryName(name: string, { properties }: PlainCatalogue): Meaning {
  const exact = name.endsWith('.keyword');
  const bare = exact ? name.slice(0, -'.keyword'.length) : name;
  const own = ownField(bare);
  if (own !== undefined) return { kind: 'field', type: 'string', exact, of: own };
  const property = properties.find(({ qualifiedName }) => {
    const underscored = qualifiedName.replaceAll('.', '_');
    return (
      bare === `structuredProperties.${underscored}` ||
      bare.startsWith(`structuredProperties._versioned.${underscored}.`)
    );
  });
  if (property === undefined || property.state === 'deleted') return { kind: 'nothing' };
  if (property.state.startsWith('removed')) return { kind: 'refused' };
  const underscored = property.qualifiedName.replaceAll('.', '_');
  const present =
    property.state === 'plain'
      ? `structuredProperties.${underscored}`
      : `structuredProperties._versioned.${underscored}.${VERSION}.${property.type}`;
  return bare === present ? fieldOf(property, exact) : { kind: 'nothing' };
}

/** What a name of a filter means: the dotted name is the live definition, whatever its version. */
export function meaningOfFilterName(name: string, catalogue: PlainCatalogue): Meaning {
  const property = catalogue.properties.find(({ qualifiedName }) => name === `structuredProperties.${qualifiedName}`);
  if (property !== undefined) {
    if (property.state === 'deleted') return { kind: 'nothing' };
    return property.state.startsWith('removed') ? { kind: 'refused' } : fieldOf(property, true);
  }
  if (name === 'env') return meaningOfQueryName('origin', catalogue);
  if (!name.startsWith('structuredProperties.') && ownField(name.replace('.keyword', '')) === undefined) {
    return { kind: 'nothing' };
  }
  return meaningOfQueryName(name, catalogue);
}

function fieldOf({ qualifiedName, type }: PlainProperty, exact: boolean): Meaning {
  return { kind: 'field', type, exact: exact || type === 'urn', of: ({ values }) => values[qualifiedName] ?? [] };
}

function ownField(name: string): ValuesOf | undefined {
  switch (name) {
    case 'urn':
      return ({ urn }) => [urn];
    case 'origin':
      return ({ entityType }) => (entityType === 'dataset' ? ['PROD'] : []);
    case 'platform':
      return ({ platform }) => (platform === undefined ? [] : [platform, `urn:li:dataPlatform:${platform}`]);
    default:
      return undefined;
  }
}

/** Whether a value equals, comes before or after another; ISO dates compare as texts do. */
export function compareValues(one: string | number, other: string | number, fold: boolean): number {
  if (typeof one === 'number' && typeof other === 'number') return one === other ? 0 : one - other;
  const text = (value: string | number) => (fold ? foldCase(String(value)) : String(value));
  return compareText(text(one), text(other));
}

/** Whether a text matches a pattern, without regard to case. */
export function matchesFolded(
  value: string | number,
  pattern: readonly ('*' | '?' | { readonly literal: string })[],
): boolean {
  const parts = pattern.map((part) => (typeof part === 'string' ? part : { literal: foldCase(part.literal) }));
  return patternMatcher(parts)(foldCase(String(value)));
}

/** What a text says as a value of the type; `undefined`: it says none. */
export function readAsked(text: string, type: ValueType): string | number | undefined {
  if (type === 'number') return parseNumber(text);
  return type === 'date' && daysOf(text) === undefined ? undefined : text;
}

export function typedValues(values: readonly (string | number)[]): TypedValue[] {
  return values.map((value) => (typeof value === 'number' ? { double: value } : { string: value }));
}

export function urnOfProperty({ qualifiedName }: PlainProperty): string {
  return structuredPropertyUrn(qualifiedName);
}
