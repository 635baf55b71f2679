import { RESOURCE_KINDS, type ResourceKind } from '../../model/resource/identity.ts';

/** What controller-runtime calls the controller of a kind, and its queue. */
export function controllerName(kind: ResourceKind): string {
  return kind.toLowerCase();
}

export const CONTROLLERS: readonly string[] = RESOURCE_KINDS.map(controllerName);
