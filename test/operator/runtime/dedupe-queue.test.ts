import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DedupeQueue, type Priority } from '../../../operator/runtime/dedupe-queue.ts';

/** The queue as plain lists: what it has to behave like. */
class Model {
  readonly waiting: { key: string; priority: Priority }[] = [];
  readonly working = new Map<string, Priority | undefined>();

  add(key: string, priority: Priority): void {
    if (this.working.has(key)) {
      if (this.working.get(key) !== 'change') this.working.set(key, priority);
      return;
    }
    const standing = this.waiting.findIndex((one) => one.key === key);
    if (standing >= 0 && (priority === 'resync' || this.waiting[standing]?.priority === 'change')) return;
    if (standing >= 0) this.waiting.splice(standing, 1);
    this.waiting.push({ key, priority });
  }

  take(): { key: string; priority: Priority } | undefined {
    const change = this.waiting.findIndex(({ priority }) => priority === 'change');
    const [taken] = this.waiting.splice(Math.max(change, 0), 1);
    if (taken !== undefined) this.working.set(taken.key, undefined);
    return taken;
  }

  finish(key: string): void {
    const priority = this.working.get(key);
    this.working.delete(key);
    if (priority !== undefined) this.add(key, priority);
  }
}

const key = fc.constantFrom('a', 'b', 'c', 'd');
const priority = fc.constantFrom<Priority>('change', 'resync');

class Add implements fc.Command<Model, DedupeQueue> {
  readonly key: string;
  readonly priority: Priority;
  constructor(key: string, priority: Priority) {
    this.key = key;
    this.priority = priority;
  }
  check = () => true;
  run(model: Model, real: DedupeQueue): void {
    model.add(this.key, this.priority);
    real.add(this.key, this.priority);
    expect(real.size).toBe(model.waiting.length);
  }
  toString = () => `add ${this.key} ${this.priority}`;
}

class Take implements fc.Command<Model, DedupeQueue> {
  check = () => true;
  run(model: Model, real: DedupeQueue): void {
    const inWork = new Set(model.working.keys());
    const taken = real.take();
    expect(taken).toEqual(model.take());
    if (taken !== undefined) expect(inWork.has(taken.key)).toBe(false);
  }
  toString = () => 'take';
}

class Finish implements fc.Command<Model, DedupeQueue> {
  readonly which: number;
  constructor(which: number) {
    this.which = which;
  }
  check = (model: Readonly<Model>) => model.working.size > 0;
  run(model: Model, real: DedupeQueue): void {
    const key = [...model.working.keys()][this.which % model.working.size]!;
    model.finish(key);
    real.finish(key);
    expect([real.size, real.working]).toEqual([model.waiting.length, model.working.size]);
  }
  toString = () => `finish ${this.which}`;
}

describe('the queue', () => {
  it('behaves like a list in which a key stands once, is never worked on twice at a time, and changes go first', () => {
    const commands = fc.commands(
      [
        fc.tuple(key, priority).map(([one, how]) => new Add(one, how)),
        fc.constant(new Take()),
        fc.nat(3).map((which) => new Finish(which)),
      ],
      { maxCommands: 60 },
    );
    return fc.assert(
      fc.property(commands, (sequence) => {
        fc.modelRun(() => ({ model: new Model(), real: new DedupeQueue() }), sequence);
      }),
      { numRuns: 300 },
    );
  });
});
