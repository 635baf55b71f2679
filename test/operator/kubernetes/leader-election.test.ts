import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { HeldTerm } from '../../../operator/kubernetes/held-term.ts';
import { KubeError } from '../../../operator/kubernetes/kube-error.ts';
import { LeaderElector, type LeaderElectorOptions } from '../../../operator/kubernetes/leader-election.ts';
import type { Term } from '../../../operator/kubernetes/leadership.ts';
import { type LeaseSpec, leaseSpecOf, microTime } from '../../../operator/kubernetes/lease.ts';
import { eventually } from '../../harness/api.ts';
import { FakeObjects } from './fake-objects.ts';

const TIMES = { leaseMs: 2000, renewDeadlineMs: 1500, retryMs: 50 };

let leases: FakeObjects;
let candidates: Candidate[];
beforeEach(() => {
  leases = new FakeObjects();
  candidates = [];
});
afterEach(async () => {
  leases.before = undefined;
  await Promise.all(candidates.map((candidate) => candidate.stop()));
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
const leads = (candidate: Candidate, terms = 1) =>
  eventually(async () => {
    expect(candidate.terms).toHaveLength(terms);
    expect(candidate.leading).toBe(1);
  });
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
    let ahead = 0;
    const clocks = { monotonic: () => performance.now() + ahead, wall: () => Date.now() };
    await held({ leaseDurationSeconds: 3600, renewTime: microTime(0) });
    const me = new Candidate('me', { clocks });
    await sleep(300);
    ahead += 3_500_000;
    await sleep(300);
    expect(me.terms).toEqual([]);
    leases.change('it', { spec: { ...spec(), renewTime: microTime(Date.now() + 1e9) } });
    await sleep(300);
    ahead += 3_500_000;
    await sleep(300);
    expect(me.terms).toEqual([]);
    ahead += 100_000;
    await leads(me);
    expect(me.terms[0]?.fence.transitions).toBe(8);
    expect(me.log).toContain('the Lease default/it is held by other');
  });

  it('never takes a lease that is renewed', async () => {
    const first = new Candidate('first');
    await leads(first);
    const second = new Candidate('second');
    await sleep(3000);
    expect(second.terms).toEqual([]);
    expect(first.terms).toHaveLength(1);
    expect(first.terms[0]?.isValid()).toBe(true);
  });

  it('leads alone, of many that begin together', async () => {
    const all = Array.from({ length: 5 }, (_, n) => new Candidate(`n${n}`));
    await eventually(async () => expect(all.some(({ leading }) => leading > 0)).toBe(true));
    await sleep(500);
    expect(all.reduce((sum, { leading }) => sum + leading, 0)).toBe(1);
  });

  it('goes on when the API is away, and says so once', async () => {
    leases.before = () => {
      throw new KubeError('unavailable', 'away');
    };
    const me = new Candidate('me');
    await eventually(async () => expect(leases.calls.length).toBeGreaterThan(3));
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
    await eventually(async () => expect(spec().renewTime).not.toBe(renewTime));
    await sleep(1600);
    expect(me.terms).toHaveLength(1);
    expect(me.terms[0]?.isValid()).toBe(true);
    expect(slow).toBe(1);
  });

  it('ends when somebody else has the Lease, and the next one is a candidacy again', async () => {
    const me = new Candidate('me');
    await leads(me);
    leases.change('it', { spec: { ...spec(), holderIdentity: 'other', leaseTransitions: 5 } });
    await eventually(async () => expect(me.terms[0]?.signal.aborted).toBe(true));
    expect(me.terms[0]?.isValid()).toBe(false);
    expect(me.log).toContain('lost the Lease default/it: somebody else has it');
    await leads(me, 2);
    expect(me.terms[1]?.fence.transitions).toBe(6);
  });

  it('ends when another process of the same identity takes the Lease', async () => {
    const me = new Candidate('me');
    await leads(me);
    leases.change('it', { spec: { ...spec(), leaseTransitions: 5 } });
    await eventually(async () => expect(me.terms[0]?.signal.aborted).toBe(true));
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
      await eventually(async () => expect(me.terms[0]?.signal.aborted).toBe(true));
      await eventually(async () => expect(me.terms[0]?.isValid()).toBe(false));
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
    await eventually(async () => expect(me.terms[0]?.signal.aborted).toBe(true));
    await sleep(300);
    expect(me.terms).toHaveLength(1);
    letGo();
    await eventually(async () => expect(me.terms).toHaveLength(2));
  });

  it('is valid until it is wound up, and is released after that', async () => {
    const seen: unknown[] = [];
    const me: Candidate = new Candidate('me', {}, async () => {
      await sleep(2000);
      seen.push(spec().holderIdentity, me.terms[0]?.isValid());
    });
    await leads(me);
    await me.stop();
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
      log: (message) => log.push(message),
      ...TIMES,
    });
    await elector.run(async () => {
      terms += 1;
      if (terms === 3) ending.abort();
      throw new Error(`broken ${terms}`);
    }, ending.signal);
    expect(terms).toBe(3);
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
    await eventually(async () => expect(me.isStopped).toBe(true));
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
        const now = { monotonic: 5000, wall: 1e12 };
        const clocks = { monotonic: () => now.monotonic, wall: () => now.wall };
        const lease = { metadata: { name: 'it', uid: 'u', resourceVersion: '1' } };
        const { signal } = new AbortController();
        const term = new HeldTerm(lease, { ...now }, { identity: 'me', clocks, validMs: 1000, signal });
        let since = { ...now };
        for (const { monotonic, wall, renew } of ticks) {
          now.monotonic += monotonic;
          now.wall += wall;
          const isOld = now.monotonic - since.monotonic >= 1000 || now.wall - since.wall >= 1000;
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
