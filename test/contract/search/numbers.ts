import { describe, expect, it } from '@jest/globals';
import type { SearchCondition } from '../../../api-server/search/port.ts';
import { equal, find, type OpenIndex, put, range, sharedIndex } from './fixture.ts';

/** In ascending order. */
const DOUBLES = [
  ...[-Number.MAX_VALUE, -1e300, -(2 ** 53), -16_777_217, -16_777_216, -5, -1.5, -1, -0.1, -Number.MIN_VALUE, 0],
  ...[Number.MIN_VALUE, 2.2250738585072014e-308, 1e-7, 0.1, 0.1234567890123, 0.12345679, 0.3, 0.1 + 0.2, 1, 1.5, 5],
  ...[16_777_216, 16_777_217, 123_456.789 * 1e3, 2 ** 53 - 1, 2 ** 53, 2 ** 53 + 2, 2 ** 63, 2 ** 64, 1e300],
  ...[Number.MAX_VALUE],
];
const DAYS = [-719_162, -25_567, -1, 0, 1, 19_888, 20_000, 2_932_896];

export function numberContract(open: OpenIndex): void {
  describe.each([
    ['number', DOUBLES],
    ['date', DAYS],
  ] as const)('compares values of type %s exactly:', (type, values) => {
    const field = `p:${type}`;
    const nameOf = (value: number) => `n${values.indexOf(value)}`;
    const index = sharedIndex(
      open,
      values.map((value) => put(nameOf(value), [{ field, type, values: [value] }])),
    );

    async function expectValues(condition: SearchCondition, isIn: (value: number) => boolean) {
      expect((await find(index(), condition)).toSorted()).toEqual(values.filter(isIn).map(nameOf).toSorted());
    }

    it('equality', async () => {
      for (const value of values) await expectValues(equal(field, value), (other) => other === value);
    });

    it('every comparison', async () => {
      for (const value of values) {
        await expectValues(range(field, '>', value), (other) => other > value);
        await expectValues(range(field, '>=', value), (other) => other >= value);
        await expectValues(range(field, '<', value), (other) => other < value);
        await expectValues(range(field, '<=', value), (other) => other <= value);
      }
    });

    it('a range between neighbours holds nothing', async () => {
      for (const [at, value] of values.slice(1).entries()) {
        await expectValues(range(field, '>', values[at] ?? 0, '<', value), () => false);
      }
    });

    it('zero has one sign', async () => {
      await expectValues(equal(field, -0), (other) => other === 0);
      await expectValues(range(field, '<', -0), (other) => other < 0);
    });
  });

  describe('a stored negative zero', () => {
    const index = sharedIndex(open, [put('zero', [{ field: 'p:number', type: 'number', values: [-0] }])]);

    it('equals zero and is not below it', async () => {
      expect(await find(index(), equal('p:number', 0))).toEqual(['zero']);
      expect(await find(index(), range('p:number', '<', 0))).toEqual([]);
      expect(await find(index(), range('p:number', '>=', 0))).toEqual(['zero']);
    });
  });
}
