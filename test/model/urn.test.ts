import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ENTITY_TYPES } from '../../model/entity-type.ts';
import {
  datasetUrn,
  entityTypeNameOf,
  InvalidUrnError,
  isUrnText,
  keyAspectOf,
  parseUrn,
  schemaFieldUrn,
  structuredPropertyUrn,
  tryParseUrn,
} from '../../model/urn.ts';
import { anyName, pairedName, plainName, platform, word } from '../harness/urn-arbitraries.ts';

const trimmed = anyName.map((name) => name.trim()).filter((name) => name !== '');
const TUPLES = new Set(ENTITY_TYPES.filter(({ keyFields }) => keyFields.length > 1).map(({ name }) => name));

/** Parsing must give exactly these parts, and keep the text as it is. */
function expectParts(text: string, key: readonly string[]): void {
  const parsed = parseUrn(text);
  expect(parsed.urn).toBe(text);
  expect(parsed.key).toEqual(key);
  expect(Object.values(keyAspectOf(parsed))).toEqual(key);
  expect(Object.keys(keyAspectOf(parsed))).toEqual(parsed.entityType.keyFields);
}

describe('parseUrn', () => {
  it.each(ENTITY_TYPES.filter(({ name }) => !TUPLES.has(name)))('reads any id of a $name whole', ({ name }) => {
    fc.assert(fc.property(trimmed, (id) => expectParts(`urn:li:${name}:${id}`, [id])));
  });

  it('reads datasets whose names hold anything', () => {
    fc.assert(
      fc.property(platform, anyName, word, (onPlatform, name, environment) => {
        const platformUrn = `urn:li:dataPlatform:${onPlatform}`;
        expectParts(datasetUrn(onPlatform, name, environment), [platformUrn, name, environment]);
      }),
    );
  });

  it('reads data flows whose names hold anything', () => {
    fc.assert(
      fc.property(platform, anyName, plainName, (orchestrator, id, cluster) => {
        expectParts(`urn:li:dataFlow:(${orchestrator},${id},${cluster})`, [orchestrator, id, cluster]);
      }),
    );
  });

  it.each(['chart', 'dashboard'])('reads a %s whose id holds anything', (name) => {
    fc.assert(fc.property(platform, anyName, (tool, id) => expectParts(`urn:li:${name}:(${tool},${id})`, [tool, id])));
  });

  it('reads schema fields of datasets whose names hold commas and paired parentheses', () => {
    fc.assert(
      fc.property(platform, pairedName, word, anyName, (onPlatform, name, environment, fieldPath) => {
        const dataset = datasetUrn(onPlatform, name, environment);
        expectParts(schemaFieldUrn(dataset, fieldPath), [dataset, fieldPath]);
      }),
      { numRuns: 500 },
    );
  });

  it('reads data jobs of flows whose names hold commas and paired parentheses', () => {
    fc.assert(
      fc.property(platform, pairedName, word, anyName, (orchestrator, name, cluster, job) => {
        const flow = `urn:li:dataFlow:(${orchestrator},${name},${cluster})`;
        expectParts(`urn:li:dataJob:(${flow},${job})`, [flow, job]);
      }),
      { numRuns: 500 },
    );
  });

  it.each(['a)b', 'a(b', ')', '((', 'f(x', 'x) y', 'a)(b', 'x,y)b'])(
    'reads schema fields of the dataset "%s", whose parentheses do not pair',
    (name) => {
      const dataset = datasetUrn('hive', name, 'PROD');
      for (const fieldPath of ['email', 'a.b', '[version=2.0].[type=string].email', 'a,b']) {
        expectParts(schemaFieldUrn(dataset, fieldPath), [dataset, fieldPath]);
      }
    },
  );

  it('reads schema fields of field paths with brackets, dots, commas and parentheses', () => {
    const dataset = datasetUrn('kafka', 'logs.clicks', 'PROD');
    for (const fieldPath of [
      '[version=2.0].[type=Order].[type=array].items.[type=string].sku',
      'price,net',
      'map(a,b),c',
      'a),b,PROD),c',
      'with blank',
      ',',
    ]) {
      expectParts(schemaFieldUrn(dataset, fieldPath), [dataset, fieldPath]);
    }
  });

  it('reads schema fields of other parents than datasets', () => {
    expectParts('urn:li:schemaField:(urn:li:chart:(looker,sales.q1),amount)', [
      'urn:li:chart:(looker,sales.q1)',
      'amount',
    ]);
    expectParts('urn:li:schemaField:(urn:li:container:abc,a,b)', ['urn:li:container:abc', 'a,b']);
    const job = 'urn:li:dataJob:(urn:li:dataFlow:(airflow,f(1,2),prod),load (x))';
    expectParts(`urn:li:schemaField:(${job},out)`, [job, 'out']);
  });

  it.each([
    ['', 'expected urn:li:'],
    ['dataset', 'expected urn:li:'],
    ['urn:li:dataset', 'expected urn:li:'],
    ['urn:li:dataset:', 'expected urn:li:'],
    ['urn:li::x', 'expected urn:li:'],
    ['URN:LI:tag:x', 'expected urn:li:'],
    ['urn:other:tag:x', 'expected urn:li:'],
    ['xurn:li:tag:x', 'expected urn:li:'],
    [' urn:li:tag:x', 'expected urn:li:'],
    ['urn:li:data set:x', 'expected urn:li:'],
    ['urn:li:tag:x ', 'it has blanks around it'],
    ['urn:li:tag:x\n', 'it has blanks around it'],
    ['urn:li:tag:\ud800', 'it is not well-formed Unicode'],
    ['urn:li:FOOBAR:x', 'unknown entity type FOOBAR'],
    ['urn:li:structuredproperty:a.b', 'the entity type is written structuredProperty'],
    ['urn:li:dataset:x', 'expected urn:li:dataset:(platform,name,origin)'],
    ['urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD', 'expected urn:li:dataset:(platform,name,origin)'],
    ['urn:li:dataset:()', 'expected (platform,name,origin)'],
    ['urn:li:dataset:(urn:li:dataPlatform:hive)', 'expected (platform,name,origin)'],
    ['urn:li:dataset:(urn:li:dataPlatform:hive,a)', 'expected (platform,name,origin)'],
    ['urn:li:dataset:(urn:li:dataPlatform:hive,,PROD)', 'expected (platform,name,origin)'],
    ['urn:li:dataset:(urn:li:dataPlatform:hive,a,)', 'expected (platform,name,origin)'],
    ['urn:li:dataset:(,a,PROD)', 'expected (platform,name,origin)'],
    ['urn:li:dataset:(hive,a,PROD)', 'the platform is written urn:li:dataPlatform:<platform>'],
    ['urn:li:dataset:(urn:li:dataPlatform:,a,PROD)', 'the platform is written'],
    ['urn:li:dataset:(urn:li:dataPlatform:hi ve,a,PROD)', 'the platform is written'],
    ['urn:li:dataset:(urn:li:tag:hive,a,PROD)', 'the platform is written'],
    ['urn:li:dataset:(urn:li:dataPlatform:hive,a,PR OD)', 'the environment PR OD is not a word'],
    ['urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD))', 'the environment PROD) is not a word'],
    ['urn:li:dataFlow:(airflow,a)', 'expected (orchestrator,flowId,cluster)'],
    ['urn:li:chart:(looker)', 'expected (dashboardTool,chartId)'],
    ['urn:li:chart:(looker,)', 'expected (dashboardTool,chartId)'],
    ['urn:li:schemaField:(urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD))', 'expected (parent,fieldPath)'],
    ['urn:li:schemaField:(urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD),)', 'expected (parent,fieldPath)'],
    ['urn:li:schemaField:(urn:li:dataset:(hive,a,PROD),x)', 'urn:li:dataset:(hive,a,PROD) is no URN'],
    ['urn:li:schemaField:(nothing,x)', 'nothing is no URN'],
    [
      'urn:li:dataJob:(urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD),x)',
      'urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD) is no data flow',
    ],
    ['urn:li:dataJob:(urn:li:dataFlow:(airflow,a),x)', 'urn:li:dataFlow:(airflow,a) is no URN'],
    ['urn:li:dataJob:(airflow,x)', 'airflow is no URN'],
    [
      'urn:li:schemaField:(urn:li:schemaField:(urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD),x),y)',
      'a schema field has no schema fields',
    ],
  ])('refuses "%s", because %s', (text, reason) => {
    expect(() => parseUrn(text)).toThrow(InvalidUrnError);
    expect(() => parseUrn(text)).toThrow(`Invalid urn!: ${text} (${reason}`);
    expect(tryParseUrn(text)).toBeUndefined();
  });

  it('reads any text or refuses it, and what it reads it keeps', () => {
    const pieces = fc.constantFrom(
      'urn:li:',
      'dataset',
      'schemaField',
      'dataJob',
      ':',
      '(',
      ')',
      ',',
      'x',
      ' ',
      'PROD',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 14 }), (list) => {
        const text = list.join('');
        const parsed = tryParseUrn(text);
        if (parsed !== undefined) expect(`urn:li:${parsed.entityType.name}:${parsed.id}`).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  it('answers on texts that nest or repeat without end', () => {
    expect(tryParseUrn(`${'urn:li:schemaField:('.repeat(50_000)}x,a)`)).toBeUndefined();
    expect(tryParseUrn(`${'urn:li:dataJob:('.repeat(50_000)}x`)).toBeUndefined();
    expect(
      tryParseUrn(`${'urn:li:dataJob:('.repeat(50_000)}urn:li:dataFlow:(a,b,c)${',x)'.repeat(50_000)}`),
    ).toBeUndefined();
    expect(tryParseUrn(`urn:li:schemaField:(${'urn:li:dataset:(a,b),'.repeat(50_000)}x)`)).toBeUndefined();
  });

  it('shortens what it quotes', () => {
    const text = `urn:li:nothing:${'x'.repeat(10_000)}`;
    expect(() => parseUrn(text)).toThrow(/^Invalid urn!: urn:li:nothing:x{285}… \(unknown entity type nothing\)$/u);
  });
});

describe('structuredPropertyUrn', () => {
  it('puts the qualified name behind the entity type', () => {
    expect(structuredPropertyUrn('com.example.a')).toBe('urn:li:structuredProperty:com.example.a');
  });
});

describe('isUrnText', () => {
  it.each(['urn:li:tag:x', 'urn:li:mlModel:(a,b)', 'urn:li:corpuser:a b'])('holds for %s', (text) => {
    expect(isUrnText(text)).toBe(true);
  });
  it.each(['', 'x', 'urn:li:tag:', 'urn:li::x', 'urn:li:tag: x', 'urn:li:tag:x ', ' urn:li:tag:x', 'urn:li:1:x'])(
    'does not hold for "%s"',
    (text) => {
      expect(isUrnText(text)).toBe(false);
    },
  );
  it('holds for whatever parseUrn reads, and names the same entity type', () => {
    fc.assert(
      fc.property(fc.constantFrom('tag', 'structuredProperty'), trimmed, (type, id) => {
        const { urn, entityType } = parseUrn(`urn:li:${type}:${id}`);
        expect(isUrnText(urn)).toBe(true);
        expect(entityTypeNameOf(urn)).toBe(entityType.name);
      }),
    );
  });
});
