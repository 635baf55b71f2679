import { type Instructions, instructionsOf } from '../../model/resource/annotations.ts';
import { findCondition } from '../../model/resource/status.ts';
import type { SourceResource } from '../source/port.ts';

/** Reason of Ready on a resource that is only observed. */
export const OBSERVE_ONLY = 'ObserveOnly';

/**
 * What the annotations ask for. When the manifest is gone, what they asked for last stands in the status: a resource
 * that was paused or only observed must not be deleted in earnest just because its file is not there to say so.
 */
export function instructionsFor({ wish, status }: SourceResource): Instructions {
  if (wish.kind === 'valid') return instructionsOf(wish.resource.annotations);
  return {
    paused: findCondition(status, 'Paused')?.status === 'True',
    observeOnly: findCondition(status, 'Ready')?.reason === OBSERVE_ONLY,
  };
}
