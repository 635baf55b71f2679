import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { KubeError } from '../../../kubernetes/kube-error.ts';
import { EventRecorder, type KubeEvent } from '../../../operator/kubernetes/event-recorder.ts';
import { SpamFilter } from '../../../operator/kubernetes/spam-filter.ts';
import { TestClock } from '../../harness/test-clock.ts';
import { FakeObjects } from './fake-objects.ts';

const EVENT: KubeEvent = {
  regarding: { apiVersion: 'v1', kind: 'Thing', namespace: 'default', name: 'a', uid: 'u' },
  type: 'Normal',
  reason: 'Defined',
  action: 'Define',
  note: 'defined it',
};

let clock: TestClock;
let events: FakeObjects;
let recorder: EventRecorder;
let said: string[];
const log = (message: string) => said.push(message);
const newRecorder = () =>
  new EventRecorder({ client: events, reportingController: 'test.example/it', reportingInstance: 'me', log, clock });
beforeEach(() => {
  said = [];
  clock = new TestClock();
  events = new FakeObjects(clock);
  recorder = newRecorder();
});
afterEach(() => stopped());

/** Stops it, and lets the time pass for which it may go on to write. */
async function stopped(): Promise<void> {
  const stopping = recorder.stop();
  await clock.advance(2000);
  await stopping;
}

const written = () => [...events.objects.values()];
/** As soon as nothing is left to do but to wait. */
async function expectWritten(...expected: object[]): Promise<void> {
  await clock.advance(0);
  expect(written()).toMatchObject(expected);
}

describe('an event recorder', () => {
  it('writes an event with who reports it and when', async () => {
    recorder.record(EVENT);
    await expectWritten({
      ...EVENT,
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { namespace: 'default', name: expect.stringMatching(/^a\.[0-9a-f]{16}$/u) },
      reportingController: 'test.example/it',
      reportingInstance: 'me',
      eventTime: expect.stringMatching(/\.\d{6}Z$/u),
    });
    expect(written()[0]).not.toHaveProperty('series');
  });

  it('counts a repetition instead of writing it again, also after a restart', async () => {
    recorder.record(EVENT);
    recorder.record(EVENT);
    await expectWritten({ series: { count: 2, lastObservedTime: expect.stringMatching(/\.\d{6}Z$/u) } });
    recorder.record(EVENT);
    await expectWritten({ series: { count: 3 } });
    await stopped();
    recorder = newRecorder();
    recorder.record(EVENT);
    await expectWritten({ series: { count: 4 } });
  });

  it('begins anew when the first one has expired', async () => {
    recorder.record(EVENT);
    await expectWritten(EVENT);
    events.objects.clear();
    recorder.record(EVENT);
    await expectWritten(EVENT);
  });

  it('writes another note, reason or object as another event', async () => {
    recorder.record(EVENT);
    recorder.record({ ...EVENT, note: 'something else' });
    recorder.record({ ...EVENT, reason: 'Other' });
    recorder.record({ ...EVENT, regarding: { ...EVENT.regarding, uid: 'v' } });
    await expectWritten(EVENT, { note: 'something else' }, { reason: 'Other' }, { regarding: { uid: 'v' } });
  });

  it('cuts a long note between two characters', async () => {
    recorder.record({ ...EVENT, note: `x${'🦆'.repeat(500)}` });
    await expectWritten({ note: `x${'🦆'.repeat(255)}…` });
    expect(Buffer.byteLength(String(written()[0]?.note))).toBe(1024);
  });

  it('has names that the API server takes, however long the name of the object is', async () => {
    const name = `${'a'.repeat(229)}.${'b'.repeat(23)}`;
    recorder.record({ ...EVENT, regarding: { ...EVENT.regarding, name } });
    await expectWritten({ metadata: { name: expect.stringMatching(/^a{229}\.[0-9a-f]{16}$/u) } });
  });

  it('waits for a server that is away, and drops what is refused, which it says once', async () => {
    let failures = 2;
    events.before = () => {
      if (failures-- > 0) throw new KubeError('unavailable', 'away', { retryAfterMs: 20_000 });
    };
    recorder.record(EVENT);
    await clock.advance(39_999);
    expect(written()).toEqual([]);
    await clock.advance(1);
    expect(written()).toMatchObject([EVENT]);
    events.before = (call) => {
      if (call === 'create') throw new KubeError('forbidden', 'no');
    };
    recorder.record({ ...EVENT, note: 'refused' });
    recorder.record({ ...EVENT, note: 'refused too' });
    await clock.advance(0);
    expect(events.calls.filter((call) => call === 'create')).toHaveLength(5);
    events.before = undefined;
    recorder.record({ ...EVENT, note: 'taken' });
    await expectWritten(EVENT, { note: 'taken' });
    expect(said).toEqual(['events cannot be written: no']);
  });

  it('writes what waits when it stops, but does not wait for ever', async () => {
    recorder.record(EVENT);
    await stopped();
    expect(written()).toHaveLength(1);
    recorder.record({ ...EVENT, note: 'too late' });
    recorder = newRecorder();
    events.before = () => new Promise(() => undefined);
    recorder.record({ ...EVENT, note: 'hangs' });
    await stopped();
    expect(written()).toHaveLength(1);
  });

  it('drops what an object has too many of', async () => {
    for (let n = 0; n < 30; n++) recorder.record({ ...EVENT, note: `note ${n}` });
    recorder.record({ ...EVENT, regarding: { ...EVENT.regarding, uid: 'v' } });
    await stopped();
    expect(written()).toHaveLength(26);
  });
});

describe('the spam filter', () => {
  it('admits 25 at once, then one every five minutes, for each object', () => {
    const filter = new SpamFilter();
    const admitted = (uid: string, now: number) =>
      Array.from({ length: 40 }, () => filter.admits(uid, now)).filter(Boolean).length;
    expect(admitted('a', 0)).toBe(25);
    expect(admitted('b', 0)).toBe(25);
    expect(admitted('a', 299_000)).toBe(0);
    expect(admitted('a', 301_000)).toBe(1);
    expect(admitted('a', 301_000 + 600_000)).toBe(2);
    expect(admitted('a', 1e12)).toBe(25);
  });
});
