import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { problemsOf, readTexts, textOfValue, valueOfText } from '../../../frontend/pages/catalogue/value-texts.ts';
import type { Definition } from '../../../model/definition.ts';

function definition(valueType: string, more: Partial<Definition> = {}): Definition {
  return { qualifiedName: 'a.b', valueType: `urn:li:dataType:datahub.${valueType}`, entityTypes: [], ...more };
}

describe('a value as text', () => {
  it('is the same value when it is read again', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (double) => {
        const value = { double: double === 0 ? 0 : double };
        expect(valueOfText(textOfValue(value), 'number')).toEqual(value);
      }),
    );
    fc.assert(
      fc.property(fc.string(), (string) => expect(valueOfText(textOfValue({ string }), 'string')).toEqual({ string })),
    );
  });

  it('stays a text when it is no number, so that whoever checks it can say so', () => {
    expect(valueOfText('x', 'number')).toEqual({ string: 'x' });
  });
});

describe('readTexts', () => {
  it('leaves blank fields out', () => {
    expect(readTexts(['30', ' ', '90'], definition('number')).values).toEqual([{ double: 30 }, { double: 90 }]);
  });

  it.each([
    ['number', 'many', 'should be a number'],
    ['date', '2026-02-30', 'should be a date'],
    ['urn', 'ada', 'should be a URN'],
  ])('says at the field of a %s what is wrong with it', (valueType, text, problem) => {
    const { problems } = readTexts(['', text], definition(valueType));
    expect([...problems.keys()]).toEqual([1]);
    expect(problems.get(1)).toContain(problem);
  });

  it('knows the entity types that a URN may be of', () => {
    const users = definition('urn', { typeQualifier: { allowedTypes: ['urn:li:entityType:datahub.corpuser'] } });
    expect(readTexts(['urn:li:corpuser:ada'], users).problems.size).toBe(0);
    expect(readTexts(['urn:li:corpGroup:risk'], users).problems.get(0)).toContain('one of [corpuser]');
  });
});

describe('problemsOf', () => {
  it('puts what the server refuses at the field that the value came from, blank ones counted', () => {
    const problems = problemsOf(
      [
        {
          path: 'properties[3].values[1]',
          message: 'Property: urn:li:structuredProperty:a.b, value: {double=31.0} should be …',
        },
        { path: 'properties[3].values', message: 'too many' },
      ],
      ['30', '', '31'],
    );
    expect([...problems]).toEqual([
      [2, '{double=31.0} should be …'],
      [-1, 'too many'],
    ]);
  });
});
