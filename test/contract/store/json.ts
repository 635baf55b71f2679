import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { EntityDocument, Store } from '../../../api-server/store/port.ts';
import type { StoredAspect } from '../../../model/entity/draft.ts';
import { assignmentOf, documentOf, type OpenStore, onEmptyStore, urnOf } from './fixture.ts';

const stamp = { time: 1_700_000_000_123, actor: 'urn:li:corpuser:ada' };

function aspectOf(value: Record<string, unknown>): StoredAspect {
  return { value, version: 1, created: stamp, modified: stamp };
}

/** The same document after a way through the store. */
async function stored(store: Store, document: EntityDocument): Promise<EntityDocument | undefined> {
  await store.entities.insert(document);
  return store.entities.get(document.urn);
}

/** A list in a list in a list … */
function nested(depth: number): unknown {
  let value: unknown = 'core';
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { in: value };
  return value;
}

/** A document is kept as JSON would keep it: no adapter knows more, none knows less. */
export function jsonContract(open: OpenStore): void {
  describe('what a client sent', () => {
    it(
      'comes back the same, with its keys in order',
      onEmptyStore(open, async ({ store }) => {
        let count = 0;
        await fc.assert(
          fc.asyncProperty(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), async (value) => {
            count += 1;
            const assignment = { ...assignmentOf('p'), attribution: value };
            const document = documentOf(`d${count}`, { aspects: { any: aspectOf(value) }, assignments: [assignment] });
            const found = await stored(store, document);
            expect(JSON.stringify(found?.aspects)).toBe(JSON.stringify(document.aspects));
            expect(JSON.stringify(found?.assignments[0]?.attribution)).toBe(JSON.stringify(value));
          }),
          { numRuns: 60 },
        );
      }),
    );

    it(
      'may have any number, any text and any depth',
      onEmptyStore(open, async ({ store }) => {
        const numbers = [
          0,
          1,
          -1,
          2 ** 31,
          -(2 ** 31) - 1,
          2 ** 53,
          2 ** 64,
          1e-7,
          5e-324,
          1.797_693_134_862_315_7e308,
        ];
        const texts = ['', '\0', 'a\0b', '$set', 'a.b', '\ud800', '__proto__', '\u{10ffff}'];
        const value = {
          numbers,
          texts,
          keys: Object.fromEntries(texts.map((text) => [text, text])),
          deep: nested(500),
        };
        const values = [...numbers.map((double) => ({ double })), ...texts.map((string) => ({ string }))];
        const document = documentOf('a', {
          aspects: { any: aspectOf(value) },
          assignments: [{ ...assignmentOf('p'), values, attribution: value }],
        });
        expect(await stored(store, document)).toEqual(document);
      }),
    );

    it(
      'has neither undefined nor a negative zero',
      onEmptyStore(open, async ({ store }) => {
        const document = documentOf('a', {
          aspects: { any: aspectOf({ none: undefined, zero: -0 }) },
          assignments: [{ ...assignmentOf('p'), values: [{ double: -0 }], lastModified: undefined }],
          parentIncarnation: undefined,
        } as object);
        const plain = documentOf('a', {
          aspects: { any: aspectOf({ zero: 0 }) },
          assignments: [{ ...assignmentOf('p'), values: [{ double: 0 }] }],
        });
        expect(await stored(store, document)).toStrictEqual(plain);
      }),
    );

    it(
      'may be 12 MiB of short values',
      onEmptyStore(open, async ({ store }) => {
        const values = Array.from({ length: 450_000 }, (_, index) => ({ double: index % 10 }));
        const document = documentOf('a', {
          aspects: { any: aspectOf({ values: values.map(({ double }) => [double, '']) }) },
          assignments: [{ ...assignmentOf('p'), values }],
        });
        const short = 12 * 2 ** 20 - Buffer.byteLength(JSON.stringify(document)) - '{"text":""},'.length;
        expect(short).toBeGreaterThan(0);
        const full = {
          ...document,
          aspects: { ...document.aspects, rest: aspectOf({ text: 'x'.repeat(short - 200) }) },
        };
        const found = await stored(store, full);
        expect(JSON.stringify(found?.assignments[0]?.values) === JSON.stringify(values)).toBe(true);
        expect(JSON.stringify(found?.aspects) === JSON.stringify(full.aspects)).toBe(true);
      }),
    );

    it(
      'may be 12 MiB of assignments with owner marks',
      onEmptyStore(open, async ({ store }) => {
        const names = Array.from({ length: 42_000 }, (_, index) => String(index));
        const mark = { source: 's', kind: 'k', namespace: 'n', name: 'x', deletionPolicy: 'Remove' };
        const assignments = names.map((name) => assignmentOf(name));
        const owners = Object.fromEntries(assignments.map(({ propertyUrn }) => [propertyUrn, mark]));
        const document = documentOf('a', { assignments, owners });
        expect(Buffer.byteLength(JSON.stringify(document))).toBeGreaterThan(9 * 2 ** 20);
        const found = await stored(store, document);
        expect(found?.assignments.length).toBe(names.length);
        expect(JSON.stringify(found?.owners) === JSON.stringify(owners)).toBe(true);
        const [last] = assignments.slice(-1);
        expect(await store.entities.holders({ propertyUrn: last?.propertyUrn ?? '', limit: 2 })).toEqual([urnOf('a')]);
      }),
    );
  });
}
