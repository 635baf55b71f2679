import type { HttpClient } from '../../client/http-client.ts';
import { forgetResource, listResources, registerResources, reportResource } from '../../client/resource-records.ts';
import { isResourceKind, type ResourceId } from '../../model/resource/identity.ts';
import { type ResourceStatus, readStatus } from '../../model/resource/status.ts';
import type { ResourceRecord as ShownRecord } from '../../model/wire/resource-record.ts';

export interface Registration extends ResourceId {
  readonly specHash: string;
  /** `file:line`. */
  readonly location?: string;
}

export type Registered = ResourceId & Pick<ShownRecord, 'generation' | 'created'>;

export type ResourceRecord = Registered & Pick<ShownRecord, 'location'> & { readonly status?: ResourceStatus };

/** Where a source without a memory of its own keeps what it must not forget: age, generation and status of resources. */
export interface ResourceRecords {
  list(): Promise<ResourceRecord[]>;
  /** First sight records the time of creation, the same for the whole call; another hash raises the generation. */
  register(resources: readonly Registration[]): Promise<Registered[]>;
  putStatus(id: ResourceId, status: ResourceStatus, location: string | undefined): Promise<void>;
  /** Fine when there is none. */
  remove(id: ResourceId): Promise<void>;
}

/** The records that the API server keeps and shows at `/resources`. */
export function createHttpResourceRecords(http: HttpClient, source: string): ResourceRecords {
  return {
    list: async () => (await listResources(http, source)).map(readRecord).filter((record) => record !== undefined),
    async register(resources) {
      const named = resources.map(({ kind, namespace, name, specHash, location }) => {
        return { kind, namespace, name, specHash, ...(location === undefined ? {} : { location }) };
      });
      const registered = await registerResources(http, { source, resources: named });
      return registered.map(readRecord).filter((record) => record !== undefined);
    },
    putStatus: (id, status, location) => reportResource(http, id, { source, status, location }),
    remove: (id) => forgetResource(http, id, source),
  };
}

/** @returns `undefined` for a kind that this operator does not know; a status that it cannot read is left out. */
function readRecord({ kind, status: reported, ...record }: ShownRecord): ResourceRecord | undefined {
  if (!isResourceKind(kind)) return undefined;
  const status = readStatus(reported);
  return { ...record, kind, ...(status === undefined ? {} : { status }) };
}
