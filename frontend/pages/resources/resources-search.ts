import { type JudgedResource, needsAttention, RESOURCE_STATES, type ResourceState } from './resource-state.ts';

/** Which resources are listed; kept in the address of the page. What is absent restricts nothing. */
export interface ResourcesSearch {
  readonly q?: string;
  readonly kind?: string;
  /** `attention`: whatever is neither ready nor paused. */
  readonly state?: ResourceState | 'attention';
}

export function readResourcesSearch({ q, kind, state }: Readonly<Record<string, unknown>>): ResourcesSearch {
  const known = [...RESOURCE_STATES, 'attention' as const].find((each) => each === state);
  return {
    ...(typeof q === 'string' && q !== '' ? { q } : {}),
    ...(typeof kind === 'string' && kind !== '' ? { kind } : {}),
    ...(known === undefined ? {} : { state: known }),
  };
}

/** Those of which name, file, reason and message have all the words. */
export function searchResources(
  resources: readonly JudgedResource[],
  search: ResourcesSearch,
): readonly JudgedResource[] {
  const words = (search.q ?? '').toLowerCase().split(/\s+/u);
  return resources.filter((resource) => {
    const { record, state, reason, message } = resource;
    if (search.kind !== undefined && search.kind !== record.kind) return false;
    if (search.state === 'attention' ? !needsAttention(resource) : ![undefined, state].includes(search.state))
      return false;
    const text = `${record.namespace}/${record.name} ${record.location ?? ''} ${reason} ${message}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
