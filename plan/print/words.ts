import type { Plan } from '../plan-shape.ts';

export function number(count: number): string {
  return count.toLocaleString('en-US');
}

/** `1,200 datasets`. */
export function counted(count: number, noun: string): string {
  return `${number(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** The rows of a summary that are not zero, in the order in which they are read. */
export function summaryRows({ summary }: Plan): [string, number][] {
  const rows: [string, number][] = [
    ['in error', summary.errors],
    ['breaking without a version', summary.breakingWithoutVersion],
    ['to create', summary.create],
    ['to change', summary.change],
    ['breaking with a version', summary.break],
    ['to soft delete', summary.softDelete],
    ['to restore', summary.restore],
    ['to delete', summary.delete],
    ['to keep, not managed any more', summary.keep],
    ['waiting', summary.waiting],
  ];
  return rows.filter(([, count]) => count > 0);
}

/** `3 to create, 1 to change; values on 1,240 entities affected`. */
export function summaryLine(plan: Plan): string {
  const rows = summaryRows(plan).map(([words, count]) => `${number(count)} ${words}`);
  if (rows.length === 0) return 'Nothing to do';
  return `${rows.join(', ')}${affected(plan.summary)}`;
}

function affected({ holders, holderEntities }: Plan['summary']): string {
  if (holders === 0) return '';
  // Of an entity with several of the properties nobody knows that it is the same one.
  if (holderEntities === undefined) return `; ${counted(holders, 'value')} affected`;
  return `; values on ${number(holderEntities)} ${holderEntities === 1 ? 'entity' : 'entities'} affected`;
}
