import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EventRecorder, type KubeEvent } from '../../../operator/kubernetes/event-recorder.ts';
import { KubeError } from '../../../operator/kubernetes/kube-error.ts';
import { SpamFilter } from '../../../operator/kubernetes/spam-filter.ts';
import { eventually } from '../../harness/api.ts';
import { FakeObjects } from './fake-objects.ts';

const EVENT: KubeEvent = {
  regarding: { apiVersion: 'v1', kind: 'Thing', namespace: 'default', name: 'a', uid: 'u' },
  type: 'Normal',
  reason: 'Defined',
  action: 'Define',
  note: 'defined it',
};

let events: FakeObjects;
let recorder: EventRecorder;
let said: string[];
const log = (message: string) => said.push(message);
const newRecorder = () =>
  new EventRecorder({ client: events, reportingController: 'test.example/it', reportingInstance: 'me', log });
beforeEach(() => {
  said = [];
  events = new FakeObjects();
  recorder = newRecorder();
});
afterEach(() => recorder.stop());

const written = () => [...events.objects.values()];
const eventuallyWritten = (...expected: object[]) => eventually(async () => expect(written()).toMatchObject(expected));

describe('an event recorder', () => {
  it('writes an event with who reports it and when', async () => {
    recorder.record(EVENT);
    await eventuallyWritten({
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
    await eventuallyWritten({ series: { count: 2, lastObservedTime: expect.stringMatching(/\.\d{6}Z$/u) } });
    recorder.record(EVENT);
    await eventuallyWritten({ series: { count: 3 } });
    await recorder.stop();
    recorder = newRecorder();
    recorder.record(EVENT);
    await eventuallyWritten({ series: { count: 4 } });
  });

  it('begins anew when the first one has expired', async () => {
    recorder.record(EVENT);
    await eventuallyWritten(EVENT);
    events.objects.clear();
    recorder.record(EVENT);
    await eventuallyWritten(EVENT);
  });

  it('writes another note, reason or object as another event', async () => {
    recorder.record(EVENT);
    recorder.record({ ...EVENT, note: 'something else' });
    recorder.record({ ...EVENT, reason: 'Other' });
    recorder.record({ ...EVENT, regarding: { ...EVENT.regarding, uid: 'v' } });
    await eventually(async () => expect(written()).toHaveLength(4));
  });

  it('cuts a long note between two characters', async () => {
    recorder.record({ ...EVENT, note: `x${'🦆'.repeat(500)}` });
    await eventuallyWritten({ note: `x${'🦆'.repeat(255)}…` });
    expect(Buffer.byteLength(String(written()[0]?.note))).toBe(1024);
  });

  it('has names that the API server takes, however long the name of the object is', async () => {
    const name = `${'a'.repeat(229)}.${'b'.repeat(23)}`;
    recorder.record({ ...EVENT, regarding: { ...EVENT.regarding, name } });
    await eventuallyWritten({ metadata: { name: expect.stringMatching(/^a{229}\.[0-9a-f]{16}$/u) } });
  });

  it('waits for a server that is away, and drops what is refused, which it says once', async () => {
    let failures = 2;
    events.before = () => {
      if (failures-- > 0) throw new KubeError('unavailable', 'away', { retryAfterMs: 10 });
    };
    recorder.record(EVENT);
    await eventuallyWritten(EVENT);
    events.before = (call) => {
      if (call === 'create') throw new KubeError('forbidden', 'no');
    };
    recorder.record({ ...EVENT, note: 'refused' });
    recorder.record({ ...EVENT, note: 'refused too' });
    await eventually(async () => expect(events.calls.filter((call) => call === 'create')).toHaveLength(5));
    events.before = undefined;
    recorder.record({ ...EVENT, note: 'taken' });
    await eventuallyWritten(EVENT, { note: 'taken' });
    expect(said).toEqual(['events cannot be written: no']);
  });

  it('writes what waits when it stops, but does not wait for ever', async () => {
    recorder.record(EVENT);
    await recorder.stop();
    expect(written()).toHaveLength(1);
    recorder.record({ ...EVENT, note: 'too late' });
    recorder = newRecorder();
    events.before = () => new Promise(() => undefined);
    recorder.record({ ...EVENT, note: 'hangs' });
    await recorder.stop();
    expect(written()).toHaveLength(1);
  });

  it('drops what an object has too many of', async () => {
    for (let n = 0; n < 30; n++) recorder.record({ ...EVENT, note: `note ${n}` });
    recorder.record({ ...EVENT, regarding: { ...EVENT.regarding, uid: 'v' } });
    await recorder.stop();
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
