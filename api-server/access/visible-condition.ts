import { TO_SEE, TO_SEE_PROPERTIES, TO_SEE_USERS } from '../../model/access/entity-needs.ts';
import type { Grants, Scope } from '../../model/access/grants.ts';
import type { Criterion } from '../../model/access/policy.ts';
import { entityField } from '../catalog/indexing/index-entry.ts';
import type { SearchCondition } from '../search/port.ts';

/**
 * What a caller may see, as a condition of a search: so what is not seen is not counted either. A schema field is found
 * by the type, URN and platform of its dataset; by owners and domains only datasets themselves are, since the index has
 * them with those.
 */
export function visibleCondition(grants: Grants): SearchCondition {
  const extent = grants.extentOf(TO_SEE);
  if (extent === 'everywhere') return { kind: 'all' };
  const self = equal('urn', grants.caller.actor);
  const properties = grants.holds(TO_SEE_PROPERTIES) ? [equal('_entityType', 'structuredProperty')] : [];
  const users = grants.holds(TO_SEE_USERS) ? [equal('_entityType', 'corpuser'), equal('_entityType', 'corpGroup')] : [];
  return anyOf([self, ...properties, ...users, ...extent.map(withinScope)]);
}

function withinScope({ criteria, owners }: Scope): SearchCondition {
  const owned = owners === undefined ? [] : [anyOf(owners.map((owner) => equal('owners', owner)))];
  return { kind: 'and', of: [...owned, ...criteria.map(meets)] };
}

function meets({ field, condition, values }: Criterion): SearchCondition {
  const isExact = condition === 'EQUALS';
  const compare = (name: string, value: string) => (isExact ? equal(name, value) : startsWith(name, value));
  return anyOf(
    values.flatMap((value): SearchCondition[] => {
      if (field === 'DOMAIN') return [compare('domains', value)];
      if (field === 'URN') return [compare('urn', value), compare('parent', value)];
      if (field === 'PLATFORM') return [compare('platform', value), ...ofPlatform(value, isExact)];
      const parents = isExact ? startsWith('parent', `urn:li:${value}:`) : startsWith('parent', `urn:li:${value}`);
      return [compare('_entityType', value), parents];
    }),
  );
}

/** Schema fields of its datasets. */
function ofPlatform(value: string, isExact: boolean): SearchCondition[] {
  const urn = value.startsWith('urn:') ? value : `urn:li:dataPlatform:${value}`;
  return [startsWith('parent', `urn:li:dataset:(${urn}${isExact ? ',' : ''}`)];
}

function equal(field: string, value: string): SearchCondition {
  return { kind: 'equal', field: entityField(field), value, fold: false };
}

function startsWith(field: string, literal: string): SearchCondition {
  return { kind: 'like', field: entityField(field), pattern: [{ literal }, '*'], fold: false };
}

function anyOf(of: readonly SearchCondition[]): SearchCondition {
  return { kind: 'or', of };
}
