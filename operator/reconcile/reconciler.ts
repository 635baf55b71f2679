import { ConflictError, UnavailableError } from '../../client/http-errors.ts';
import { type ResourceKey, resourceKey } from '../../model/resource/identity.ts';
import type { OperatorEvent } from '../event.ts';
import type { Next } from '../runtime/queue.ts';
import { type ResourceSource, SourceError, type SourceResource } from '../source/port.ts';
import { beginWork } from './begin-work.ts';
import { findCondition, firstStatus, isSettled, nextStatus, sameStatus } from './conditions.ts';
import { outcomeOfError } from './error-outcome.ts';
import { listed } from './messages.ts';
import { type Outcome, requeue } from './outcome.ts';
import { propertyUrnOfResource, qualifiedNameOf } from './property-urn.ts';
import type { Report, Tools } from './step.ts';

/** Errors that say nothing about the resource. */
const TRANSIENT = [UnavailableError, ConflictError, SourceError];

type Ended = Exclude<Outcome, { kind: 'continue' }>;

/** How a reconcile ended. */
export interface ReconcileEnd {
  /** Absent: nothing has changed, since it could not be looked at. */
  readonly outcome?: Ended;
  /** What was thrown, whatever outcome was made of it. */
  readonly error?: unknown;
  /** It found something that nobody wished, and repaired it. */
  readonly driftRepaired?: boolean;
}

export interface ReconcilerOptions {
  readonly tools: Tools;
  readonly source: Pick<ResourceSource, 'get' | 'reportStatus'>;
  /** Have other resources looked at. */
  wake(keys: Iterable<ResourceKey>): void;
  /** Have other resources looked at when what was written can be searched. */
  wakeLater?(keys: Iterable<ResourceKey>): void;
  /** Is told that a reconcile begins. @returns who wants to hear how it ended. */
  observe?(entry: SourceResource): (end: ReconcileEnd) => void;
  say(event: OperatorEvent): void;
  /** An error that is none of a request, and so a fault of ours. */
  onFault(key: ResourceKey, error: unknown): void;
  /** The server cannot be reached: the resource wants to be woken when it can. */
  onUnreachable(key: ResourceKey): void;
}

/** Brings one resource after the other to what it wishes, and says in its status how far that is. */
export class Reconciler {
  readonly #options: ReconcilerOptions;

  constructor(options: ReconcilerOptions) {
    this.#options = options;
  }

  /** Looks at a resource once. It never rejects because of the server. */
  async reconcile(key: ResourceKey, attempt: number): Promise<Next> {
    const { tools } = this.#options;
    const entry = tools.index.get(key);
    if (entry === undefined || entry.elsewhere) return { kind: 'settled' };
    const first = firstStatus(entry.status, new Date());
    if (first !== undefined) await this.#report(key, entry, first);
    const work = beginWork(entry, attempt, tools);
    const ended = this.#options.observe?.(entry) ?? (() => undefined);
    const { report } = work;
    let outcome: Ended;
    let failure: unknown;
    try {
      outcome = (await work.run()) as Ended;
    } catch (error) {
      failure = error;
      const transient = TRANSIENT.some((type) => error instanceof type);
      // An answer, whatever it says, has no cause: somebody is there, and asking for readiness would not help.
      if (error instanceof UnavailableError && error.cause !== undefined) this.#options.onUnreachable(key);
      // What was in place when last looked at is not called into question because nobody can look now.
      if (transient && isSettled(entry)) {
        ended({ error });
        return { kind: 'backoff' };
      }
      outcome = this.#outcomeOf(error, entry);
    }
    ended({ outcome, error: failure, driftRepaired: report.drift.length > 0 });
    await this.#tell(key, entry, outcome, report);
    return nextOf(outcome);
  }

  #outcomeOf(error: unknown, entry: SourceResource): Ended {
    const outcome = outcomeOfError(error, entry);
    if (outcome !== undefined) return outcome;
    this.#options.onFault(resourceKey(entry.id), error);
    return requeue('backoff', 'InternalError', error instanceof Error ? error.message : String(error)) as Ended;
  }

  async #tell(key: ResourceKey, entry: SourceResource, outcome: Ended, report: Report): Promise<void> {
    const { tools, wake, wakeLater, say } = this.#options;
    const { id } = entry;
    const affected = new Set(report.affected);
    const gone = outcome.kind === 'done' && outcome.as === 'gone';
    const before = this.#options.source.get(key)?.status ?? entry.status;
    const status =
      outcome.kind === 'done' && (outcome.as === 'gone' || outcome.as === 'kept')
        ? before
        : nextStatus(before, outcome, report, entry.generation, new Date());
    const changed = !sameStatus(before, status);
    if (!gone && changed && status !== undefined) await this.#report(key, entry, status);
    if (report.written.length > 0) say({ type: 'Applied', id, message: listed(report.written) });
    if (report.adopted.length > 0) say({ type: 'Adopted', id, message: listed(report.adopted) });
    if (report.drift.length > 0) say({ type: 'DriftRepaired', id, message: listed(report.drift) });
    if (gone) say({ type: 'Deleted', id, message: outcome.why.message });
    else if (changed && !sameReady(before, status)) say({ type: eventType(outcome), id, ...outcome.why });
    // Whatever refers to a property may be waiting for just this.
    if (id.kind === 'StructuredProperty' && (changed || report.written.length > 0)) {
      const urn = propertyUrnOfResource(entry);
      const qualifiedName = urn === undefined ? undefined : qualifiedNameOf(urn);
      for (const other of tools.index.dependents(id, qualifiedName)) affected.add(other);
    }
    wake(affected);
    const defining = [...report.recount].flatMap((urn) => tools.index.definers(qualifiedNameOf(urn)));
    wakeLater?.(defining.map((one) => resourceKey(one.entry.id)));
  }

  async #report(key: ResourceKey, entry: SourceResource, status: NonNullable<SourceResource['status']>): Promise<void> {
    await this.#options.source.reportStatus(entry.id, status);
    // The index must know, since others go by the status of what they refer to.
    const { index } = this.#options.tools;
    if (index.get(key) !== undefined) index.set(key, this.#options.source.get(key));
  }
}

function sameReady(one: SourceResource['status'], other: SourceResource['status']): boolean {
  const [before, after] = [findCondition(one, 'Ready'), findCondition(other, 'Ready')];
  return before?.reason === after?.reason && before?.message === after?.message;
}

function eventType(outcome: Ended): OperatorEvent['type'] {
  if (outcome.kind === 'requeue') return 'Waiting';
  return outcome.kind === 'terminal' ? 'Stalled' : 'Ready';
}

function nextOf(outcome: Ended): Next {
  if (outcome.kind !== 'requeue' || outcome.after === 'event') return { kind: 'settled' };
  return outcome.after === 'backoff' ? { kind: 'backoff' } : { kind: 'after', ms: outcome.after };
}
