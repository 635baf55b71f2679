import { combine, type Plan, sizeOf, someTerm } from './plan.ts';

/** A server takes 100 conditions, operators and brackets in one filter; what all filters have in common comes on top. */
const LARGEST = 80;

/**
 * A plan that fits into one filter and finds the same. What is too large is asked in pieces, of which the ids of all that
 * they find take the place: an `or` of many conditions on one field costs nothing, many alternatives of several
 * conditions cost a request and a list of ids for about fifteen of them.
 * @param idsOf finds the ids of all that meet a plan.
 */
export async function fitPlan(plan: Plan, idsOf: (plan: Plan) => Promise<string[]>): Promise<Plan> {
  if ((plan.kind !== 'and' && plan.kind !== 'or') || sizeOf(plan) <= LARGEST) return plan;
  const parts: Plan[] = [];
  for (const part of plan.of) parts.push(await fitPlan(part, idsOf));
  const smaller = combine(plan.kind, parts);
  if ((smaller.kind !== 'and' && smaller.kind !== 'or') || sizeOf(smaller) <= LARGEST) return smaller;
  let found: string[] | undefined;
  for (const group of groupsOf(smaller.of)) {
    if (smaller.kind === 'or') found = (found ?? []).concat(await idsOf(combine('or', group)));
    else found = await idsOf(combine('and', found === undefined ? group : [someTerm(found), ...group]));
  }
  return someTerm(found ?? []);
}

/** Each fits into one filter. */
function groupsOf(parts: readonly Plan[]): Plan[][] {
  const groups: Plan[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const part of parts) {
    size += sizeOf(part) + 1;
    if (size > LARGEST) {
      groups.push([]);
      size = sizeOf(part) + 1;
    }
    groups.at(-1)?.push(part);
  }
  return groups;
}
