import type { ResourceRow, RowState } from '../snapshot.ts';

/** The states, those first that somebody should look at. */
export const ROW_STATES: readonly RowState[] = ['stalled', 'deleting', 'waiting', 'paused', 'ready'];

export const MARKS: Readonly<Record<RowState, string>> = {
  stalled: '✗',
  deleting: '−',
  waiting: '…',
  paused: '‖',
  ready: '✓',
};

export const COLOURS = {
  stalled: 'red',
  deleting: 'magenta',
  waiting: 'yellow',
  paused: 'cyan',
  ready: 'green',
} as const satisfies Readonly<Record<RowState, string>>;

/** `62 resources: 60 ready, 1 waiting, 1 stalled`. */
export function summary(rows: readonly ResourceRow[]): string {
  const byState = Map.groupBy(rows, ({ state }) => state);
  const counts = ROW_STATES.toReversed()
    .map((state) => ({ state, count: byState.get(state)?.length ?? 0 }))
    .filter(({ count }) => count > 0);
  const total = `${rows.length} resource${rows.length === 1 ? '' : 's'}`;
  return counts.length === 0 ? total : `${total}: ${counts.map(({ state, count }) => `${count} ${state}`).join(', ')}`;
}
