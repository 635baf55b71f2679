import { API_VERSION, type ResourceKind } from '../../../model/resource/identity.ts';
import { Api, eventually } from '../api.ts';
import { embeddedDeployment } from '../deployments.ts';
import { ProplaneProcess } from '../proplane-process.ts';
import type { Cluster } from './cluster.ts';
import { applyCrds } from './crds.ts';
import { Kubectl } from './kubectl.ts';
import { newNamespace } from './namespaces.ts';
import { type OperatorOptions, OperatorProcess } from './operator-process.ts';

/** A namespace of a cluster, an API server with a catalogue of its own, and the operators between them. */
export class KubeBench {
  readonly cluster: Cluster;
  readonly namespace: string;
  /** In that namespace. */
  readonly kubectl: Kubectl;
  server: ProplaneProcess;
  readonly #operators: OperatorProcess[] = [];
  readonly #endings: (() => Promise<unknown>)[];

  private constructor(
    cluster: Cluster,
    namespace: string,
    server: ProplaneProcess,
    endings: (() => Promise<unknown>)[],
  ) {
    this.cluster = cluster;
    this.namespace = namespace;
    this.kubectl = new Kubectl(cluster.kubeconfig, namespace);
    this.server = server;
    this.#endings = endings;
  }

  static async create(cluster: Cluster): Promise<KubeBench> {
    await applyCrds(cluster);
    const namespace = await newNamespace(cluster);
    const deployment = await embeddedDeployment();
    const server = await ProplaneProcess.start({ deployment, role: 'api-server' });
    return new KubeBench(cluster, namespace.name, server, [() => namespace.remove(), () => deployment.remove()]);
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
    for (const plural of ['structuredproperties', 'datasetproperties']) {
      const { items } = await this.kubectl.json('get', plural);
      for (const { metadata } of items) {
        const patch = JSON.stringify({ metadata: { finalizers: null } });
        await this.kubectl
          .run('patch', plural, metadata.name, '--type=merge', `--patch=${patch}`)
          .catch(() => undefined);
      }
    }
    await this.server.kill();
    for (const end of this.#endings) await end();
  }

  // biome-ignore lint/suspicious/noExplicitAny: objects as the API gives them
  async read(kind: ResourceKind, name: string): Promise<any> {
    const { items } = await this.kubectl.json('get', kind, `--field-selector=metadata.name=${name}`);
    return items[0];
  }

  /** Waits until the resource's Ready condition has this reason. */
  // biome-ignore lint/suspicious/noExplicitAny: objects as the API gives them
  async reason(kind: ResourceKind, name: string, reason: string): Promise<any> {
    return await eventually(async () => {
      const object = await this.read(kind, name);
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

// biome-ignore lint/suspicious/noExplicitAny: objects as the API gives them
export function conditionOf(object: any, type: string): any {
  return object?.status?.conditions?.find((condition: { type: string }) => condition.type === type);
}

/** A manifest of one of our kinds. */
export function manifestOf(kind: ResourceKind, name: string, spec: object, metadata: object = {}): object {
  return { apiVersion: API_VERSION, kind, metadata: { name, ...metadata }, spec };
}
