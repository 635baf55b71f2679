import { CustomObjectsApi, PatchStrategy, setHeaderOptions } from '@kubernetes/client-node';
import { API_GROUP, KUBERNETES_NAMES, type ResourceKind, VERSION } from '../../../model/resource/identity.ts';
import { eventually } from '../api.ts';
import { property } from '../manifests.ts';
import type { Cluster } from './cluster.ts';
import { kubeConfigOf } from './kube-client.ts';

export interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly [field: string]: unknown;
}

/** What the API server says to manifests, in one namespace. */
export class Admission {
  readonly #api: CustomObjectsApi;
  readonly #namespace: string;

  constructor(cluster: Cluster, namespace: string) {
    const config = kubeConfigOf(cluster);
    this.#api = config.makeApiClient(CustomObjectsApi);
    this.#namespace = namespace;
  }

  /** Waits until the policies of crds/ are in force, which is a moment after they were stored. */
  async arePoliciesInForce(): Promise<void> {
    await eventually(async () => {
      const wrong = property({ allowedValues: [{ value: {} }] }, { namespace: this.#namespace });
      if ((await this.refusalOf(wrong)) === undefined) throw new Error('the policy is not in force yet');
    });
  }

  /** Why a new object would be refused; nothing is stored. */
  async refusalOf(manifest: Manifest): Promise<string | undefined> {
    return refusal(this.#api.createNamespacedCustomObject({ ...this.#in(manifest), body: manifest, dryRun: 'All' }));
  }

  /** Why the change of an object would be refused; nothing remains stored. */
  async refusalOfChange(before: Manifest, after: Manifest): Promise<string | undefined> {
    const stored = (await this.#api.createNamespacedCustomObject({ ...this.#in(before), body: before })) as Manifest;
    const { name } = stored.metadata;
    const body = { ...after, metadata: { ...after.metadata, resourceVersion: resourceVersionOf(stored) } };
    try {
      return await refusal(this.#api.replaceNamespacedCustomObject({ ...this.#in(before), name, body, dryRun: 'All' }));
    } finally {
      await this.#api.deleteNamespacedCustomObject({ ...this.#in(before), name });
    }
  }

  /** Server-side apply by one of several owners. */
  async applyAs(fieldManager: string, manifest: Manifest): Promise<void> {
    const { name } = manifest.metadata;
    await this.#api.patchNamespacedCustomObject(
      { ...this.#in(manifest), name, body: manifest, fieldManager },
      setHeaderOptions('Content-Type', PatchStrategy.ServerSideApply),
    );
  }

  #in({ kind }: Manifest) {
    const { plural } = KUBERNETES_NAMES[kind as ResourceKind];
    return { group: API_GROUP, version: VERSION, namespace: this.#namespace, plural };
  }
}

function resourceVersionOf({ metadata }: { metadata: object }): unknown {
  return (metadata as { resourceVersion?: unknown }).resourceVersion;
}

/** @throws Error for any other failure than a refusal. */
async function refusal(request: Promise<unknown>): Promise<string | undefined> {
  try {
    await request;
    return undefined;
  } catch (error) {
    const { code, body } = error as { code?: number; body?: string };
    if (code !== 422) throw error;
    return (JSON.parse(body ?? '') as { message: string }).message;
  }
}
