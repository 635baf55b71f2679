import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../harness/api.ts';
import { TestClock } from '../../harness/test-clock.ts';
import { answer, FakeKubeApi, fail, status } from '../../kubernetes/fake-kube-api.ts';
import { type FollowedObjects, followThings, valuesOf } from './followed-objects.ts';

let api: FakeKubeApi;
/** Goes on by itself, too. */
let clock: TestClock;
let things: FollowedObjects;
beforeEach(async () => {
  api = await new FakeKubeApi().listen();
  clock = new TestClock(1);
  things = followThings(api, clock);
});
afterEach(async () => {
  await things.informer.stop();
  await api.close();
  expect(things.wrong).toEqual([]);
});

const watches = () => api.asked.filter(({ kind }) => kind === 'watch');
const lists = () => api.asked.filter(({ kind }) => kind === 'list');
const watching = () => eventually(async () => expect(api.watching).toBe(1));
/** Waits until what is told is this. */
const told = (...expected: unknown[]) => eventually(async () => expect(things.told).toEqual(expected));
async function follows(): Promise<void> {
  await eventually(async () => {
    expect(things.view).toEqual(valuesOf(api.objects));
  });
}

describe('an informer', () => {
  it('tells what is there, then what changes, with what was before', async () => {
    api.set('a', 1);
    await things.start();
    expect(things.told).toEqual(['+a']);
    await watching();
    api.set('b', 1);
    api.set('a', 2);
    api.remove('b');
    await told('+a', '+b', '~a', '-b');
    expect(things.objects.get('default/a')).toMatchObject({ value: 2 });
    expect(things.objects.get('default/b')).toBeUndefined();
    await follows();
  });

  it('lists in pages and watches from the version of the list', async () => {
    for (let n = 0; n < 1201; n++) api.set(`n${n}`, n);
    await things.start();
    expect(lists().map(({ query }) => [query.get('limit'), query.has('continue')])).toEqual([
      ['500', false],
      ['500', true],
      ['500', true],
    ]);
    await watching();
    expect(watches()[0]?.query.get('resourceVersion')).toBe(api.version);
    expect(things.objects.size).toBe(1201);
  });

  it('looks at one namespace only, when told so', async () => {
    things = followThings(api, clock, {}, { namespace: 'mine' });
    api.set('a', 1, 'mine');
    api.set('b', 1, 'other');
    await things.start();
    await watching();
    api.set('c', 1, 'other');
    api.set('d', 1, 'mine');
    await told('+a', '+d');
    expect(api.asked.every(({ path }) => path === '/apis/test.example/v1/namespaces/mine/things')).toBe(true);
  });

  it('begins the list again when it is too old to go on', async () => {
    for (let n = 0; n < 600; n++) api.set(`n${n}`, n);
    api.script('list', (response, asked) => {
      api.script('list', fail(410, 'Expired'));
      answer(response, 200, {
        metadata: { resourceVersion: '50', continue: `gone.${asked.query.get('limit')}` },
        items: [],
      });
    });
    await things.start();
    await follows();
    expect(things.objects.size).toBe(600);
  });

  it('tries the first list until it succeeds', async () => {
    api.set('a', 1);
    api.script('list', fail(500, 'InternalError'));
    api.script('list', (response) => response.destroy());
    api.script('list', (response) => answer(response, 200, '{"items":'));
    await things.start();
    await follows();
    expect(things.told.at(-1)).toBe('+a');
  });

  it('opens an ended watch again from what it last heard, and stays with it by bookmarks', async () => {
    await things.start();
    await watching();
    api.set('a', 1);
    api.bookmark();
    const { version } = api;
    await told('+a');
    api.end();
    await watching();
    expect(watches().at(-1)?.query.get('resourceVersion')).toBe(version);
    api.compact();
    api.bookmark();
    api.set('a', 2);
    await told('+a', '~a');
    expect(lists()).toHaveLength(1);
  });

  const breaks: [string, () => void][] = [
    ['a reset', () => api.cut()],
    ['half a line', () => api.end('{"type":"ADDED","obj')],
    ['a line that is no JSON', () => api.write('}{\n')],
    ['an ERROR event', () => api.send({ type: 'ERROR', object: status(500, 'InternalError', 'broken') })],
  ];
  for (const [what, breakIt] of breaks) {
    it(`goes on after ${what} without a new list, and misses nothing`, async () => {
      api.set('a', 1);
      await things.start();
      await watching();
      breakIt();
      api.set('b', 1);
      api.set('a', 2);
      await told('+a', '+b', '~a');
      await follows();
      expect(lists()).toHaveLength(1);
    });
  }

  it('goes on after a silence that is too long', async () => {
    await things.start();
    await watching();
    api.silence();
    api.set('a', 1);
    await eventually(async () => {
      await clock.advance(90_000);
      expect(watches()).toHaveLength(2);
    });
    await told('+a');
    expect(lists()).toHaveLength(1);
  });

  it('lists again when watches are opened in good order and say nothing, each of them', async () => {
    for (let time = 0; time < 20; time += 1)
      api.script('watch', (response) => {
        response.writeHead(200).flushHeaders();
      });
    await things.start();
    api.set('a', 1);
    await eventually(async () => {
      await clock.advance(90_000);
      expect(things.told).toContain('+a');
    });
    expect(lists().length).toBeGreaterThan(1);
    expect(things.told.some((text) => String(text).startsWith('!Cannot watch'))).toBe(true);
  });

  it('goes on after 429 and 500 when a watch is opened, not sooner than it was asked', async () => {
    for (const reason of ['TooManyRequests', 'InternalError'])
      api.script('watch', fail(reason === 'InternalError' ? 500 : 429, reason, 'no', {}, { 'retry-after': '1' }));
    const still = new TestClock();
    things = followThings(api, still);
    await things.start();
    for (const failures of [1, 2]) {
      await eventually(async () => expect(things.informer.counters.failures).toBe(failures));
      await still.advance(999);
      expect(things.informer.counters.watches).toBe(failures);
      await still.advance(1);
    }
    await watching();
    api.set('a', 1);
    await told('+a');
  });

  for (const how of ['an ERROR event', 'the answer to a watch']) {
    it(`lists again after 410 in ${how}: tells what is gone, changed, made anew and new, and nothing else`, async () => {
      for (const name of ['same', 'changed', 'gone', 'anew']) api.set(name, 1);
      await things.start();
      await watching();
      things.told.length = 0;
      api.silence();
      api.set('changed', 2);
      api.remove('gone');
      api.remove('anew');
      api.set('anew', 2);
      api.set('new', 1);
      api.compact();
      if (how === 'the answer to a watch') api.script('watch', fail(410, 'Expired'));
      api.cut();
      await eventually(async () => expect(lists()).toHaveLength(2));
      await eventually(async () => expect(watches()).toHaveLength(3));
      await follows();
      expect(things.told.toSorted()).toEqual(['+anew', '+new', '-anew', '-gone', '~changed']);
    });
  }

  it('tells another object of the same name as gone and appeared, though the deletion was never told', async () => {
    const first = api.set('a', 1);
    await things.start();
    await watching();
    const { uid } = first.metadata;
    api.send({ type: 'ADDED', object: { metadata: { ...first.metadata, uid: `not ${uid}`, resourceVersion: '500' } } });
    await told('+a', '-a', '+a');
  });

  it('ignores news that it has and news that is older', async () => {
    const old = api.set('a', 1);
    const now = api.set('a', 2);
    await things.start();
    await watching();
    api.send({ type: 'MODIFIED', object: old });
    api.send({ type: 'MODIFIED', object: now });
    api.send({ type: 'DELETED', object: { ...old, metadata: { ...old.metadata, uid: 'earlier' } } });
    api.set('b', 1);
    await told('+a', '+b');
    expect(things.objects.get('default/a')).toMatchObject({ value: 2 });
    api.end();
    await watching();
    expect(watches().at(-1)?.query.get('resourceVersion')).toBe(api.version);
  });

  it('tells a problem with what to do, once, goes on trying, and tells that it is over', async () => {
    const forbidden = fail(403, 'Forbidden', 'user "u" cannot list resource "things"');
    for (let time = 0; time < 3; time++) api.script('list', forbidden);
    for (let time = 0; time < 2; time++) api.script('watch', forbidden);
    await things.start();
    await told(
      expect.stringMatching(/^!Cannot list things\.test\.example in all namespaces: .*cannot list.*; grant the verbs/u),
      expect.stringMatching(/^!Cannot watch things\.test\.example/u),
      'ok',
    );
    api.set('a', 1);
    await eventually(async () => expect(things.told.at(-1)).toBe('+a'));
  });

  it('tells a missing kind, a refused token, and a server that stays away', async () => {
    api.script('list', fail(404, 'NotFound', 'the server could not find the requested resource'));
    api.script('list', fail(401, 'Unauthorized'));
    for (let time = 0; time < 7; time++) api.script('list', (response) => response.destroy());
    await things.start();
    await told(
      expect.stringMatching(/; install its CustomResourceDefinition$/u),
      expect.stringMatching(/; check the credentials in the kubeconfig$/u),
      expect.stringMatching(/^!Cannot list .*No answer from/u),
      'ok',
    );
  });

  it('lists again when a watch fails over and over, and takes a restored backup as it is', async () => {
    api.set('a', 2);
    api.set('b', 1);
    await things.start();
    await watching();
    const metadata = { name: 'a', namespace: 'default', uid: 'uid-1', resourceVersion: '5' };
    api.restore([{ metadata, value: 1 }], 9);
    api.cut();
    await follows();
    expect(things.view).toEqual({ 'default/a uid-1': 1 });
    expect(things.wrong.splice(0)).toEqual(['default/a: an older state']);
    await watching();
    api.set('a', 2);
    await follows();
  });

  it('does not open a watch that ends at once again and again without a pause', async () => {
    for (let time = 0; time < 20; time++)
      api.script('watch', (response) => {
        response.writeHead(200).end();
      });
    const still = new TestClock();
    things = followThings(api, still, { firstDelayMs: 200, greatestDelayMs: 200 });
    await things.start();
    for (let failures = 1; failures < 6; failures += 1) {
      await eventually(async () => expect(things.informer.counters.failures).toBe(failures));
      const begun = still.monotonic();
      while (things.informer.counters.watches === failures) await still.advance(1);
      // Up to a quarter less, by chance.
      expect(still.monotonic() - begun).toBeGreaterThanOrEqual(150);
    }
  });

  it('does not keep others waiting for a namespace that may not be read, and goes on when it may', async () => {
    for (let time = 0; time < 9; time += 1) api.script('list', fail(403, 'Forbidden'));
    api.set('a', 1, 'mine');
    things = followThings(api, clock, {}, { namespace: 'mine' });
    await things.start();
    expect(things.told).toEqual([expect.stringContaining('grant the verbs get, list and watch on it')]);
    expect(things.informer.isStale(60_000)).toBe(false);
    await eventually(async () => expect(things.told).toContain('+a'));
  });

  it('says when it has heard nothing for long', async () => {
    await things.start();
    await watching();
    expect(things.informer.isStale(60_000)).toBe(false);
    await clock.advance(60_001);
    expect(things.informer.isStale(60_000)).toBe(true);
    api.bookmark();
    await eventually(async () => expect(things.informer.isStale(60_000)).toBe(false));
  });
});

describe('the answer of a write of our own', () => {
  it('is seen at once, and is no news any more when the watch brings it', async () => {
    api.set('a', 1);
    await things.start();
    await watching();
    api.silence();
    things.own(api.set('a', 2));
    expect(things.objects.get('default/a')).toMatchObject({ value: 2 });
    api.cut();
    await watching();
    api.set('b', 1);
    await told('+a', '~a', '+b');
  });

  it('is no news either when the change by somebody else that lies before it is told later', async () => {
    api.set('a', 1);
    await things.start();
    await watching();
    api.silence();
    api.set('a', 2);
    things.own(api.set('a', 3));
    api.cut();
    await watching();
    api.set('b', 1);
    await told('+a', '~a', '+b');
    await follows();
  });

  it('does not bring back what is gone, nor go back', async () => {
    const old = api.set('a', 1);
    const now = api.set('a', 2);
    await things.start();
    things.own(old);
    expect(things.objects.get('default/a')).toEqual(now);
    await watching();
    api.remove('a');
    await told('+a', '-a');
    things.own({ ...now, metadata: { ...now.metadata, resourceVersion: '9999' } });
    expect(things.view).toEqual({});
  });
});

describe('the end', () => {
  const states: [string, () => Promise<unknown>][] = [
    ['while the first list is under way', async () => api.script('list', () => undefined)],
    [
      'between two tries',
      async () => api.script('list', fail(429, 'TooManyRequests', '', {}, { 'retry-after': '60' })),
    ],
    ['while a watch is being opened', async () => api.script('watch', () => undefined)],
    ['while it watches', async () => undefined],
  ];
  for (const [when, prepare] of states) {
    it(`comes at once ${when}, by stop and by the signal`, async () => {
      for (const end of ['stop', 'signal']) {
        const mine = followThings(api, clock);
        api.asked.length = 0;
        await prepare();
        const started = mine.begin().catch((error: unknown) => error);
        await eventually(async () => expect(api.asked.length).toBeGreaterThan(when.includes('watch') ? 1 : 0));
        if (end === 'signal') mine.abort();
        await mine.informer.stop();
        if (!when.includes('watch')) expect(await started).toBeInstanceOf(Error);
        await eventually(async () => expect(api.watching).toBe(0));
      }
    });
  }
});
