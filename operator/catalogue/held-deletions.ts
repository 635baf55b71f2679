import type { HttpClient } from '../../client/http-client.ts';
import { holdDeletions, listHeldDeletions } from '../../client/resource-records.ts';
import { isResourceKind, type ResourceId } from '../../model/resource/identity.ts';

/** Where a person is asked before many resources are deleted at once. */
export interface HeldDeletions {
  /** Says which deletions wait, and why; an empty list takes the question back. */
  publish(resources: readonly ResourceId[], reason: string): Promise<void>;
  /** The resources whose deletion somebody has confirmed, as they were published. */
  confirmed(): Promise<ResourceId[]>;
}

/** The question that the API server keeps: `POST /resources/confirm-deletions` answers it. */
export function createHttpHeldDeletions(http: HttpClient, source: string): HeldDeletions {
  return {
    async publish(resources, reason) {
      const ids = resources.map(({ kind, namespace, name }) => ({ kind, namespace, name }));
      await holdDeletions(http, { source, resources: ids, reason });
    },
    async confirmed() {
      const held = (await listHeldDeletions(http, source)).filter(({ confirmed }) => confirmed);
      return held.flatMap(({ resources }) => resources).filter((id): id is ResourceId => isResourceKind(id.kind));
    },
  };
}
