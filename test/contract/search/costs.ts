import { describe, expect, it } from '@jest/globals';
import { MAX_COUNTED_CHARACTERS } from '../../../api-server/search/port.ts';
import type { PatternPart } from '../../../model/query/ast.ts';
import { equal, everything, find, like, type OpenIndex, onEmptyIndex, or, put, sharedIndex } from './fixture.ts';

const field = 'p:string';
const long = 'a'.repeat(30_000);

export function costContract(open: OpenIndex): void {
  describe('what one request may cost:', () => {
    const index = sharedIndex(
      open,
      Array.from({ length: 5 }, (_, at) => put(`x${at}`, [{ field, type: 'string', values: [`${long}${at}`] }])),
    );

    it('long literals are looked for in long values', async () => {
      const almost = ['*' as const, { literal: `${'a'.repeat(16_000)}b` }, '*' as const];
      expect(await find(index(), like(field, almost))).toEqual([]);
      expect(await find(index(), like(field, ['*', { literal: `${'a'.repeat(16_000)}3` }], true))).toEqual(['x3']);
      const many = Array.from({ length: 100 }, () => like(field, almost));
      expect(await find(index(), or(...many, equal(field, `${long}2`)))).toEqual(['x2']);
    });

    it('patterns that would take too many steps are refused, and others go on being answered', async () => {
      const tedious: PatternPart[] = Array.from({ length: 4_000 }, () => ['?' as const, { literal: 'a' }]).flat();
      const condition = like(field, ['*', ...tedious, { literal: 'b' }, '*']);
      const refused = index().search({ ...everything, condition });
      const answered = find(index(), equal(field, `${long}1`));
      // A slow machine comes to the end of the time before that of the steps.
      const isRefused = { code: expect.stringMatching(/^(?:too-large|timeout)$/u) };
      await expect(refused).rejects.toMatchObject(isRefused);
      await expect(index().aggregate({ ...everything, condition, field })).rejects.toMatchObject(isRefused);
      expect(await answered).toEqual(['x1']);
      expect(await find(index(), like(field, [{ literal: long }, '?']))).toHaveLength(5);
    });

    it('no answer is waited for longer than its request says', async () => {
      const waiting = index().search({ ...everything, condition: like(field, ['*', { literal: 'b' }]), patience: 0 });
      const outcome = await waiting.then(
        () => 'answered',
        (error: { code?: string }) => error.code,
      );
      expect(['answered', 'timeout']).toContain(outcome);
    });

    it(
      'long values are counted as far as there is room for them',
      onEmptyIndex(open, async (own) => {
        const size = 30_000;
        const fitting = Math.floor(MAX_COUNTED_CHARACTERS / size);
        const values = Array.from({ length: fitting + 10 }, (_, at) => String(at).padStart(4, '0').padEnd(size, 'a'));
        for (const [at, value] of values.entries())
          await own.apply([put(`y${at}`, [{ field, type: 'string', values: [value] }])]);
        const counted = await own.aggregate({ ...everything, field });
        expect(counted.map(({ value }) => String(value).slice(0, 4))).toEqual(
          values.slice(0, fitting).map((value) => value.slice(0, 4)),
        );
      }),
    );

    it(
      'an entry with as many values as there may be is found by each of them, whole',
      onEmptyIndex(open, async (own) => {
        const values = Array.from({ length: 10_000 }, (_, at) => `word${at}`);
        await own.apply([
          put('small', [{ field, type: 'string', values: ['word1'] }]),
          put('big', [{ field, type: 'string', values }]),
        ]);
        expect(await find(own, equal(field, 'word9999'))).toEqual(['big']);
        expect(await find(own, equal(field, 'word1'))).toEqual(['big', 'small']);
        await own.apply([put('big', [{ field, type: 'string', values: ['other'] }], { revision: 2 })]);
        expect(await find(own, equal(field, 'word9999'))).toEqual([]);
        expect(await find(own, equal(field, 'other'))).toEqual(['big']);
      }),
    );
  });
}
