import { CatalogError } from './errors.ts';
import type { CatalogParts, RequestContext } from './parts.ts';

/** When a request has to be done. */
export type Deadline = Pick<RequestContext, 'deadline'>;

/** For requests of many steps. @throws CatalogError `timeout` when the request has taken longer than it may. */
export function checkDeadline({ now }: CatalogParts, { deadline }: Deadline): void {
  if (now() > deadline) throw new CatalogError('timeout', 'The request took too long. Ask for less at a time.');
}
