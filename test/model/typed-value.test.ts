import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkShape } from '../../model/shape.ts';
import {
  printDouble,
  printTypedValue,
  sameTypedValue,
  sameTypedValues,
  type TypedValue,
} from '../../model/typed-value.ts';
import { typedValueSchema } from '../../model/typed-value-schema.ts';

const anyValue: fc.Arbitrary<TypedValue> = fc.oneof(
  fc.constantFrom('', '30', '30.0', 'a').map((string) => ({ string })),
  fc.constantFrom(30, 0, -1.5).map((double) => ({ double })),
);

describe('typedValueSchema', () => {
  it.each([{ string: '' }, { string: 'x' }, { string: '😀\0' }, { double: 0 }, { double: -1.5 }, { double: 1e300 }])(
    'accepts %j',
    (value) => {
      expect(checkShape(typedValueSchema, value)).toEqual({ ok: true, value });
    },
  );

  it.each([
    [{}],
    [{ string: 'x', double: 1 }],
    [{ string: 1 }],
    [{ double: '1' }],
    [{ double: Number.NaN }],
    [{ double: Number.POSITIVE_INFINITY }],
    [{ int: 1 }],
    [{ string: null }],
    [{ string: 'x', other: 1 }],
    ['x'],
    [1],
    [null],
    [undefined],
    [[]],
  ])('refuses %j', (value) => {
    expect(checkShape(typedValueSchema, value)).toMatchObject({ ok: false, violations: [{ path: '' }] });
  });

  it('refuses a string that is not well-formed Unicode', () => {
    expect(checkShape(typedValueSchema, { string: 'a\ud800' })).toEqual({
      ok: false,
      violations: [{ code: 'wrong-shape', path: 'string', message: 'must be well-formed Unicode' }],
    });
  });
});

describe('sameTypedValue', () => {
  it('is equality of type and content', () => {
    fc.assert(
      fc.property(anyValue, anyValue, (one, other) => {
        expect(sameTypedValue(one, other)).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
    );
    expect(sameTypedValue({ string: '30' }, { double: 30 })).toBe(false);
  });

  it('compares lists in their order', () => {
    fc.assert(
      fc.property(fc.array(anyValue, { maxLength: 3 }), fc.array(anyValue, { maxLength: 3 }), (some, others) => {
        expect(sameTypedValues(some, others)).toBe(JSON.stringify(some) === JSON.stringify(others));
      }),
    );
  });
});

describe('printing', () => {
  it('writes values as the reference catalogue does', () => {
    expect(printTypedValue({ string: 'baz' })).toBe('{string=baz}');
    expect(printTypedValue({ double: 30 })).toBe('{double=30.0}');
    expect(printTypedValue({ double: 0.25 })).toBe('{double=0.25}');
  });

  it('writes every double with a decimal or an exponent, so that it reads back to the same one', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (double) => {
        expect(Number(printDouble(double))).toBe(double === 0 ? 0 : double);
        expect(printDouble(double)).toMatch(/[.e]/u);
      }),
    );
  });
});
