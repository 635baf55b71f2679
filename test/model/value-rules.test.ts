import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { TypedValue } from '../../model/typed-value.ts';
import { checkValue, daysOf, parseNumber } from '../../model/value-rules.ts';
import type { ValueType } from '../../model/value-type.ts';

function accepts(valueType: ValueType, value: TypedValue): TypedValue | undefined {
  const checked = checkValue({ valueType }, value);
  return 'value' in checked ? checked.value : undefined;
}

function problem(valueType: ValueType, value: TypedValue): string {
  const checked = checkValue({ valueType }, value);
  return 'problem' in checked ? checked.problem : '';
}

describe('a value of type string or rich_text', () => {
  it.each(['string', 'rich_text'] as const)('is any string: %s', (valueType) => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(accepts(valueType, { string: text })).toEqual({ string: text });
      }),
    );
    expect(problem(valueType, { double: 1 })).toBe('value: {double=1.0} should be a string');
  });
});

describe('a value of type number', () => {
  it('is a finite double and keeps it', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (double) => {
        expect(accepts('number', { double })).toEqual({ double: double === 0 ? 0 : double });
      }),
    );
    for (const double of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      expect(problem('number', { double })).toContain('should be a number');
    }
  });

  it('is zero for negative zero, which JSON cannot tell apart', () => {
    expect(Object.is((accepts('number', { double: -0 }) as { double: number }).double, 0)).toBe(true);
    expect(Object.is((accepts('number', { string: '-0.0' }) as { double: number }).double, 0)).toBe(true);
  });

  it('may be sent as decimal text and is stored as the number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (double) => {
        expect(accepts('number', { string: String(double) })).toEqual({ double: double === 0 ? 0 : double });
      }),
    );
    expect(accepts('number', { string: '30' })).toEqual({ double: 30 });
  });

  it.each([
    ['30', 30],
    ['30.0', 30],
    ['+1.5', 1.5],
    ['-.5', -0.5],
    ['5.', 5],
    ['1e3', 1000],
    ['1E-2', 0.01],
    [' 7 ', 7],
    ['007', 7],
  ])('reads "%s" as %d', (text, number) => {
    expect(parseNumber(text)).toBe(number);
  });

  it.each(['', ' ', '.', '-', 'e5', '1e', '1,5', '1 2', '0x10', 'NaN', 'Infinity', '1e999', '٣', '1_000', 'ten'])(
    'does not read "%s"',
    (text) => {
      expect(parseNumber(text)).toBeUndefined();
      expect(problem('number', { string: text })).toContain('should be a number');
    },
  );

  it('is refused in a moment, however long the text that is none', () => {
    expect(parseNumber(`${'1'.repeat(1_000_000)}x`)).toBeUndefined();
    expect(parseNumber(`${' '.repeat(1_000_000)}x`)).toBeUndefined();
    expect(problem('number', { string: `${'1'.repeat(1_000_000)}x` })).toHaveLength(
      `value: ${'x'.repeat(200)}… should be a number`.length,
    );
  });
});

describe('a value of type date', () => {
  const pad = (number: number, length: number) => String(number).padStart(length, '0');
  const isLeap = (year: number) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const daysIn = (year: number, month: number) =>
    [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;

  it('is a day of the calendar between the years 1000 and 9999, and nothing else of the form', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 9999 }),
        fc.integer({ min: 0, max: 14 }),
        fc.integer({ min: 0, max: 33 }),
        (year, month, day) => {
          const text = `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
          const isDate = year >= 1000 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
          expect(accepts('date', { string: text })).toEqual(isDate ? { string: text } : undefined);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('counts days one by one from 1970-01-01', () => {
    expect(daysOf('1970-01-01')).toBe(0);
    expect(daysOf('1969-12-31')).toBe(-1);
    expect(daysOf('2000-03-01')).toBe((daysOf('2000-02-28') ?? 0) + 2);
    expect(daysOf('1900-03-01')).toBe((daysOf('1900-02-28') ?? 0) + 1);
    expect(daysOf('1000-01-01')).toBe(-354_285);
    expect(daysOf('9999-12-31')).toBe(2_932_896);
  });

  it.each([
    '',
    '2024-1-1',
    '2024-01-01T00:00:00Z',
    ' 2024-01-01',
    '2024-01-01\n',
    '2024/01/01',
    '20240101',
    '02024-01-01',
    '٢٠٢٤-٠١-٠١',
    '-999-01-01',
    'yyyy-mm-dd',
    '2023-02-30',
    '0999-12-31',
  ])('is not "%s"', (text) => {
    expect(daysOf(text)).toBeUndefined();
    expect(problem('date', { string: text })).toContain('should be a date in the format YYYY-MM-DD');
  });

  it('is no number', () => {
    expect(problem('date', { double: 20240101 })).toContain('value: {double=20240101.0} should be a date');
  });
});

describe('a value of type urn', () => {
  it('is a URN of any entity type, known here or not', () => {
    expect(accepts('urn', { string: 'urn:li:corpuser:ada' })).toEqual({ string: 'urn:li:corpuser:ada' });
    expect(accepts('urn', { string: 'urn:li:mlModel:(a,b)' })).toEqual({ string: 'urn:li:mlModel:(a,b)' });
    expect(problem('urn', { string: 'ada' })).toBe('value: {string=ada} should be a URN');
    expect(problem('urn', { double: 1 })).toBe('value: {double=1.0} should be a URN');
  });

  it('is of an allowed entity type when the definition lists some, whatever the case', () => {
    const rule = { valueType: 'urn', allowedTypes: ['corpuser', 'corpGroup'] } as const;
    expect(checkValue(rule, { string: 'urn:li:corpGroup:x' })).toEqual({ value: { string: 'urn:li:corpGroup:x' } });
    expect(checkValue(rule, { string: 'urn:li:corpUser:x' })).toEqual({ value: { string: 'urn:li:corpUser:x' } });
    expect(checkValue(rule, { string: 'urn:li:tag:x' })).toEqual({
      problem: 'value: {string=urn:li:tag:x} should be a URN of one of [corpuser, corpGroup]',
    });
    expect(checkValue({ valueType: 'urn', allowedTypes: [] }, { string: 'urn:li:tag:x' })).toHaveProperty('problem');
  });
});

it('quotes at most 200 characters of a value', () => {
  expect(problem('urn', { string: 'x'.repeat(5000) })).toHaveLength('value: … should be a URN'.length + 200);
});
