import type { Filter, FilterGroups } from '../../api-server/catalog/find/resolve-filters.ts';
import { wordsOf } from '../../model/entity-fields.ts';
import type { PatternPart } from '../../model/query/ast.ts';
import {
  compareValues,
  type Meaning,
  matchesFolded,
  meaningOfFilterName,
  meaningOfQueryName,
  type PlainCatalogue,
  type PlainEntity,
  readAsked,
} from './plain-catalogue.ts';
import type { BareBound, BareNode } from './query-nodes.ts';

/** What a question finds in a plain catalogue: said once more in the plainest way, for both languages. */

/** A question that must not, or cannot, be answered. */
export class Refused extends Error {}

type Test = (entity: PlainEntity) => boolean;
type Field = Extract<Meaning, { kind: 'field' }>;

const NEVER: Test = () => false;

/** @returns which entities a query means. @throws Refused */
export function meaningOfQuery(node: BareNode, catalogue: PlainCatalogue): Test {
  switch (node.kind) {
    case 'everything':
      return () => true;
    case 'and':
    case 'or': {
      const operands = node.operands.map((operand) => meaningOfQuery(operand, catalogue));
      return (entity) =>
        node.kind === 'and' ? operands.every((holds) => holds(entity)) : operands.some((holds) => holds(entity));
    }
    case 'not': {
      const operand = meaningOfQuery(node.operand, catalogue);
      return (entity) => !operand(entity);
    }
  }
  if (node.field === undefined) return meaningOfBareWord(node, catalogue);
  const field = meaningOfQueryName(node.field, catalogue);
  if (field.kind === 'refused') throw new Refused();
  if (field.kind === 'nothing') return NEVER;
  switch (node.kind) {
    case 'exists':
      return (entity) => field.of(entity).length > 0;
    case 'term': {
      const asked = readOrRefuse(node.text, field);
      return (entity) => field.of(entity).some((value) => compareValues(value, asked, !field.exact) === 0);
    }
    case 'wildcard':
      refusePattern(field);
      return (entity) => field.of(entity).some((value) => matches(value, node.pattern, field));
    default: {
      const lower = boundOf(node.lower, field);
      const upper = boundOf(node.upper, field);
      return (entity) => field.of(entity).some((value) => lower(value, 1) && upper(value, -1));
    }
  }
}

/** A bare word looks through names; a bare property name asks whether there is a value. */
function meaningOfBareWord(node: BareNode, catalogue: PlainCatalogue): Test {
  if (node.kind === 'term') {
    if (!node.quoted && node.text.startsWith('structuredProperties.')) {
      return meaningOfQuery({ kind: 'exists', field: node.text }, catalogue);
    }
    const asked = wordsOf(node.text);
    return ({ name }) => asked.length > 0 && asked.every((word) => wordsOf(name).includes(word));
  }
  if (node.kind !== 'wildcard') throw new Refused();
  return ({ name }) => wordsOf(name).some((word) => matchesFolded(word, node.pattern));
}

function readOrRefuse(text: string, { type }: Field): string | number {
  const asked = readAsked(text, type);
  if (asked === undefined) throw new Refused();
  return asked;
}

function refusePattern({ type }: Field): void {
  if (type === 'number' || type === 'date') throw new Refused();
}

function matches(value: string | number, pattern: readonly PatternPart[], { exact }: Field): boolean {
  return exact ? matchesExactly(String(value), pattern) : matchesFolded(value, pattern);
}

/** By trying every way: texts here are short. */
function matchesExactly(text: string, [first, ...rest]: readonly PatternPart[]): boolean {
  if (first === undefined) return text === '';
  if (first === '?') return text !== '' && matchesExactly([...text].slice(1).join(''), rest);
  if (first !== '*') return text.startsWith(first.literal) && matchesExactly(text.slice(first.literal.length), rest);
  return [...text, ''].some((_character, index) => matchesExactly([...text].slice(index).join(''), rest));
}

function boundOf(bound: BareBound | undefined, field: Field): (value: string | number, side: 1 | -1) => boolean {
  if (bound === undefined) return () => true;
  const asked = readOrRefuse(bound.value, field);
  return (value, side) => {
    const comparison = Math.sign(compareValues(value, asked, !field.exact));
    return comparison === side || (bound.inclusive && comparison === 0);
  };
}

/** @returns which entities filters mean. @throws Refused */
export function meaningOfFilters(groups: FilterGroups, catalogue: PlainCatalogue): Test {
  const tests = groups.map(({ and }) => (and ?? []).map((filter) => meaningOfFilter(filter, catalogue)));
  return (entity) => tests.length === 0 || tests.some((group) => group.every((holds) => holds(entity)));
}

function meaningOfFilter(filter: Filter, catalogue: PlainCatalogue): Test {
  const field = meaningOfFilterName(filter.field, catalogue);
  if (field.kind === 'refused') throw new Refused();
  const holds = field.kind === 'nothing' ? NEVER : fieldTest(filter, field);
  return filter.negated === true ? (entity) => !holds(entity) : holds;
}

function fieldTest(filter: Filter, field: Field): Test {
  const condition = filter.condition ?? 'EQUAL';
  const values = filter.values ?? [];
  if (condition === 'EXISTS') return (entity) => field.of(entity).length > 0;
  const some = (holds: (value: string | number) => boolean): Test => {
    return (entity) => field.of(entity).some(holds);
  };
  if (condition.includes('_THAN')) {
    const [first] = values;
    if (first === undefined) return NEVER;
    const asked = readFilterValue(first, field);
    const side = condition.startsWith('GREATER') ? 1 : -1;
    const inclusive = condition.endsWith('EQUAL_TO');
    return some((value) => {
      const comparison = Math.sign(compareFilterValue(value, asked, field));
      return comparison === side || (inclusive && comparison === 0);
    });
  }
  if (condition === 'CONTAIN' || condition === 'START_WITH' || condition === 'END_WITH') {
    if (values.length > 0) refusePattern(field);
    const before = condition === 'START_WITH' ? [] : (['*'] as const);
    const behind = condition === 'END_WITH' ? [] : (['*'] as const);
    return some((value) =>
      values.some((literal) => matchesFolded(value, [...before, ...(literal === '' ? [] : [{ literal }]), ...behind])),
    );
  }
  const asked = values.map((text) => readFilterValue(text, field));
  const fold = condition === 'IEQUAL';
  return some((value) =>
    asked.some((one) =>
      typeof one === 'string' && typeof value === 'string' && field.type !== 'date'
        ? compareValues(value, one, fold) === 0
        : compareFilterValue(value, one, field) === 0,
    ),
  );
}

/** Of a date: milliseconds, given as such or as a date. */
function readFilterValue(text: string, field: Field): string | number {
  if (field.type === 'date' && /^[+-]?\d{1,15}$/u.test(text)) return Number(text);
  const asked = readOrRefuse(text, field);
  return field.type === 'date' ? Date.parse(`${asked}T00:00:00Z`) : asked;
}

function compareFilterValue(value: string | number, asked: string | number, { type }: Field): number {
  return compareValues(type === 'date' ? Date.parse(`${value}T00:00:00Z`) : value, asked, false);
}
