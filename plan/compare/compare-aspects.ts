import { canonicalJson } from '../../model/canonical-json.ts';
import type { AspectChange } from '../apply-cli-files.ts';
import type { AspectDifference } from '../plan-shape.ts';
import { fieldChange } from './definition-fields.ts';

/** What becomes of the aspects that an entry of the command line writes, without those that stay as they are. */
export function compareAspects(changes: readonly AspectChange[]): AspectDifference[] {
  return changes.flatMap(({ aspect, before, after }) => {
    const fields = differingFields(before ?? {}, after ?? {});
    if (before !== undefined && fields.length === 0) return [];
    return [{ field: aspect, action: before === undefined ? 'add' : 'replace', fields }];
  });
}

function differingFields(before: object, after: object): AspectDifference['fields'] {
  const [one, other] = [textsOf(before), textsOf(after)];
  return [...new Set([...one.keys(), ...other.keys()])].flatMap((field) =>
    fieldChange(field, one.get(field), other.get(field)),
  );
}

function textsOf(aspect: object): Map<string, string> {
  return new Map(Object.entries(aspect).map(([field, value]) => [field, canonicalJson(value)]));
}
