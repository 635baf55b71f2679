import type { JsonPatchOperation, KubeObject, KubeRef, KubeResource } from './kube-object.ts';

export interface KubeList {
  readonly items: readonly KubeObject[];
  readonly resourceVersion: string;
  /** Absent on the last page. */
  readonly continue?: string;
}

export interface WatchQuery {
  readonly resourceVersion: string;
  /** The server ends the watch after so many seconds. */
  readonly timeoutSeconds: number;
  /** Bytes that do not come for so long are taken for a broken connection. */
  readonly idleMs: number;
  /** Called when the server has begun to answer: from now on changes come as they happen. */
  readonly opened?: () => void;
}

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: KubeObject;
}

/** Questions to the Kubernetes API that leave nothing behind, such as a TokenReview. They reject with a KubeError. */
export interface KubeReviews {
  /** @returns the question with its answer in `status`, as it was sent. */
  review(resource: KubeResource, question: object): Promise<unknown>;
}

/** The Kubernetes API, as far as the operator uses it. Every method rejects with a KubeError. */
export interface KubeClient {
  read(ref: KubeRef): Promise<KubeObject>;
  /** One page; `namespace` absent: of all namespaces. */
  list(
    resource: KubeResource,
    query: { namespace?: string; limit?: number; continue?: string },
    signal?: AbortSignal,
  ): Promise<KubeList>;
  create(resource: KubeResource, object: object, namespace?: string): Promise<KubeObject>;
  /** The object's metadata.resourceVersion makes it conditional: another one is a `conflict`. */
  replace(ref: KubeRef, object: object): Promise<KubeObject>;
  /** A failed `test` is a KubeError `invalid`. */
  patch(ref: KubeRef, operations: readonly JsonPatchOperation[], subresource?: 'status'): Promise<KubeObject>;
  /**
   * The changes since a resourceVersion, until the server ends the watch (then it returns), the signal is aborted (then
   * it returns too) or something breaks (then it throws: `expired` for a resourceVersion that is too old).
   */
  watch(
    resource: KubeResource,
    namespace: string | undefined,
    query: WatchQuery,
    signal: AbortSignal,
  ): AsyncIterable<WatchEvent>;
}
