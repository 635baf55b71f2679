import { type RequestContext, SYSTEM_ACTOR } from '../catalog/parts.ts';

/** Who removes what is hidden: nobody waits for it, so it has no deadline. */
export const CLEANER: RequestContext = {
  actor: SYSTEM_ACTOR,
  deadline: Number.POSITIVE_INFINITY,
};
