import type { ParsedUrn } from '../../../model/urn.ts';
import type { EntityDocument } from '../../store/port.ts';
import { CatalogError } from '../errors.ts';
import type { CatalogParts, RequestContext } from '../parts.ts';
import { draftOf, withAssignments, withoutAspect } from './entity-draft.ts';
import { deleteEntityDocument, updateEntity } from './entity-writer.ts';
import { releasingSearchName } from './search-name-claims.ts';
import { changingProperties } from './write-entity.ts';

/**
 * Hard-deletes an entity. What it leaves behind is hidden from this moment on: values of a deleted property by their
 * epoch, schema fields of a deleted dataset by its incarnation. Deleting what does not exist is no error.
 */
export async function deleteEntity(parts: CatalogParts, urn: ParsedUrn, context: RequestContext): Promise<void> {
  const deletion = () =>
    deleteEntityDocument(parts, urn, context, { before: (stored) => ensureCollected(parts, stored) });
  if (urn.entityType.name !== 'structuredProperty') await deletion();
  else await changingProperties(parts, [urn], () => releasingSearchName(parts, urn, deletion));
}

/** What a deletion hides is removed by a job, which is written down first. */
async function ensureCollected(parts: CatalogParts, stored: EntityDocument): Promise<void> {
  const { urn: subject, entityType, incarnation, definitionState } = stored;
  if (definitionState !== undefined)
    await parts.ensureJob({ kind: 'cascade', subject, remains: definitionState.epoch });
  if (entityType === 'dataset') await parts.ensureJob({ kind: 'fields', subject, remains: incarnation });
}

/**
 * Deletes one aspect. Without its definition or its key an entity is nothing: those delete it whole. Deleting the
 * assignments removes all of them, hidden ones too; deleting `status` restores a soft-deleted entity.
 */
export async function deleteAspect(
  parts: CatalogParts,
  urn: ParsedUrn,
  aspect: string,
  context: RequestContext,
): Promise<void> {
  if (aspect === urn.entityType.keyAspect || aspect === 'propertyDefinition') return deleteEntity(parts, urn, context);
  const stamp = { time: parts.now(), actor: context.actor };
  await changingProperties(parts, [urn], async () => {
    try {
      await updateEntity(parts, urn, context, (current) => {
        if (current === undefined) throw new CatalogError('missing', urn.urn);
        const draft = draftOf(current);
        if (draft.aspects[aspect] === undefined) return draft;
        return withoutAspect(aspect === 'structuredProperties' ? withAssignments(draft, [], stamp) : draft, aspect);
      });
    } catch (error) {
      if (!(error instanceof CatalogError && error.code === 'missing')) throw error;
    }
  });
}
