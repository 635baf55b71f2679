import { patternMatcher } from '../../../model/pattern.ts';
import type { PatternPart } from '../../../model/query/ast.ts';
import { foldCase } from '../fold.ts';
import type { Bound, SearchCondition } from '../port.ts';
import type { SearchBudget } from '../search-budget.ts';
import type { Dictionary } from './dictionary.ts';
import { columnOf, ORDERED } from './field-columns.ts';
import { orderOf } from './number-order.ts';
import { ALL, combine, NONE, type Plan, someTerm } from './plan.ts';
import { TEXT_LEVELS } from './schema.ts';
import { fieldTerm, foldedTerm, valueTerm } from './terms.ts';
import { compareTexts, type Range, rangesFrom, rangesOfPrefix, rangesTo } from './text-order.ts';

type Leaf<K extends SearchCondition['kind']> = Extract<SearchCondition, { kind: K }>;

/** Makes a plan of a condition: carries negations to the leaves, and looks up what only the dictionary can tell. */
export class ConditionPlanner {
  readonly #dictionary: Dictionary;
  readonly #hasColumn: (column: string) => Promise<boolean>;
  readonly #budget: SearchBudget;

  /** @param hasColumn the engine refuses to filter by a column that no entry ever had. */
  constructor(dictionary: Dictionary, hasColumn: (column: string) => Promise<boolean>, budget: SearchBudget) {
    this.#dictionary = dictionary;
    this.#hasColumn = hasColumn;
    this.#budget = budget;
  }

  async plan(condition: SearchCondition, negated = false): Promise<Plan> {
    this.#budget.checkTime();
    switch (condition.kind) {
      case 'all':
        return negated ? NONE : ALL;
      case 'none':
        return negated ? ALL : NONE;
      case 'not':
        return this.plan(condition.of, !negated);
      case 'and':
      case 'or': {
        const parts: Plan[] = [];
        // one by one: each may ask for many values
        for (const part of condition.of) parts.push(await this.plan(part, negated));
        return combine((condition.kind === 'and') !== negated ? 'and' : 'or', parts);
      }
      case 'exists':
        return someTerm([fieldTerm(condition.field)], negated);
      case 'equal':
        return someTerm([equalTerm(condition)], negated);
      case 'range':
        return this.#range(condition, negated);
      case 'like':
        return someTerm(await this.#like(condition), negated);
    }
  }

  async #range(condition: Leaf<'range'>, negated: boolean): Promise<Plan> {
    const { field, lower, upper, fold } = condition;
    const types = new Set([lower, upper].flatMap((bound) => (bound ? [typeof bound.value] : [])));
    if (types.size === 0) return someTerm([fieldTerm(field)], negated);
    if (types.size === 2) return negated ? ALL : NONE;
    if (types.has('string')) return someTerm(await this.#textsWithin(field, fold, lower, upper), negated);
    return this.#numbersWithin(field, numberRange(lower, upper), negated);
  }

  /** The engine has no negated ranges: none of the values that are in the range. */
  async #numbersWithin(field: string, range: Range, negated: boolean): Promise<Plan> {
    const [from, to] = range;
    if (from > to) return negated ? ALL : NONE;
    if (negated) return someTerm(await this.#dictionary.numbers(field, range, this.#budget), true);
    const column = columnOf(ORDERED, field);
    return (await this.#hasColumn(column)) ? { kind: 'ranges', column, ranges: [range] } : NONE;
  }

  #textsWithin(field: string, fold: boolean, lower: Bound | undefined, upper: Bound | undefined): Promise<string[]> {
    const folded = fold ? foldCase : (text: string) => text;
    const [from, to] = [lower, upper].map((bound) => bound && { text: folded(String(bound.value)), ...bound });
    return this.#dictionary.texts({
      field,
      column: fold ? 'folded' : 'path',
      within: [...(from ? [rangesFrom(from.text, TEXT_LEVELS)] : []), ...(to ? [rangesTo(to.text, TEXT_LEVELS)] : [])],
      test: (text) =>
        (from === undefined || compareTexts(folded(text), from.text) >= (from.inclusive ? 0 : 1)) &&
        (to === undefined || compareTexts(folded(text), to.text) <= (to.inclusive ? 0 : -1)),
      budget: this.#budget,
    });
  }

  #like({ field, pattern, fold }: Leaf<'like'>): Promise<string[]> {
    const parts = fold ? pattern.map(foldPart) : pattern;
    const matches = patternMatcher(parts, this.#budget.spend);
    const [first] = parts;
    return this.#dictionary.texts({
      field,
      column: fold ? 'folded' : 'path',
      within: typeof first === 'object' ? [rangesOfPrefix(first.literal, TEXT_LEVELS)] : [],
      test: fold ? (text) => matches(foldCase(text)) : matches,
      budget: this.#budget,
    });
  }
}

function equalTerm({ field, value, fold }: Leaf<'equal'>): string {
  return fold && typeof value === 'string' ? foldedTerm(field, value) : valueTerm(field, value);
}

function numberRange(lower: Bound | undefined, upper: Bound | undefined): Range {
  const from = orderOf(Number(lower?.value ?? -Number.MAX_VALUE)) + (lower?.inclusive === false ? 1n : 0n);
  const to = orderOf(Number(upper?.value ?? Number.MAX_VALUE)) - (upper?.inclusive === false ? 1n : 0n);
  return [from, to];
}

function foldPart(part: PatternPart): PatternPart {
  return typeof part === 'string' ? part : { literal: foldCase(part.literal) };
}
