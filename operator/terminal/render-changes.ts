import type { CallOff, Clock } from '../../process/clock.ts';
import type { Operator } from '../operator.ts';
import type { Snapshot } from '../snapshot.ts';

/** A change is shown so soon, together with those that come meanwhile, in ms. */
const DELAY_MS = 250;
/** Ages go on without any change: by the second in the first two minutes, then more slowly. */
const YOUNG_MS = 120_000;
const YOUNG_AGES_MS = 1000;
const AGES_MS = 60_000;

/**
 * Renders what an operator knows at first, whenever it has changed, and where ages are shown as often as those need.
 * Nothing else: while nothing happens, it must cost nothing however many resources there are.
 */
export function renderChanges(
  operator: Pick<Operator, 'snapshot' | 'onChange'>,
  render: (snapshot: Snapshot) => void,
  showsAges: boolean,
  clock: Clock,
): { stop(): void } {
  let callOff: CallOff = () => undefined;
  let isDue = false;

  function show(): void {
    isDue = false;
    const snapshot = operator.snapshot();
    render(snapshot);
    if (!showsAges || snapshot.rows.length === 0) return;
    const youngest = snapshot.rows.reduce((latest, { created }) => Math.max(latest, created), 0);
    callOff = clock.after(clock.now() - youngest < YOUNG_MS ? YOUNG_AGES_MS : AGES_MS, show);
  }

  function onChange(): void {
    if (isDue) return;
    isDue = true;
    callOff();
    callOff = clock.after(DELAY_MS, show);
  }

  const unsubscribe = operator.onChange(onChange);
  onChange();
  return {
    stop() {
      unsubscribe();
      callOff();
      if (isDue) render(operator.snapshot());
    },
  };
}
