import { ConflictError, FencedError, UnavailableError } from '../../client/http-errors.ts';
import { type ResourceId, type ResourceKey, resourceKey } from '../../model/resource/identity.ts';
import { findCondition } from '../../model/resource/status.ts';
import { listed } from '../../process/text.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { OperatorEvent } from '../event.ts';
import type { Next } from '../runtime/queue.ts';
import { type ResourceSource, SourceError, type SourceResource } from '../source/port.ts';
import { beginWork } from './begin-work.ts';
import { firstStatus, isSettled, nextStatus, sameStatus } from './conditions.ts';
import { outcomeOfError } from './error-outcome.ts';
import { type Ended, requeue } from './outcome.ts';
import { propertyUrnOfResource, qualifiedNameOf } from './property-urn.ts';
import type { Report } from './report.ts';
import type { Tools } from './step.ts';

/** Refusals of the source, which somebody has to do something about. */
const LASTING: readonly string[] = ['KubernetesForbidden', 'KubernetesRefused'];

/** Of one resource that means many datasets, by a catalogue that is asked for many at once. */
const LOOKS_AT_ONCE = 500;

/** Timers know no longer time than some weeks, in ms. */
const LONGEST_WAIT = 86_400_000;

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
  readonly source: Pick<ResourceSource, 'reportStatus'>;
  /** Have other resources looked at. */
  wake(keys: Iterable<ResourceKey>): void;
  /** Have other resources looked at when what was written can be searched. */
  wakeLater?(keys: Iterable<ResourceKey>): void;
  /** Is told that a reconcile begins. @returns who wants to hear how it ended. */
  observe?(entry: SourceResource): (end: ReconcileEnd) => void;
  say(event: OperatorEvent): void;
  /** An error that is none of a request, and so a fault of ours. */
  onFault(key: ResourceKey, error: unknown): void;
  /** The server did not answer, or with an error of its own: the resource wants to be woken when that is over. */
  onUnavailable(key: ResourceKey): void;
  /** The server knows of a later leader. */
  onFenced(error: FencedError): void;
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
    if (first !== undefined) await this.#options.source.reportStatus(entry.id, first);
    const work = beginWork(entry, attempt, tools);
    const ended = this.#options.observe?.(entry) ?? (() => undefined);
    const { report } = work;
    let outcome: Ended;
    let failure: unknown;
    try {
      outcome = await work.run();
    } catch (error) {
      failure = error;
      if (error instanceof UnavailableError) this.#options.onUnavailable(key);
      if (error instanceof FencedError) this.#options.onFenced(error);
      // What was in place when last looked at is not called into question because nobody can look now.
      if (error instanceof FencedError || (isTransient(error) && isSettled(entry))) {
        ended({ error });
        return { kind: 'backoff' };
      }
      outcome = this.#outcomeOf(error, entry);
    }
    ended({ outcome, error: failure, driftRepaired: report.drift.length > 0 });
    await this.#tell(key, entry, outcome, report);
    return nextOf(outcome);
  }

  /**
   * Looks at a resource without writing anything for it to the catalogue.
   * @param catalogue refuses to write.
   * @returns whether it was in place and is, so that there is nothing to do and nothing to say.
   */
  async isAsItWas(key: ResourceKey, catalogue: Catalogue): Promise<boolean> {
    const { tools } = this.#options;
    const entry = tools.index.get(key);
    if (entry === undefined || entry.elsewhere) return true;
    // What a token needs goes by the time, and is not in the catalogue alone.
    if (entry.deleting || !isSettled(entry) || entry.id.kind === 'AccessToken') return false;
    const { name } = tools.source;
    // A finalizer that somebody took off while nobody looked comes back here: nothing else may be wrong with it.
    const source = { name, protect: (id: ResourceId) => tools.source.protect(id), finalized: async () => undefined };
    try {
      const { report, run } = beginWork(entry, 0, { ...tools, source, catalogue, looksAtOnce: LOOKS_AT_ONCE });
      const outcome = await run();
      return sameStatus(entry.status, nextStatus(entry.status, outcome, report, entry.generation, new Date()));
    } catch {
      return false;
    }
  }

  #outcomeOf(error: unknown, entry: SourceResource): Ended {
    const outcome = outcomeOfError(error, entry);
    if (outcome !== undefined) return outcome;
    this.#options.onFault(resourceKey(entry.id), error);
    return requeue('backoff', 'InternalError', error instanceof Error ? error.message : String(error));
  }

  async #tell(key: ResourceKey, entry: SourceResource, outcome: Ended, report: Report): Promise<void> {
    const { tools, source, wake, wakeLater, say } = this.#options;
    const { id } = entry;
    const affected = new Set(report.affected);
    const gone = outcome.kind === 'done' && outcome.as === 'gone';
    const before = tools.index.get(key)?.status ?? entry.status;
    const status =
      outcome.kind === 'done' && (outcome.as === 'gone' || outcome.as === 'kept')
        ? before
        : nextStatus(before, outcome, report, entry.generation, new Date());
    const changed = !sameStatus(before, status);
    if (!gone && changed && status !== undefined) await source.reportStatus(id, status);
    if (report.written.length > 0) say({ type: 'Applied', id, message: listed(report.written) });
    if (report.adopted.length > 0) say({ type: 'Adopted', id, message: listed(report.adopted) });
    if (report.drift.length > 0) say({ type: 'DriftRepaired', id, message: listed(report.drift) });
    if (gone) say({ type: 'Deleted', id, message: outcome.why.message });
    else if (changed && isNews(before, status, outcome)) say({ type: eventType(outcome), id, ...outcome.why });
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
}

/** Whether an error says nothing about the resource. */
function isTransient(error: unknown): boolean {
  if (error instanceof SourceError) return !LASTING.includes(error.reason);
  return error instanceof UnavailableError || error instanceof ConflictError;
}

/** Whether to tell of it; while a resource waits for the same, how far that is stands in its status alone. */
function isNews(one: SourceResource['status'], other: SourceResource['status'], outcome: Ended): boolean {
  const [before, after] = [findCondition(one, 'Ready'), findCondition(other, 'Ready')];
  return before?.reason !== after?.reason || (outcome.kind !== 'requeue' && before?.message !== after?.message);
}

function eventType(outcome: Ended): OperatorEvent['type'] {
  if (outcome.kind === 'requeue') return 'Waiting';
  return outcome.kind === 'terminal' ? 'Stalled' : 'Ready';
}

function nextOf(outcome: Ended): Next {
  if (outcome.kind === 'done' && outcome.again !== undefined)
    return { kind: 'settled', again: Math.min(outcome.again, LONGEST_WAIT) };
  if (outcome.kind !== 'requeue' || outcome.after === 'event') return { kind: 'settled' };
  return outcome.after === 'backoff' ? { kind: 'backoff' } : { kind: 'after', ms: outcome.after };
}
