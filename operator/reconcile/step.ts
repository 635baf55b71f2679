import type { Resource } from '../../model/resource/resource.ts';
import type { Clock } from '../../process/clock.ts';
import type { KeyedLock } from '../../process/keyed-lock.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { TokenCatalogue } from '../catalogue/token-catalogue.ts';
import type { ResourceSource, SourceResource } from '../source/port.ts';
import type { TokenSecrets } from '../source/token-secrets.ts';
import type { ResourceTable } from '../table/object-table.ts';
import type { Ended, Outcome } from './outcome.ts';
import type { Report } from './report.ts';

/** What all reconciles share. */
export interface Tools {
  readonly source: Pick<ResourceSource, 'name' | 'protect' | 'finalized'>;
  readonly catalogue: Catalogue;
  readonly index: ResourceTable;
  /** By URN: looking at a thing and writing it belong together, since two resources may be about one thing. */
  readonly locks: KeyedLock;
  /** Whether a resource takes over what nobody owns, if it does not say itself. */
  readonly adoptsUnowned: boolean;
  /** Absent: there is nowhere to keep tokens. */
  readonly accessTokens?: AccessTokenTools;
  /** Entities of one resource that are looked at at the same time; 8 when absent. */
  readonly looksAtOnce?: number;
}

/** What the reconcile of an AccessToken needs beside. */
export interface AccessTokenTools {
  readonly catalogue: TokenCatalogue;
  readonly secrets: TokenSecrets;
  /** Whether resources of a namespace may have tokens of a user, by URN. */
  mayActAs(namespace: string, actorUrn: string): boolean;
  /** Tokens end by the calendar. */
  readonly clock: Clock;
}

export interface Work<R extends Resource = Resource> {
  readonly entry: SourceResource;
  /** The wish, if it is known and valid. */
  readonly resource: R | undefined;
  /** How often in a row this resource was looked at without being settled. */
  readonly attempt: number;
  /** This very wish was in place when last looked at: what differs now is drift. */
  readonly settled: boolean;
  readonly report: Report;
}

export interface Step<W extends Work> {
  readonly name: string;
  run(work: W, tools: Tools): Promise<Outcome> | Outcome;
}

/** The wish, in a step behind the one that made sure of it. */
export function wishOf<R extends Resource>({ resource }: Work<R>): R {
  if (resource === undefined) throw new Error('this step needs a valid resource');
  return resource;
}

/** Runs steps in order, up to the first that does not say `continue`. */
export async function runSteps<W extends Work>(steps: readonly Step<W>[], work: W, tools: Tools): Promise<Ended> {
  for (const step of steps) {
    const outcome = await step.run(work, tools);
    if (outcome.kind !== 'continue') return outcome;
  }
  throw new Error('the last step of a reconcile must end it');
}
