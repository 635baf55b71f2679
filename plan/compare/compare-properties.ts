import { compareText } from '../../model/resource/identity.ts';
import type { ObservedProperty, OwnerMark } from '../../operator/catalogue/catalogue.ts';
import type { Overlay } from '../catalogue/overlay.ts';
import type { PropertyChange } from '../plan-shape.ts';
import { fieldChange, propertyFields } from './definition-fields.ts';
import { marksByPlace, shownOwner } from './owner-change.ts';

/** What becomes of each property, without those that stay as they are. `isDeleted`: the manifest of that owner is gone. */
export function compareProperties(
  overlay: Overlay,
  source: string,
  isDeleted: (mark: OwnerMark) => boolean,
): PropertyChange[] {
  const marks = marksByPlace(overlay.marksBefore);
  const changes: PropertyChange[] = [];
  for (const [urn, before] of overlay.propertiesBefore) {
    const after = overlay.memory.readProperty(urn);
    const markBefore = marks.get(urn)?.get('');
    const markAfter = overlay.memory.marks.get(urn, undefined);
    const owner = fieldChange('owner', shownOwner(markBefore, source), shownOwner(markAfter, source));
    const broken = overlay.memory.isBroken(urn);
    // Nothing is carried out for a manifest that is gone when another one has taken over.
    const gone = markBefore !== undefined && markAfter === undefined && isDeleted(markBefore);
    const action = actionOf(before, after, broken, gone);
    const exists = action !== 'create' && action !== 'delete';
    const fields = [...(action === 'delete' ? [] : propertyFields(before, after)), ...(exists ? owner : [])];
    if (exists && fields.length === 0) continue;
    changes.push({
      urn,
      action,
      fields,
      ...overlay.writerOf(urn),
      ...(gone && owner.length > 0 ? { deletionPolicy: markBefore.deletionPolicy } : {}),
    });
  }
  return changes.sort((one, other) => compareText(one.urn, other.urn));
}

function actionOf(
  before: ObservedProperty | undefined,
  after: ObservedProperty | undefined,
  broken: boolean,
  gone: boolean,
): PropertyChange['action'] {
  if (after?.definition === undefined) return before?.definition === undefined ? 'keep' : 'delete';
  if (before?.definition === undefined) return 'create';
  if (broken) return 'break';
  if (before.removed !== after.removed) return after.removed ? 'softDelete' : 'restore';
  return gone && propertyFields(before, after).length === 0 ? 'keep' : 'change';
}
