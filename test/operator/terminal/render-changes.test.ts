import { beforeEach, describe, expect, it } from '@jest/globals';
import { Emitter } from '../../../operator/runtime/emitter.ts';
import type { ResourceRow, Snapshot } from '../../../operator/snapshot.ts';
import { renderChanges } from '../../../operator/terminal/render-changes.ts';
import { TestClock } from '../../harness/test-clock.ts';

describe('what an operator knows', () => {
  let clock: TestClock;
  let rendered: Snapshot[];
  let rows: ResourceRow[];
  let changes: Emitter<void>;
  beforeEach(() => {
    clock = new TestClock();
    rendered = [];
    rows = [];
    changes = new Emitter();
  });

  const operator = {
    snapshot: (): Snapshot => ({ rows, problems: [] }),
    onChange: (listener: () => void) => changes.on(listener),
  };
  const start = (showsAges: boolean) =>
    renderChanges(operator, (snapshot) => rendered.push(snapshot), showsAges, clock);
  const row = (ageMs: number): ResourceRow => ({
    kind: 'DatasetProperties',
    namespace: 'governance',
    name: 'clicks',
    state: 'ready',
    reason: 'Applied',
    message: '',
    created: clock.now() - ageMs,
  });

  it('is rendered at first and after changes, many of them at once, and never without one', async () => {
    rows = [row(0)];
    start(false);
    await clock.advance(250);
    expect(rendered).toHaveLength(1);
    for (let time = 0; time < 100; time += 1) changes.emit();
    await clock.advance(250);
    expect(rendered).toHaveLength(2);
    await clock.advance(3_600_000);
    expect(rendered).toHaveLength(2);
  });

  it('is rendered as often as ages need that are shown', async () => {
    rows = [row(3_600_000)];
    start(true);
    await clock.advance(250 + 180_000);
    expect(rendered).toHaveLength(4);
    rows = [...rows, row(0)];
    changes.emit();
    await clock.advance(250 + 10_000);
    expect(rendered).toHaveLength(15);
  });

  it('shows the last change at the end, and nothing behind it', async () => {
    const rendering = start(true);
    await clock.advance(250);
    rows = [row(0)];
    changes.emit();
    rendering.stop();
    expect(rendered.map((snapshot) => snapshot.rows.length)).toEqual([0, 1]);
    changes.emit();
    await clock.advance(10_000);
    expect(rendered).toHaveLength(2);
  });
});
