import type { ParsedUrn } from '../../../model/urn.ts';
import type { EntityDocument, OwnerMark } from '../../store/port.ts';
import type { CatalogParts, RequestContext } from '../parts.ts';
import type { EntityWrite } from './entity-write.ts';
import { updateEntity } from './entity-writer.ts';
import { parseAspects } from './parse-aspects.ts';
import { beforeStored, changingProperties, checkWrite } from './write-entity.ts';

/**
 * Writes aspects that depend on what the entity is now, in one step: nobody's change in between is lost. They are
 * checked as if they had been sent whole.
 * @param aspects gives the new aspects; what it throws is refused.
 */
export function rewriteEntity(
  parts: CatalogParts,
  urn: ParsedUrn,
  aspects: (current: EntityDocument | undefined) => Readonly<Record<string, unknown>>,
  owner: OwnerMark | undefined,
  context: RequestContext,
): Promise<EntityDocument> {
  return changingProperties(parts, [urn], () =>
    updateEntity(parts, urn, context, async (current) => {
      const write: EntityWrite = {
        urn,
        condition: 'upsert',
        ...parseAspects(parts.settings, urn, aspects(current)),
        ...(owner === undefined ? {} : { owner }),
      };
      const { draft } = await checkWrite(parts, write, current, { ...context, registry: await parts.registry.view() });
      await beforeStored(parts, urn, write.definition !== undefined, current, draft);
      return draft;
    }),
  );
}
