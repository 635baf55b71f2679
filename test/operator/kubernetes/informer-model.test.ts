import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { eventually } from '../../harness/api.ts';
import { TestClock } from '../../harness/test-clock.ts';
import { FakeKubeApi, fail, status } from '../../kubernetes/fake-kube-api.ts';
import { type FollowedObjects, followThings, valuesOf } from './followed-objects.ts';

/** `own`: by a write of our own, whose answer is put. */
interface Change {
  readonly do: 'set' | 'remove' | 'own';
  readonly name: string;
}

interface Step {
  /** What the watch does not bring, if anything. */
  readonly unheard: readonly Change[];
  readonly fault: keyof typeof FAULTS;
  readonly heard: readonly Change[];
  /** Otherwise the next step comes while the informer is still busy with this one. */
  readonly settles: boolean;
}

const IDLE_MS = 90_000;

const FAULTS = {
  none: () => undefined,
  bookmark: (api: FakeKubeApi) => api.bookmark(),
  end: (api: FakeKubeApi) => api.end(),
  cut: (api: FakeKubeApi) => api.cut(),
  half: (api: FakeKubeApi) => api.end('{"type":"MODIFIED","object":{'),
  garbage: (api: FakeKubeApi) => api.write('garbage\n'),
  compact: (api: FakeKubeApi) => {
    api.compact();
    api.cut();
  },
  expire: (api: FakeKubeApi) => {
    api.send({ type: 'ERROR', object: status(410, 'Expired', 'too old') });
    api.cut();
  },
  fault: (api: FakeKubeApi) => api.send({ type: 'ERROR', object: status(500, 'InternalError', 'fault') }),
  refuseWatch: (api: FakeKubeApi) => {
    api.script('watch', fail(403, 'Forbidden'));
    api.cut();
  },
  expireWatch: (api: FakeKubeApi) => {
    api.script('watch', fail(410, 'Gone'));
    api.cut();
  },
  breakBoth: (api: FakeKubeApi) => {
    api.script('watch', (response) => response.destroy());
    api.script('list', (response) => response.destroy());
    api.compact();
    api.cut();
  },
  refuseList: (api: FakeKubeApi) => {
    api.script('list', fail(500, 'InternalError'));
    api.compact();
    api.end();
  },
};

const change: fc.Arbitrary<Change> = fc.record({
  do: fc.constantFrom('set', 'set', 'remove', 'own'),
  name: fc.constantFrom('a', 'b', 'c', 'd'),
});
const step: fc.Arbitrary<Step> = fc.record({
  unheard: fc.oneof(fc.constant([]), fc.array(change, { maxLength: 6 })),
  fault: fc.constantFrom(...(Object.keys(FAULTS) as (keyof typeof FAULTS)[])),
  heard: fc.array(change, { maxLength: 4 }),
  settles: fc.boolean(),
});

async function play(
  steps: readonly Step[],
  api: FakeKubeApi,
  things: FollowedObjects,
  clock: TestClock,
): Promise<void> {
  let value = 0;
  const make = (changes: readonly Change[]) => {
    for (const { do: what, name } of changes) {
      value += 1;
      if (what === 'remove') api.remove(name);
      else if (what === 'set') api.set(name, value);
      else things.own(api.set(name, value));
    }
  };
  for (const { unheard, fault, heard, settles } of steps) {
    if (unheard.length > 0) api.silence();
    make(unheard);
    FAULTS[fault](api);
    make(heard);
    if (settles) await followed(api, things, clock);
  }
}

async function followed(api: FakeKubeApi, things: FollowedObjects, clock: TestClock): Promise<void> {
  // A watch that is silent by now is given up.
  await clock.advance(IDLE_MS);
  await eventually(async () => {
    expect(things.view).toEqual(valuesOf(api.objects));
  }, 60_000);
  expect(things.wrong).toEqual([]);
}

describe('an informer, whatever happens', () => {
  it('has told in the end what is there', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const api = await new FakeKubeApi().listen();
        const clock = new TestClock(1);
        const things = followThings(api, clock, { firstDelayMs: 1, greatestDelayMs: 10, idleMs: IDLE_MS });
        try {
          await things.start();
          await play(steps, api, things, clock);
          await followed(api, things, clock);
        } finally {
          await things.informer.stop();
          await api.close();
        }
      }),
      { numRuns: 60 },
    );
  });
});
