import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fitPlan } from '../../../../api-server/search/typesense/fit-plan.ts';
import {
  ALL,
  combine,
  filterOf,
  NONE,
  type Plan,
  sizeOf,
  someTerm,
} from '../../../../api-server/search/typesense/plan.ts';

/** What a server takes, observed on 0.24.1; what every search asks besides is at most this much. */
const MOST = 100;
const BESIDES = 12;

const ENTITIES = Array.from({ length: 16 }, (_, at) => at);
/** Entity `n` has the terms `k<n>` and, for each bit that it has, `b<bit>`; its number is n. */
function holds(plan: Plan, entity: number): boolean {
  switch (plan.kind) {
    case 'all':
    case 'none':
      return plan.kind === 'all';
    case 'terms':
      return [...plan.terms].some((term) => hasTerm(term, entity)) !== plan.negated;
    case 'ranges':
      return plan.ranges.some(([from, to]) => from <= entity && entity <= to);
    case 'and':
      return plan.of.every((part) => holds(part, entity));
    case 'or':
      return plan.of.some((part) => holds(part, entity));
  }
}
function hasTerm(term: string, entity: number): boolean {
  const number = Number(term.slice(1));
  return term.startsWith('k') ? number === entity : (entity & (1 << number)) !== 0;
}
const found = (plan: Plan) => ENTITIES.filter((entity) => holds(plan, entity));

const leaf: fc.Arbitrary<Plan> = fc.oneof(
  fc.constantFrom(ALL, NONE),
  fc
    .tuple(fc.array(fc.constantFrom('b0', 'b1', 'b2', 'b3', 'k5'), { maxLength: 3 }), fc.boolean())
    .map(([terms, negated]) => someTerm(terms, negated)),
  fc
    .tuple(fc.bigInt({ min: 0n, max: 15n }), fc.bigInt({ min: 0n, max: 15n }))
    .map(([from, to]): Plan => ({ kind: 'ranges', column: 'o', ranges: [[from, to]] })),
);
const kinds = fc.constantFrom('and' as const, 'or' as const);

describe('plans that are combined', () => {
  it('find what both, or either, find', () => {
    fc.assert(
      fc.property(kinds, fc.array(leaf, { maxLength: 5 }), (kind, plans) => {
        const expected = ENTITIES.filter((entity) =>
          kind === 'and' ? plans.every((plan) => holds(plan, entity)) : plans.some((plan) => holds(plan, entity)),
        );
        expect(found(combine(kind, plans))).toEqual(expected);
      }),
      { numRuns: 1_000 },
    );
  });

  it('are one part where they are lists of terms', () => {
    const lists = Array.from({ length: 200 }, (_, at) => someTerm([`b${at}`]));
    const negated = Array.from({ length: 200 }, (_, at) => someTerm([`b${at}`], true));
    expect(sizeOf(combine('or', lists))).toBe(1);
    expect(sizeOf(combine('and', negated))).toBe(1);
  });
});

describe('a plan that is made to fit', () => {
  const tree: fc.Arbitrary<Plan> = fc.letrec<{ plan: Plan }>((tie) => ({
    plan: fc.oneof(
      { maxDepth: 5 },
      leaf,
      fc.tuple(kinds, fc.array(tie('plan'), { maxLength: 30 })).map(([kind, of]) => combine(kind, of)),
    ),
  })).plan;

  it('finds the same, and asks for nothing that does not fit', async () => {
    await fc.assert(
      fc.asyncProperty(tree, async (plan) => {
        const asked: Plan[] = [];
        const fitted = await fitPlan(plan, async (part) => {
          asked.push(part);
          return found(part).map((entity) => `k${entity}`);
        });
        expect(found(fitted)).toEqual(found(plan));
        for (const part of [fitted, ...asked]) expect(sizeOf(part) + BESIDES).toBeLessThanOrEqual(MOST);
      }),
      { numRuns: 500 },
    );
  });

  it('is written with as many conditions, operators and brackets as were counted', () => {
    fc.assert(
      fc.property(tree, (plan) => {
        fc.pre(plan.kind !== 'none');
        const signs = filterOf(plan).match(/[()]|&&|\|\||[a-z]+:/gu) ?? [];
        expect(signs.length).toBeLessThanOrEqual(sizeOf(plan));
      }),
    );
  });
});
