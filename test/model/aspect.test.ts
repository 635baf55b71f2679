import { describe, expect, it } from '@jest/globals';
import { aspectsOf, findAspect, isKnownAspect, parsePlainAspect } from '../../model/aspect.ts';
import { ENTITY_TYPES, type EntityTypeInfo, findEntityType } from '../../model/entity-type.ts';
import { keyAspectOf, parseUrn } from '../../model/urn.ts';

const typeOf = (name: string) => findEntityType(name) as EntityTypeInfo;
const dataset = parseUrn('urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)');

describe('an entity type', () => {
  it('is found by its name in any case', () => {
    expect(findEntityType('DATAFLOW')?.name).toBe('dataFlow');
    expect(findEntityType('structuredproperty')?.name).toBe('structuredProperty');
    expect(findEntityType('nothing')).toBeUndefined();
    expect(findEntityType('__proto__')).toBeUndefined();
  });

  it.each(ENTITY_TYPES)('has its key, its status and no aspect twice: $name', (entityType) => {
    const aspects = aspectsOf(entityType);
    expect(aspects.slice(0, 2)).toEqual([entityType.keyAspect, 'status']);
    expect(new Set(aspects).size).toBe(aspects.length);
    expect(aspects.includes('structuredProperties')).toBe(entityType.holdsProperties);
  });
});

describe('an aspect', () => {
  it('is found by its name in any case, and only on types that have it', () => {
    expect(findAspect(typeOf('dataset'), 'structuredproperties')).toBe('structuredProperties');
    expect(findAspect(typeOf('structuredProperty'), 'PROPERTYDEFINITION')).toBe('propertyDefinition');
    expect(findAspect(typeOf('dataset'), 'propertyDefinition')).toBeUndefined();
    expect(findAspect(typeOf('tag'), 'structuredProperties')).toBeUndefined();
    expect(findAspect(typeOf('structuredProperty'), 'structuredProperties')).toBeUndefined();
    expect(findAspect(typeOf('dataset'), 'constructor')).toBeUndefined();
  });

  it.each(ENTITY_TYPES)('of any type is known: $name', (entityType) => {
    for (const aspect of aspectsOf(entityType)) expect([aspect, isKnownAspect(aspect)]).toEqual([aspect, true]);
  });

  it('that no type has is unknown', () => {
    for (const name of ['', 'nothing', '__proto__']) expect(isKnownAspect(name)).toBe(false);
  });
});

describe('a status', () => {
  it.each([{ removed: true }, { removed: false }, {}])('may be %j', (body) => {
    expect(parsePlainAspect('status', body, dataset)).toEqual({ ok: true, value: body });
  });

  it('takes null for absent', () => {
    expect(parsePlainAspect('status', { removed: null }, dataset)).toEqual({ ok: true, value: {} });
  });

  it.each([[{ removed: 'true' }], [{ deleted: true }], [true], [null], [[]], [undefined]])(
    'is refused as %j',
    (body) => {
      expect(parsePlainAspect('status', body, dataset)).toMatchObject({ ok: false });
    },
  );
});

describe('settings of a property', () => {
  it('are flags', () => {
    const property = parseUrn('urn:li:structuredProperty:a.b');
    const settings = { isHidden: false, showInColumnsTable: true };
    expect(parsePlainAspect('structuredPropertySettings', settings, property)).toEqual({ ok: true, value: settings });
    expect(parsePlainAspect('structuredPropertySettings', { isHidden: 1 }, property)).toMatchObject({ ok: false });
    const contradiction = { isHidden: true, showInSearchFilters: true, showAsAssetBadge: true };
    expect(parsePlainAspect('structuredPropertySettings', contradiction, property)).toMatchObject({
      violations: [{ path: 'showInSearchFilters' }, { path: 'showAsAssetBadge' }],
    });
  });
});

describe('a key aspect', () => {
  const key = { platform: 'urn:li:dataPlatform:hive', name: 'a', origin: 'PROD' };

  it('says what the URN says', () => {
    expect(keyAspectOf(dataset)).toEqual(key);
    expect(parsePlainAspect('datasetKey', key, dataset)).toEqual({ ok: true, value: key });
  });

  it('is refused when it says something else, each field named', () => {
    expect(parsePlainAspect('datasetKey', { ...key, name: 'b', origin: 'DEV' }, dataset)).toEqual({
      ok: false,
      violations: [
        { code: 'key-mismatch', path: 'name', message: 'must be a, as in the URN' },
        { code: 'key-mismatch', path: 'origin', message: 'must be PROD, as in the URN' },
      ],
    });
    expect(parsePlainAspect('datasetKey', { name: 'a' }, dataset)).toMatchObject({ ok: false });
  });
});

describe('any other aspect', () => {
  it('is an object that is kept as it is', () => {
    const body = { tags: [{ tag: 'urn:li:tag:x', context: null }], deep: { er: [1, null, 'x'] } };
    expect(parsePlainAspect('globalTags', body, dataset)).toEqual({ ok: true, value: body });
  });

  it.each([['x'], [1], [null], [undefined], [[]]])('is refused as %j', (body) => {
    expect(parsePlainAspect('globalTags', body, dataset)).toMatchObject({ ok: false });
  });
});
