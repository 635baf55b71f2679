import { type ResourceId, resourceKey } from '../../model/resource/identity.ts';
import type { OwnerMark } from '../catalogue/catalogue.ts';
import type { SourceResource } from '../source/port.ts';
import { instructionsFor } from './instructions.ts';
import { at } from './messages.ts';
import { done, type Outcome, proceed, requeue, terminal } from './outcome.ts';
import type { Tools, Work } from './step.ts';

/** A paused resource is left alone, a deleted one as well; so is one of which nothing is known but that it was there. */
export function checkPaused({ entry }: Work): Outcome {
  if (entry.wish.kind === 'unknown' && !entry.deleting) {
    return done('kept', 'ManifestMissing', 'the manifest is missing and it is not sure that it is deleted');
  }
  if (!instructionsFor(entry).paused) return proceed;
  const message = entry.deleting
    ? 'paused: the deletion waits until the resource is not paused any more'
    : 'paused: changes wait';
  return done('paused', 'Paused', message);
}

/**
 * A resource that is deleted is left as it is while others have not finished with it: they may need what it stands for.
 * One that is gone without having been finalized leaves behind what it has made.
 */
export async function checkDeletion({ entry }: Work, tools: Tools): Promise<Outcome> {
  if (entry.abandoned) {
    return await letGo(
      { entry },
      tools,
      'gone, and its finalizer was removed by hand: the catalogue keeps what it made',
    );
  }
  if (!entry.deleting || entry.awaited === undefined || entry.awaited.length === 0) return proceed;
  return requeue('event', 'FinalizersAwaited', `deleted when these finalizers are gone: ${entry.awaited.join(', ')}`);
}

/** Every violated rule with its place; nothing is written. */
export function checkValid({ entry }: Work): Outcome {
  if (entry.wish.kind !== 'invalid') return proceed;
  const rules = entry.wish.violations.map(({ location, path, message }) => {
    const text = path === '' ? message : `${path}: ${message}`;
    return location === undefined ? at(entry, text) : `${location}: ${text}`;
  });
  return terminal('Invalid', rules.join('; '));
}

/** Nothing is written for a resource before its source promises that a deletion will be noticed. */
export async function protect({ entry }: Work, { source }: Tools): Promise<Outcome> {
  await source.protect(entry.id);
  return proceed;
}

/**
 * Ends the life of a deleted resource.
 * @param dealtWith the marks on which its policy has been carried out; absent: nothing is to be done about any.
 */
export async function letGo(
  { entry }: { entry: SourceResource },
  tools: Tools,
  message: string,
  dealtWith?: readonly OwnerMark[],
): Promise<Outcome> {
  return await tools.locks.run(resourceKey(entry.id), async () => {
    const known = new Set(dealtWith?.map(placeOf));
    const marks = dealtWith === undefined ? [] : await tools.catalogue.marksOf(entry.id);
    if (marks.some((mark) => !known.has(placeOf(mark)))) {
      return requeue('backoff', 'Deleting', 'another resource that is deleted has left something to it');
    }
    await tools.catalogue.clearMarks(entry.id);
    await tools.source.finalized(entry);
    return done('gone', 'Deleted', message);
  });
}

/**
 * Leaves something to another resource, and marks it at once: nothing may stay behind when that one is deleted before it
 * was looked at. @param mark writes the mark.
 * @returns whether it was left; not to one that is being deleted by now.
 */
export async function leaveTo(heir: ResourceId, tools: Tools, mark: () => Promise<void>): Promise<boolean> {
  const key = resourceKey(heir);
  // It cannot be let go in between.
  return await tools.locks.run(key, async () => {
    if (tools.index.get(key)?.deleting !== false) return false;
    await tools.source.protect(heir);
    await mark();
    return true;
  });
}

function placeOf({ urn, propertyUrn = '' }: OwnerMark): string {
  return `${urn} ${propertyUrn}`;
}
