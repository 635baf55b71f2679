import { BREAKING, type Plan, PROPERTY_ACTIONS } from './plan-shape.ts';

/**
 * The numbers of a plan. A broken or deleted property counts once, however many entities it is on.
 * @param holderEntities entities whose values are hidden or removed everywhere, as far as that is known.
 */
export function summaryOf(
  {
    properties,
    entities,
    refused,
    waiting,
    problems,
  }: Pick<Plan, 'properties' | 'entities' | 'refused' | 'waiting' | 'problems'>,
  holderEntities?: number,
): Plan['summary'] {
  const actions = [...properties, ...entities].map(({ action }) => action);
  const count = (wanted: string): number => actions.filter((action) => action === wanted).length;
  const breaking = refused.filter(({ reason }) => reason === BREAKING).length;
  const numbers = Object.fromEntries(PROPERTY_ACTIONS.map((action) => [action, count(action)])) as Record<
    (typeof PROPERTY_ACTIONS)[number],
    number
  >;
  return {
    ...numbers,
    breakingWithoutVersion: breaking,
    errors: problems.length + refused.length - breaking,
    waiting: waiting.length,
    holders: properties.flatMap(({ holders = [] }) => holders).reduce((sum, { count: one }) => sum + one, 0),
    ...(holderEntities === undefined ? {} : { holderEntities }),
  };
}
