import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson } from '../../model/canonical-json.ts';
import { sameJson } from '../../model/same-json.ts';

const few = fc.letrec((tie) => ({
  value: fc.oneof(
    fc.constantFrom<unknown>(0, -0, 1, '', 'a', true, null),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'toString'), fc.option(tie('value'), { nil: undefined }), { maxKeys: 2 }),
  ),
})).value;

describe('sameness of JSON', () => {
  it('is that of the canonical texts', () => {
    fc.assert(
      fc.property(few, few, (one, other) => {
        expect(sameJson(one, other)).toBe(canonicalJson(one) === canonicalJson(other));
        expect(sameJson(one, structuredClone(one))).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});
