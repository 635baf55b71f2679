import type { KubeClient } from '../../../kubernetes/kube-client.ts';
import { API_VERSION, type ResourceKind } from '../../../model/resource/identity.ts';
import { mapConcurrently } from '../../../operator/runtime/map-concurrently.ts';
import { readOrNothing } from '../../../operator/source/kubernetes/change-object.ts';
import { KUBE_RESOURCES } from '../../../operator/source/kubernetes/kube-kinds.ts';
import { Api, eventually } from '../api.ts';
import type { Deployment, NewDeployment } from '../deployments.ts';
import { embeddedDeployment } from '../embedded-deployment.ts';
import { ProplaneProcess } from '../proplane-process.ts';
import type { Cluster } from './cluster.ts';
import { applyCrds } from './crds.ts';
import { kubeClientOf } from './kube-client.ts';
import { Kubectl } from './kubectl.ts';
import { newNamespace } from './namespaces.ts';
import { type OperatorOptions, OperatorProcess } from './operator-process.ts';

export interface BenchOptions {
  /** Backends of the catalogue; embedded ones when absent. */
  readonly newDeployment?: NewDeployment;
  /** Of the API server. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A namespace of a cluster, an API server with a catalogue of its own, and the operators between them. */
export class KubeBench {
  readonly cluster: Cluster;
  readonly namespace: string;
  /** In that namespace. */
  readonly kubectl: Kubectl;
  readonly deployment: Deployment;
  server: ProplaneProcess;
  /** What is looked at again and again is not asked by kubectl, which is a process each time. */
  readonly #client: KubeClient;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #operators: OperatorProcess[] = [];
  readonly #namespaces: Awaited<ReturnType<typeof newNamespace>>[] = [];
  readonly #endings: (() => Promise<unknown>)[] = [];

  private constructor(
    cluster: Cluster,
    namespace: Awaited<ReturnType<typeof newNamespace>>,
    deployment: Deployment,
    server: ProplaneProcess,
    environment: Readonly<Record<string, string>>,
  ) {
    this.cluster = cluster;
    this.namespace = namespace.name;
    this.#client = kubeClientOf(cluster);
    this.kubectl = new Kubectl(cluster.kubeconfig, namespace.name);
    this.deployment = deployment;
    this.server = server;
    this.#environment = environment;
    this.#namespaces.push(namespace);
  }

  static async create(
    cluster: Cluster,
    { newDeployment = embeddedDeployment, environment = {} }: BenchOptions = {},
  ): Promise<KubeBench> {
    await applyCrds(cluster);
    const namespace = await newNamespace(cluster);
    const deployment = await newDeployment();
    const server = await ProplaneProcess.start({ deployment, role: 'api-server', environment });
    return new KubeBench(cluster, namespace, deployment, server, environment);
  }

  /** Another namespace, removed with the bench. @returns kubectl in it, and its name. */
  async anotherNamespace(): Promise<{ readonly name: string; readonly kubectl: Kubectl }> {
    const namespace = await newNamespace(this.cluster);
    this.#namespaces.push(namespace);
    return { name: namespace.name, kubectl: new Kubectl(this.cluster.kubeconfig, namespace.name) };
  }

  /** Starts the API server again, after it was killed, over the same catalogue and at the same address. */
  async restartServer(): Promise<void> {
    this.server = await ProplaneProcess.start({
      deployment: this.deployment,
      role: 'api-server',
      environment: { ...this.#environment, API_PORT: new URL(this.server.url).port },
    });
  }

  /** What has to be ended with the bench, after its operators. */
  atEnd(end: () => Promise<unknown>): void {
    this.#endings.push(end);
  }

  get api(): Api {
    return new Api(this.server.url);
  }

  /** Starts an operator and waits until it leads, unless it is to stand by. */
  async operate({
    standby = false,
    ...options
  }: Partial<OperatorOptions> & { standby?: boolean } = {}): Promise<OperatorProcess> {
    const operator = new OperatorProcess({
      host: this.server.url,
      kubeconfig: this.cluster.kubeconfig,
      namespace: this.namespace,
      ...options,
    });
    this.#operators.push(operator);
    return standby ? operator : await operator.leads();
  }

  /** Ends everything that was started. Resources are let go, since nobody is there any more to let them go in order. */
  async close(): Promise<void> {
    for (const operator of this.#operators) await operator.kill();
    try {
      for (const namespace of this.#namespaces) {
        await letGoOfResources(this.#client, namespace.name);
        await namespace.remove();
      }
    } finally {
      await this.server.kill();
      await this.deployment.remove();
      for (const end of this.#endings) await end();
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: objects as the API gives them
  async read(kind: ResourceKind, name: string, namespace = this.namespace): Promise<any> {
    return await readOrNothing(this.#client, { resource: KUBE_RESOURCES[kind], namespace, name });
  }

  /** Waits until the resource's Ready condition has this reason. */
  // biome-ignore lint/suspicious/noExplicitAny: objects as the API gives them
  async reason(kind: ResourceKind, name: string, reason: string, namespace = this.namespace): Promise<any> {
    return await eventually(async () => {
      const object = await this.read(kind, name, namespace);
      const ready = conditionOf(object, 'Ready');
      if (ready?.reason !== reason || object.status.observedGeneration !== object.metadata.generation)
        throw new Error(`${kind} ${name}: ${JSON.stringify(object?.status)}\n${this.#operators.at(-1)?.output}`);
      return object;
    });
  }

  async gone(kind: ResourceKind, name: string): Promise<void> {
    await eventually(async () => {
      const object = await this.read(kind, name);
      if (object !== undefined)
        throw new Error(
          `${kind} ${name} is there: ${JSON.stringify(object.status)}\n${this.#operators.at(-1)?.output}`,
        );
    });
  }
}

/** Takes all finalizers away. Not by kubectl, which sends a few requests a second at most. */
async function letGoOfResources(client: KubeClient, namespace: string): Promise<void> {
  for (const resource of Object.values(KUBE_RESOURCES)) {
    const { items } = await client.list(resource, { namespace });
    await mapConcurrently(items, 8, async ({ metadata: { name, finalizers } }) => {
      if (finalizers === undefined) return;
      const removal = { op: 'remove', path: '/metadata/finalizers' } as const;
      await client.patch({ resource, namespace, name }, [removal]).catch(() => undefined);
    });
  }
}

// biome-ignore lint/suspicious/noExplicitAny: objects as the API gives them
export function conditionOf(object: any, type: string): any {
  return object?.status?.conditions?.find((condition: { type: string }) => condition.type === type);
}

/** A manifest of one of our kinds. */
export function manifestOf(kind: ResourceKind, name: string, spec: object, metadata: object = {}): object {
  return { apiVersion: API_VERSION, kind, metadata: { name, ...metadata }, spec };
}
