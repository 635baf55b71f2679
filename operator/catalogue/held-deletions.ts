import type { HttpClient } from '../../client/http-client.ts';
import { holdDeletions, listHeldDeletions } from '../../client/resource-records.ts';
import { isResourceKind, type ResourceId } from '../../model/resource/identity.ts';

/** A deletion that is not carried out unasked. */
export interface HeldDeletion {
  readonly id: ResourceId;
  /** For people. */
  readonly reason: string;
}

/** Where a person is asked before resources are deleted. */
export interface HeldDeletions {
  /** Says which deletions wait, or are confirmed and not through yet; an empty list takes the question back. */
  publish(held: readonly HeldDeletion[]): Promise<void>;
  /** What was published last, also by an operator before this one, and whether somebody has confirmed it. */
  list(): Promise<(HeldDeletion & { readonly confirmed: boolean })[]>;
}

/** The question that the API server keeps: `POST /resources/confirm-deletions` answers it. */
export function createHttpHeldDeletions(http: HttpClient, source: string): HeldDeletions {
  return {
    async publish(held) {
      const resources = held.map(({ id: { kind, namespace, name }, reason }) => ({ kind, namespace, name, reason }));
      await holdDeletions(http, { source, resources });
    },
    async list() {
      const held = (await listHeldDeletions(http, source)).flatMap(({ resources }) => resources);
      return held.flatMap(({ kind, namespace, name, reason, confirmed }) =>
        isResourceKind(kind) ? [{ id: { kind, namespace, name }, reason, confirmed }] : [],
      );
    },
  };
}
