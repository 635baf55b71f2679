import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { KubeError } from '../../../kubernetes/kube-error.ts';
import { HeldTerm } from '../../../operator/kubernetes/held-term.ts';
import { LeaderElector, type LeaderElectorOptions } from '../../../operator/kubernetes/leader-election.ts';
import type { Term } from '../../../operator/kubernetes/leadership.ts';
import { type LeaseSpec, leaseSpecOf, microTime } from '../../../operator/kubernetes/lease.ts';
import { type Clock, pause } from '../../../process/clock.ts';
import { TestClock } from '../../harness/test-clock.ts';
import { FakeObjects } from './fake-objects.ts';

const TIMES = { leaseMs: 2000, renewDeadlineMs: 1500, retryMs: 50 };

let clock: TestClock;
let leases: FakeObjects;
let candidates: Candidate[];
beforeEach(() => {
  clock = new TestClock();
  leases = new FakeObjects(clock);
  candidates = [];
});
afterEach(async () => {
  leases.before = undefined;
  const stopping = Promise.all(candidates.map((candidate) => candidate.stop()));
  await clock.advance(10_000);
  await stopping;
});

class Candidate {
  readonly terms: Term[] = [];
  readonly log: string[] = [];
  /** Terms whose `lead` has not returned yet. */
  leading = 0;
  isStopped = false;
  readonly #ending = new AbortController();
  readonly #run: Promise<void>;

  constructor(
    identity: string,
    options: Partial<LeaderElectorOptions> = {},
    windUp: () => Promise<void> = async () => {},
  ) {
    const log = (message: string) => this.log.push(message);
    const elector = new LeaderElector({
      client: leases,
      namespace: 'default',
      name: 'it',
      identity,
      clock,
      log,
      ...TIMES,
      ...options,
    });
    this.#run = elector
      .run(async (term) => {
        this.terms.push(term);
        this.leading += 1;
        if (!term.signal.aborted) await new Promise((resolve) => term.signal.addEventListener('abort', resolve));
        await windUp();
        this.leading -= 1;
      }, this.#ending.signal)
      .then(() => {
        this.isStopped = true;
      });
    candidates.push(this);
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#run;
  }
}

const spec = () => leaseSpecOf(leases.objects.get('it') ?? ({} as never));

/** Lets time pass until the check holds. */
async function soon(check: () => void): Promise<void> {
  for (const end = clock.monotonic() + 20_000; ; await clock.advance(10)) {
    try {
      return check();
    } catch (error) {
      if (clock.monotonic() > end) throw error;
    }
  }
}

const leads = (candidate: Candidate, terms = 1) =>
  soon(() => {
    expect(candidate.terms).toHaveLength(terms);
    expect(candidate.leading).toBe(1);
  });
const ended = (candidate: Candidate) => soon(() => expect(candidate.terms[0]?.signal.aborted).toBe(true));

async function held(fields: LeaseSpec): Promise<void> {
  const base = { holderIdentity: 'other', leaseDurationSeconds: 1, leaseTransitions: 7 };
  await leases.create(undefined, { metadata: { name: 'it' }, spec: { ...base, ...fields } });
}

describe('a candidate', () => {
  it('makes the Lease when there is none', async () => {
    const me = new Candidate('me');
    await leads(me);
    expect(spec()).toMatchObject({
      holderIdentity: 'me',
      leaseDurationSeconds: 2,
      leaseTransitions: 0,
      acquireTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/u),
    });
    const { uid, creationTimestamp = '' } = leases.objects.get('it')?.metadata ?? ({} as never);
    const [term] = me.terms;
    expect(term?.fence).toEqual({ lease: uid, created: Date.parse(creationTimestamp), transitions: 0 });
    expect(term?.isValid()).toBe(true);
  });

  it('takes a lease that was released at once, as the next term', async () => {
    await held({ holderIdentity: '', leaseDurationSeconds: 3600 });
    const me = new Candidate('me');
    await leads(me);
    expect(me.terms[0]?.fence.transitions).toBe(8);
  });

  it('counts a new term when it takes its own lease again', async () => {
    await held({ holderIdentity: 'me', leaseDurationSeconds: 3600 });
    const me = new Candidate('me');
    await leads(me);
    expect(me.terms[0]?.fence.transitions).toBe(8);
  });

  it('waits until a record has not changed for as long as it is meant to last, whatever time it names', async () => {
    await held({ leaseDurationSeconds: 360, renewTime: microTime(0) });
    const me = new Candidate('me');
    await clock.advance(359_999);
    expect(me.terms).toEqual([]);
    leases.change('it', { spec: { ...spec(), renewTime: microTime(clock.now() + 1e9) } });
    clock.jump(1e10);
    await clock.advance(359_999);
    expect(me.terms).toEqual([]);
    await leads(me);
    expect(me.terms[0]?.fence.transitions).toBe(8);
    expect(me.log).toContain('the Lease default/it is held by other');
  });

  it('never takes a lease that is renewed', async () => {
    const first = new Candidate('first');
    await leads(first);
    const second = new Candidate('second');
    await clock.advance(60_000);
    expect(second.terms).toEqual([]);
    expect(first.terms).toHaveLength(1);
    expect(first.terms[0]?.isValid()).toBe(true);
  });

  it('leads alone, of many that begin together', async () => {
    const all = Array.from({ length: 5 }, (_, n) => new Candidate(`n${n}`));
    await soon(() => expect(all.some(({ leading }) => leading > 0)).toBe(true));
    await clock.advance(60_000);
    expect(all.reduce((sum, { leading }) => sum + leading, 0)).toBe(1);
  });

  it('goes on when the API is away, and says so once', async () => {
    leases.before = () => {
      throw new KubeError('unavailable', 'away');
    };
    const me = new Candidate('me');
    await soon(() => expect(leases.calls.length).toBeGreaterThan(3));
    expect(me.log).toEqual(['cannot take the Lease default/it: away']);
    leases.before = undefined;
    await leads(me);
  });
});

describe('a term', () => {
  it('goes on when somebody else changes something else of the Lease', async () => {
    let slow = 0;
    const me = new Candidate('me', { onSlowPath: () => (slow += 1) });
    await leads(me);
    leases.change('it', { extra: 1 });
    const { renewTime } = spec();
    await soon(() => expect(spec().renewTime).not.toBe(renewTime));
    await clock.advance(60_000);
    expect(me.terms).toHaveLength(1);
    expect(me.terms[0]?.isValid()).toBe(true);
    expect(slow).toBe(1);
  });

  it('ends when somebody else has the Lease, and the next one is a candidacy again', async () => {
    const me = new Candidate('me');
    await leads(me);
    leases.change('it', { spec: { ...spec(), holderIdentity: 'other', leaseTransitions: 5 } });
    await ended(me);
    expect(me.terms[0]?.isValid()).toBe(false);
    expect(me.log).toContain('lost the Lease default/it: somebody else has it');
    await leads(me, 2);
    expect(me.terms[1]?.fence.transitions).toBe(6);
  });

  it('ends when another process of the same identity takes the Lease', async () => {
    const me = new Candidate('me');
    await leads(me);
    leases.change('it', { spec: { ...spec(), leaseTransitions: 5 } });
    await ended(me);
  });

  it('ends when the Lease is deleted; the next Lease was created later', async () => {
    const me = new Candidate('me');
    await leads(me);
    leases.objects.clear();
    await leads(me, 2);
    const [first, second] = me.terms;
    expect(first?.isValid()).toBe(false);
    expect(second?.fence.lease).not.toBe(first?.fence.lease);
    expect(second?.fence.created).toBeGreaterThan(first?.fence.created ?? 0);
  });

  for (const how of ['fails', 'hangs']) {
    it(`ends when renewing ${how} for too long, and the next one has a higher number`, async () => {
      const me = new Candidate('me');
      await leads(me);
      let answer = (): void => undefined;
      const late = new Promise<void>((resolve) => {
        answer = resolve;
      });
      leases.before = () => {
        if (how === 'hangs') return late;
        throw new KubeError('unavailable', 'away');
      };
      await ended(me);
      await soon(() => expect(me.terms[0]?.isValid()).toBe(false));
      leases.before = undefined;
      answer();
      await leads(me, 2);
      expect(me.terms[0]?.isValid()).toBe(false);
      expect(me.terms[1]?.fence.transitions).toBeGreaterThan(me.terms[0]?.fence.transitions ?? 0);
    });
  }

  it('does not begin before the one before has wound up', async () => {
    let letGo = (): void => undefined;
    const wound = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const me = new Candidate('me', {}, () => wound);
    await leads(me);
    leases.change('it', { spec: { ...spec(), holderIdentity: '' } });
    await ended(me);
    await clock.advance(60_000);
    expect(me.terms).toHaveLength(1);
    letGo();
    await soon(() => expect(me.terms).toHaveLength(2));
  });

  it('is valid until it is wound up, and is released after that', async () => {
    const seen: unknown[] = [];
    const me: Candidate = new Candidate('me', {}, async () => {
      await pause(clock, 60_000);
      seen.push(spec().holderIdentity, me.terms[0]?.isValid());
    });
    await leads(me);
    const stopping = me.stop();
    await clock.advance(60_000);
    await stopping;
    expect(seen).toEqual(['me', true]);
    expect(spec()).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1, leaseTransitions: 0 });
  });

  it('that throws is released, said, and followed by another', async () => {
    const log: string[] = [];
    const ending = new AbortController();
    let terms = 0;
    const elector = new LeaderElector({
      client: leases,
      namespace: 'default',
      name: 'it',
      identity: 'me',
      clock,
      log: (message) => log.push(message),
      ...TIMES,
    });
    const running = elector.run(async () => {
      terms += 1;
      if (terms === 3) ending.abort();
      throw new Error(`broken ${terms}`);
    }, ending.signal);
    await soon(() => expect(terms).toBe(3));
    await running;
    expect(log.filter((line) => line.startsWith('stopped'))).toEqual(
      [1, 2, 3].map((n) => `stopped to lead: broken ${n}`),
    );
    expect(spec().holderIdentity).toBe('');
  });

  it('is over at a stop in the middle of taking the Lease, which is released', async () => {
    await held({ holderIdentity: '' });
    let stopping: Promise<void> | undefined;
    const me = new Candidate('me');
    leases.before = (call) => {
      if (call === 'replace') stopping ??= me.stop();
    };
    await soon(() => expect(me.isStopped).toBe(true));
    await stopping;
    expect(me.terms).toEqual([]);
    expect(spec().holderIdentity).toBe('');
  });
});

describe('the validity of a term', () => {
  it('ends by whichever clock went further since before the Lease was taken or renewed', () => {
    const tick = fc.record({
      monotonic: fc.integer({ min: 0, max: 800 }),
      wall: fc.integer({ min: -2000, max: 2000 }),
      renew: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(tick, { maxLength: 20 }), (ticks) => {
        const now = { monotonic: 5000, now: 1e12 };
        const told: Clock = { monotonic: () => now.monotonic, now: () => now.now, after: () => () => undefined };
        const lease = { metadata: { name: 'it', uid: 'u', resourceVersion: '1' } };
        const { signal } = new AbortController();
        const term = new HeldTerm(lease, { ...now }, { identity: 'me', clock: told, validMs: 1000, signal });
        let since = { ...now };
        for (const { monotonic, wall, renew } of ticks) {
          now.monotonic += monotonic;
          now.now += wall;
          const isOld = now.monotonic - since.monotonic >= 1000 || now.now - since.now >= 1000;
          expect(term.isValid()).toBe(!isOld);
          if (!renew) continue;
          since = { ...now };
          term.renewed(lease, since);
          expect(term.isValid()).toBe(true);
        }
        term.lose();
        expect(term.isValid()).toBe(false);
      }),
    );
  });
});
