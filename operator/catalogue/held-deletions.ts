import type { HttpClient } from '../../client/http-client.ts';
import type { ResourceId } from '../../model/resource/identity.ts';

/** Where a person is asked before many resources are deleted at once. */
export interface HeldDeletions {
  /** Says which deletions wait, and why; an empty list takes the question back. */
  publish(resources: readonly ResourceId[], reason: string): Promise<void>;
  /** The resources whose deletion somebody has confirmed, as they were published. */
  confirmed(): Promise<ResourceId[]>;
}

interface HeldAnswer {
  readonly held: readonly { readonly resources: ResourceId[]; readonly confirmed: boolean }[];
}

/** The question that the API server keeps: `POST /resources/confirm-deletions` answers it. */
export function createHttpHeldDeletions(http: HttpClient, source: string): HeldDeletions {
  const path = '/resources/held-deletions';
  return {
    async publish(resources, reason) {
      const ids = resources.map(({ kind, namespace, name }) => ({ kind, namespace, name }));
      await http.send({ method: 'PUT', path, body: { source, resources: ids, reason } });
    },
    async confirmed() {
      const answer = (await http.send({ method: 'GET', path, query: [['source', source]] })) as HeldAnswer;
      return answer.held.filter(({ confirmed }) => confirmed).flatMap(({ resources }) => resources);
    },
  };
}
