import type { RequestContext } from '../catalog/parts.ts';

/** Who removes what is hidden: nobody waits for it, so it has no deadline. */
export const CLEANER: RequestContext = {
  actor: 'urn:li:corpuser:__datahub_system',
  deadline: Number.POSITIVE_INFINITY,
};
