import { deleting, removingAspects } from '../../../model/entity/removals.ts';
import type { ParsedUrn } from '../../../model/urn.ts';
import type { CatalogParts, RequestContext } from '../parts.ts';
import { changingProperties } from './changing-properties.ts';
import { storeChange } from './store-change.ts';

/** Hard-deletes an entity. Deleting what does not exist is no error. */
export async function deleteEntity(parts: CatalogParts, urn: ParsedUrn, context: RequestContext): Promise<void> {
  await changingProperties(parts, [urn], () => storeChange(parts, deleting(urn), context));
}

/** Takes aspects, by canonical names, from an entity in one write. What is not there is taken away already. */
export async function deleteAspects(
  parts: CatalogParts,
  urn: ParsedUrn,
  aspects: ReadonlySet<string>,
  context: RequestContext,
): Promise<void> {
  await changingProperties(parts, [urn], () => storeChange(parts, removingAspects(urn, aspects), context));
}
