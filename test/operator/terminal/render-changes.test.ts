import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Emitter } from '../../../operator/runtime/emitter.ts';
import type { ResourceRow, Snapshot } from '../../../operator/snapshot.ts';
import { renderChanges } from '../../../operator/terminal/render-changes.ts';

describe('what an operator knows', () => {
  let rendered: Snapshot[];
  let rows: ResourceRow[];
  let changes: Emitter<void>;
  beforeEach(() => {
    jest.useFakeTimers();
    rendered = [];
    rows = [];
    changes = new Emitter();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const operator = {
    snapshot: (): Snapshot => ({ rows, problems: [] }),
    onChange: (listener: () => void) => changes.on(listener),
  };
  const start = (showsAges: boolean) => renderChanges(operator, (snapshot) => rendered.push(snapshot), showsAges);
  const row = (ageMs: number): ResourceRow => ({
    kind: 'DatasetProperties',
    namespace: 'governance',
    name: 'clicks',
    state: 'ready',
    reason: 'Applied',
    message: '',
    created: Date.now() - ageMs,
  });

  it('is rendered at first and after changes, many of them at once, and never without one', () => {
    rows = [row(0)];
    start(false);
    jest.advanceTimersByTime(250);
    expect(rendered).toHaveLength(1);
    for (let time = 0; time < 100; time += 1) changes.emit();
    jest.advanceTimersByTime(250);
    expect(rendered).toHaveLength(2);
    jest.advanceTimersByTime(3_600_000);
    expect(rendered).toHaveLength(2);
  });

  it('is rendered as often as ages need that are shown', () => {
    rows = [row(3_600_000)];
    start(true);
    jest.advanceTimersByTime(250 + 180_000);
    expect(rendered).toHaveLength(4);
    rows = [...rows, row(0)];
    changes.emit();
    jest.advanceTimersByTime(250 + 10_000);
    expect(rendered).toHaveLength(15);
  });

  it('shows the last change at the end, and nothing behind it', () => {
    const rendering = start(true);
    jest.advanceTimersByTime(250);
    rows = [row(0)];
    changes.emit();
    rendering.stop();
    expect(rendered.map((snapshot) => snapshot.rows.length)).toEqual([0, 1]);
    changes.emit();
    jest.advanceTimersByTime(10_000);
    expect(rendered).toHaveLength(2);
  });
});
