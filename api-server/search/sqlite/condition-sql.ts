import { patternMatcher, type Spend } from '../../../model/pattern.ts';
import type { PatternPart } from '../../../model/query/ast.ts';
import { foldCase } from '../fold.ts';
import type { Bound, SearchCondition } from '../port.ts';
import { endOfPrefix } from '../prefix-range.ts';

/** A boolean SQL expression over the `id` of an entry, never NULL. Values are only ever parameters. */
export interface ConditionSql {
  readonly text: string;
  readonly parameters: readonly (string | number)[];
  /** What `search_matches(value, n)` in the text calls: the nth of these. */
  readonly matchers: readonly ((text: string) => boolean)[];
  readonly wide: readonly WideTest[];
}

/** A part of the condition that many distinct strings may meet, as an expression over a value. */
export interface WideTest {
  readonly field: string;
  readonly text: string;
  readonly parameters: readonly (string | number)[];
}

/** @param spend is told of the steps of the patterns. */
export function compileCondition(condition: SearchCondition, generation: number, spend?: Spend): ConditionSql {
  const compiler = new ConditionCompiler(generation, spend);
  const text = compiler.compile(condition);
  return { text, parameters: compiler.parameters, matchers: compiler.matchers, wide: compiler.wide };
}

type Leaf<K extends SearchCondition['kind']> = Extract<SearchCondition, { kind: K }>;

class ConditionCompiler {
  readonly parameters: (string | number)[] = [];
  readonly matchers: ((text: string) => boolean)[] = [];
  readonly wide: WideTest[] = [];
  readonly #generation: number;
  readonly #spend: Spend | undefined;

  constructor(generation: number, spend: Spend | undefined) {
    this.#generation = generation;
    this.#spend = spend;
  }

  compile(condition: SearchCondition): string {
    switch (condition.kind) {
      case 'all':
        return '1';
      case 'none':
        return '0';
      case 'and':
        return condition.of.length === 0 ? '1' : `(${condition.of.map((one) => this.compile(one)).join(' AND ')})`;
      case 'or':
        return condition.of.length === 0 ? '0' : `(${condition.of.map((one) => this.compile(one)).join(' OR ')})`;
      case 'not':
        return `(NOT ${this.compile(condition.of)})`;
      case 'exists':
        return this.#some(condition.field, () => []);
      case 'equal':
        return this.#some(condition.field, () => [this.#comparison('=', condition.value, condition.fold)]);
      case 'range':
        return this.#range(condition);
      case 'like':
        return this.#like(condition);
    }
  }

  /** Entities with a value of the field that meets all the tests. Tests add their parameters in the order of the text. */
  #some(field: string, tests: () => readonly string[], isWide = false): string {
    const first = this.parameters.push(field) - 1;
    const fieldId = `field_id = (SELECT id FROM search_fields_${this.#generation} WHERE name = ?)`;
    const text = [fieldId, ...tests()].join(' AND ');
    if (isWide) this.wide.push({ field, text, parameters: this.parameters.slice(first) });
    return `id IN (SELECT entry_id FROM search_values_${this.#generation} WHERE ${text})`;
  }

  #range({ field, lower, upper, fold }: Leaf<'range'>): string {
    if (lower && upper && typeof lower.value !== typeof upper.value) return '0';
    const tests = () => [
      ...(lower ? [this.#bound('>', lower, fold)] : []),
      ...(upper ? [this.#bound('<', upper, fold)] : []),
    ];
    return this.#some(field, tests, typeof (lower ?? upper)?.value === 'string');
  }

  #bound(operator: '<' | '>', { value, inclusive }: Bound, fold: boolean): string {
    return this.#comparison(inclusive ? `${operator}=` : operator, value, fold);
  }

  #comparison(operator: string, value: string | number, fold: boolean): string {
    return this.#compare(columnOf(value, fold), operator, typeof value === 'string' && fold ? foldCase(value) : value);
  }

  #compare(column: string, operator: string, value: string | number): string {
    this.parameters.push(value);
    return `${column} ${operator} ?`;
  }

  /** A prefix is a range of the index; only what comes behind it needs a look at each value. */
  #like({ field, pattern, fold }: Leaf<'like'>): string {
    const parts = fold ? pattern.map(foldPart) : pattern;
    const column = columnOf('', fold);
    const [first] = parts;
    const prefix = typeof first === 'object' ? first.literal : '';
    const tests = () => {
      // without this SQLite would not know that the index for strings has all that is asked for
      const all = [`${column} IS NOT NULL`];
      if (prefix !== '') {
        all.push(this.#compare(column, '>=', prefix));
        const end = endOfPrefix(prefix);
        if (end !== undefined) all.push(this.#compare(column, '<', end));
      }
      const rest = prefix === '' ? parts : parts.slice(1);
      if (rest.length !== 1 || rest[0] !== '*') {
        all.push(`search_matches(${column}, ${this.matchers.length})`);
        this.matchers.push(patternMatcher(parts, this.#spend));
      }
      return all;
    };
    return this.#some(field, tests, true);
  }
}

function columnOf(value: string | number, fold: boolean): 'number' | 'text' | 'folded' {
  if (typeof value === 'number') return 'number';
  return fold ? 'folded' : 'text';
}

function foldPart(part: PatternPart): PatternPart {
  return typeof part === 'string' ? part : { literal: foldCase(part.literal) };
}
