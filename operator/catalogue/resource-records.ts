import type { HttpClient } from '../../client/http-client.ts';
import { MissingError } from '../../client/http-errors.ts';
import { isResourceKind, type ResourceId } from '../../model/resource/identity.ts';
import type { ResourceStatus } from '../../model/resource/status.ts';

export interface Registration extends ResourceId {
  readonly specHash: string;
  /** `file:line`. */
  readonly location?: string;
}

export interface Registered extends ResourceId {
  readonly generation: number;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly created: number;
}

export interface ResourceRecord extends Registered {
  readonly location?: string;
  readonly status?: ResourceStatus;
}

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
  const pathOf = ({ kind, namespace, name }: ResourceId): string =>
    `/resources/${[kind, namespace, name].map(encodeURIComponent).join('/')}`;

  return {
    async list() {
      const answer = await http.send({ method: 'GET', path: '/resources', query: [['source', source]] });
      return (answer as { resources: ResourceRecord[] }).resources.filter(({ kind }) => isResourceKind(kind));
    },
    async register(resources) {
      const body = {
        source,
        resources: resources.map(({ kind, namespace, name, specHash, location }) => ({
          kind,
          namespace,
          name,
          specHash,
          ...(location === undefined ? {} : { location }),
        })),
      };
      const answer = await http.send({ method: 'POST', path: '/resources/register', body });
      return (answer as { resources: Registered[] }).resources;
    },
    async putStatus(id, status, location) {
      const body = { source, status, ...(location === undefined ? {} : { location }) };
      await http.send({ method: 'PUT', path: pathOf(id), body });
    },
    async remove(id) {
      try {
        await http.send({ method: 'DELETE', path: pathOf(id), query: [['source', source]] });
      } catch (error) {
        if (!(error instanceof MissingError)) throw error;
      }
    },
  };
}
