import type { AnyOf } from '../../model/access/entity-needs.ts';
import type { Confirmation, Registration, ResourceName } from '../../model/wire/resource-record.ts';
import type { LeaseRequest, SourcePlace } from '../../model/wire/source-record.ts';
import { guarded } from '../access/guarded.ts';
import * as held from '../catalog/resources/held-deletions.ts';
import * as owners from '../catalog/resources/owners.ts';
import * as resources from '../catalog/resources/resources.ts';
import * as sources from '../catalog/resources/sources.ts';
import type { Fence, OwnersRequest } from '../store/port.ts';

/** What operators do and report, and people look at: each with what it needs. */

export const TO_MANAGE_RESOURCES: AnyOf = ['MANAGE_RESOURCES'];
export const TO_SEE_RESOURCES: AnyOf = ['VIEW_RESOURCES', 'MANAGE_RESOURCES'];

export const listResources = guarded(TO_SEE_RESOURCES, ({ parts }, source: string | undefined, after?: string) => ({
  records: resources.listResources(parts, source, after),
}));

export const readResource = guarded(TO_SEE_RESOURCES, ({ parts }, resource: ResourceName, source: string | undefined) =>
  resources.readResource(parts, resource, source),
);

export const registerResources = guarded(
  TO_MANAGE_RESOURCES,
  ({ parts, fence }, source: string, seen: Registration['resources']) =>
    resources.registerResources(parts, source, seen, fence),
);

export const reportResource = guarded(
  TO_MANAGE_RESOURCES,
  (
    { parts, fence },
    resource: ResourceName,
    source: string,
    status: Readonly<Record<string, unknown>>,
    location: string | undefined,
  ) => resources.reportResource(parts, resource, source, status, location, fence),
);

export const forgetResource = guarded(
  TO_MANAGE_RESOURCES,
  ({ parts, fence }, resource: ResourceName, source: string | undefined) =>
    resources.forgetResource(parts, resource, source, fence),
);

export const listHeldDeletions = guarded(TO_SEE_RESOURCES, ({ parts }, source: string | undefined) =>
  held.listHeldDeletions(parts, source),
);

export const holdDeletions = guarded(
  TO_MANAGE_RESOURCES,
  ({ parts, fence }, source: string, missing: Parameters<typeof held.holdDeletions>[2]) =>
    held.holdDeletions(parts, source, missing, fence),
);

export const confirmDeletions = guarded(TO_MANAGE_RESOURCES, ({ parts }, confirmation: Confirmation) =>
  held.confirmDeletions(parts, confirmation),
);

export const listOwners = guarded(TO_SEE_RESOURCES, ({ parts }, request: OwnersRequest) =>
  owners.listOwners(parts, request),
);

export const clearOwners = guarded(TO_MANAGE_RESOURCES, (request, of: Parameters<typeof owners.clearOwners>[1]) =>
  owners.clearOwners(request.parts, of, request),
);

export { ownedThings } from '../catalog/resources/owners.ts';
export type { StoredResource } from '../catalog/resources/resources.ts';

export const listSources = guarded(TO_SEE_RESOURCES, ({ parts }) => sources.listSources(parts));

export const leaseSource = guarded(TO_MANAGE_RESOURCES, ({ parts }, name: string, lease: LeaseRequest) =>
  sources.leaseSource(parts, name, lease),
);

export const releaseSource = guarded(TO_MANAGE_RESOURCES, ({ parts }, name: string, holder: string) =>
  sources.releaseSource(parts, name, holder),
);

export const placeSource = guarded(TO_MANAGE_RESOURCES, ({ parts, fence }, name: string, place: SourcePlace) =>
  sources.placeSource(parts, name, place, fence),
);

export const listFences = guarded(TO_SEE_RESOURCES, ({ parts }) => parts.store.fences.list());

export const raiseFence = guarded(TO_MANAGE_RESOURCES, ({ parts }, fence: Fence) => parts.store.fences.raise(fence));
