import { isDeepStrictEqual } from 'node:util';
import type { KubeClient } from '../../kubernetes/kube-client.ts';
import { isKubeError } from '../../kubernetes/kube-error.ts';
import type { KubeObject, KubeRef } from '../../kubernetes/kube-object.ts';
import { type Clock, pause } from '../../process/clock.ts';
import { HeldTerm, momentOf } from './held-term.ts';
import type { Term } from './leadership.ts';
import { LEASES, type LeaseSpec, leaseSpecOf, microTime } from './lease.ts';

export interface LeaderElectorOptions {
  /** Without a fence of its own, and with a time limit of at most half of `renewDeadlineMs`. */
  readonly client: Pick<KubeClient, 'read' | 'create' | 'replace'>;
  readonly namespace: string;
  /** Of the Lease. */
  readonly name: string;
  /** Of this process; no two have the same at the same time. */
  readonly identity: string;
  /** A holder that does not renew for so long may be replaced; whole seconds. */
  readonly leaseMs?: number;
  /** A holder that cannot renew for so long stops to lead; less than `leaseMs`. */
  readonly renewDeadlineMs?: number;
  readonly retryMs?: number;
  /** Is told what happens, each message once until it changes. */
  readonly log?: (message: string) => void;
  /** A renewal did not succeed at the first try. */
  readonly onSlowPath?: () => void;
  readonly clock: Clock;
}

/** What is known of somebody else's lease. */
interface Observed {
  readonly uid: string;
  readonly spec: LeaseSpec;
  /** By the monotonic clock, when it was first seen like this. */
  readonly at: number;
}

/** `creationTimestamp` has whole seconds: a Lease that is made so long after another one ended was created later. */
const BEFORE_CREATION_MS = 1000;
const RELEASE_ATTEMPTS = 3;

/**
 * Lets one of many processes lead at a time, by a Lease, as client-go's leaderelection does. Unlike there, every term
 * counts as a transition, also a second one of the same process, since what is fenced by it must grow.
 */
export class LeaderElector {
  readonly #options: Required<Omit<LeaderElectorOptions, 'log' | 'onSlowPath'>>;
  readonly #log: (message: string) => void;
  readonly #onSlowPath: () => void;
  readonly #ref: KubeRef;
  #observed: Observed | undefined;
  #said: string | undefined;

  constructor({ log = () => undefined, onSlowPath = () => undefined, ...options }: LeaderElectorOptions) {
    this.#options = { leaseMs: 15_000, renewDeadlineMs: 10_000, retryMs: 2000, ...options };
    this.#log = log;
    this.#onSlowPath = onSlowPath;
    this.#ref = { resource: LEASES, namespace: options.namespace, name: options.name };
  }

  /**
   * Candidates, and calls `lead` for each term; the next one begins after it has returned. A term ends when the Lease is
   * lost, when it could not be renewed in time, or at the signal; it is kept until `lead` has returned, then released.
   * Never rejects.
   * @returns after the signal, when the last `lead` has returned and the Lease is released.
   */
  async run(lead: (term: Term) => Promise<void>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const term = await this.#candidate(signal);
      if (term !== undefined) {
        await this.#serve(term, lead, signal);
        await this.#release(term);
      }
      await pause(this.#options.clock, this.#options.retryMs * (1 + Math.random() / 5), signal);
    }
  }

  /** @returns the term, when the Lease could be taken. */
  async #candidate(signal: AbortSignal): Promise<HeldTerm | undefined> {
    try {
      const found = await this.#find(signal);
      if (found === 'held') return undefined;
      const { identity, clock, renewDeadlineMs: validMs } = this.#options;
      const since = momentOf(clock);
      return new HeldTerm(await this.#take(found), since, { identity, clock, validMs, signal });
    } catch (error) {
      // Somebody else was faster.
      if (!isKubeError(error, 'conflict')) this.#say(`cannot take ${this.#what}`, error);
      return undefined;
    }
  }

  /** @returns the Lease, if it can be had; undefined when there is none. */
  async #find(signal: AbortSignal): Promise<KubeObject | undefined | 'held'> {
    const asked = this.#options.clock.monotonic();
    const lease = await this.#options.client.read(this.#ref).catch((error: unknown) => {
      if (!isKubeError(error, 'missing')) throw error;
    });
    if (lease === undefined) {
      await pause(this.#options.clock, BEFORE_CREATION_MS, signal);
      return signal.aborted ? 'held' : undefined;
    }
    const spec = leaseSpecOf(lease);
    const { uid } = lease.metadata;
    if (this.#observed?.uid !== uid || !isDeepStrictEqual(spec, this.#observed.spec))
      this.#observed = { uid, spec, at: this.#options.clock.monotonic() };
    const { holderIdentity = '', leaseDurationSeconds } = spec;
    if (holderIdentity === '' || holderIdentity === this.#options.identity) return lease;
    const leaseMs = leaseDurationSeconds === undefined ? this.#options.leaseMs : leaseDurationSeconds * 1000;
    if (asked - this.#observed.at >= leaseMs) return lease;
    this.#say(`${this.#what} is held by ${holderIdentity}`);
    return 'held';
  }

  #take(lease: KubeObject | undefined): Promise<KubeObject> {
    const { client, namespace, name, identity, leaseMs, clock } = this.#options;
    const now = microTime(clock.now());
    const spec: LeaseSpec = {
      holderIdentity: identity,
      leaseDurationSeconds: Math.ceil(leaseMs / 1000),
      acquireTime: now,
      renewTime: now,
      leaseTransitions: lease === undefined ? 0 : (leaseSpecOf(lease).leaseTransitions ?? 0) + 1,
    };
    if (lease !== undefined) return client.replace(this.#ref, { ...lease, spec });
    const kind = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' };
    return client.create(LEASES, { ...kind, metadata: { name, namespace }, spec }, namespace);
  }

  async #serve(term: HeldTerm, lead: (term: Term) => Promise<void>, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return term.finish();
    this.#say(`leads by ${this.#what}, term ${term.fence.transitions}`);
    const leading = (async () => lead(term))()
      .catch((error: unknown) => this.#say('stopped to lead', error))
      .finally(() => term.finish());
    const lost = await this.#keep(term);
    if (lost !== undefined) {
      term.lose();
      this.#say(`lost ${this.#what}: ${lost}`);
    }
    await leading;
  }

  /** Renews the Lease as long as it has to be kept. @returns why it was lost, if it was. */
  async #keep(term: HeldTerm): Promise<string | undefined> {
    let delay = this.#options.retryMs;
    for (;;) {
      await pause(this.#options.clock, delay, term.keeping);
      if (!term.isValid()) return 'it was not renewed in time';
      if (term.keeping.aborted) return undefined;
      delay = this.#options.retryMs;
      try {
        const outcome = await this.#renew(term);
        if (outcome === 'taken') return 'somebody else has it';
        if (outcome === 'touched') delay = 0;
      } catch (error) {
        if (isKubeError(error, 'missing')) return 'it was deleted';
        this.#say(`cannot renew ${this.#what}`, error);
      }
    }
  }

  /** @returns `touched`: something else of the Lease was changed, so it has to be tried again. */
  async #renew(term: HeldTerm): Promise<'renewed' | 'touched' | 'taken'> {
    const { client, clock } = this.#options;
    const since = momentOf(clock);
    const spec: LeaseSpec = { ...leaseSpecOf(term.lease), renewTime: microTime(clock.now()) };
    try {
      term.renewed(await client.replace(this.#ref, { ...term.lease, spec }), since);
      return 'renewed';
    } catch (error) {
      this.#onSlowPath();
      if (!isKubeError(error, 'conflict')) throw error;
      const lease = await client.read(this.#ref);
      if (!term.owns(lease)) return 'taken';
      term.seen(lease);
      return 'touched';
    }
  }

  /** Lets others have the Lease at once, unless it is lost. */
  async #release(term: HeldTerm): Promise<void> {
    const { client, clock } = this.#options;
    for (let attempt = 0; attempt < RELEASE_ATTEMPTS; attempt++) {
      try {
        const lease = await client.read(this.#ref);
        if (!term.owns(lease)) return;
        const now = microTime(clock.now());
        const free: LeaseSpec = { holderIdentity: '', leaseDurationSeconds: 1, acquireTime: now, renewTime: now };
        await client.replace(this.#ref, { ...lease, spec: { ...leaseSpecOf(lease), ...free } });
        return;
      } catch (error) {
        // A renewal of ours that was still under way.
        if (isKubeError(error, 'conflict')) continue;
        if (!isKubeError(error, 'missing')) this.#say(`cannot release ${this.#what}`, error);
        return;
      }
    }
  }

  get #what(): string {
    return `the Lease ${this.#options.namespace}/${this.#options.name}`;
  }

  #say(what: string, error?: unknown): void {
    const message = error === undefined ? what : `${what}: ${error instanceof Error ? error.message : String(error)}`;
    if (message === this.#said) return;
    this.#said = message;
    this.#log(message);
  }
}
