import { Agent, fetch } from 'undici';
import { API_GROUP, API_VERSION, type ResourceKind } from '../../../model/resource/identity.ts';
import type { Cluster } from './cluster.ts';
import type { Kubectl } from './kubectl.ts';

const PLURALS: Readonly<Record<ResourceKind, string>> = {
  StructuredProperty: 'structuredproperties',
  DatasetProperties: 'datasetproperties',
  AccessToken: 'accesstokens',
};

/** What people do to resources of one namespace, without the weight of kubectl: as the user `reader`. */
export class People {
  readonly #agent: Agent;
  readonly #cluster: Cluster;
  readonly #namespace: string;

  private constructor(cluster: Cluster, namespace: string) {
    this.#cluster = cluster;
    this.#namespace = namespace;
    this.#agent = new Agent({ connect: cluster.ca === undefined ? {} : { ca: cluster.ca } });
  }

  /** Gives them the right to all of that. */
  static async of(cluster: Cluster, namespace: string, kubectl: Kubectl): Promise<People> {
    const resources = Object.values(PLURALS).map((plural) => `${plural}.${API_GROUP}`);
    await kubectl.run('create', 'role', 'people', '--verb=*', `--resource=${resources.join(',')}`);
    await kubectl.run('create', 'rolebinding', 'people', '--role=people', `--user=${cluster.users.reader.name}`);
    return new People(cluster, namespace);
  }

  /** As `kubectl apply --server-side`. @throws Error when it is refused. */
  async apply(kind: ResourceKind, name: string, spec: object): Promise<void> {
    const object = { apiVersion: API_VERSION, kind, metadata: { name }, spec };
    const query = '?fieldManager=people&force=true';
    await this.#ask('PATCH', `${this.#path(kind, name)}${query}`, object, 'application/apply-patch+yaml');
  }

  /** Does not wait for its end. */
  async remove(kind: ResourceKind, name: string): Promise<void> {
    await this.#ask('DELETE', this.#path(kind, name));
  }

  /** Takes its finalizers away, as people do who will not wait. */
  async loosen(kind: ResourceKind, name: string): Promise<void> {
    const patch = { metadata: { finalizers: null } };
    await this.#ask('PATCH', this.#path(kind, name), patch, 'application/merge-patch+json');
  }

  // biome-ignore lint/suspicious/noExplicitAny: objects as the API gives them
  async list(kind: ResourceKind): Promise<any[]> {
    const { items } = (await this.#ask('GET', this.#path(kind))) as { items: object[] };
    return items;
  }

  /** @returns undefined when it is not there. */
  // biome-ignore lint/suspicious/noExplicitAny: objects as the API gives them
  read(kind: ResourceKind, name: string): Promise<any> {
    return this.#ask('GET', this.#path(kind, name));
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #ask(method: string, path: string, body?: object, type?: string): Promise<unknown> {
    const response = await fetch(`${this.#cluster.server}${path}`, {
      dispatcher: this.#agent,
      method,
      headers: {
        authorization: `Bearer ${this.#cluster.users.reader.token}`,
        ...(type === undefined ? {} : { 'content-type': type }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(10_000),
    });
    const text = await response.text();
    if (response.status === 404) return undefined;
    if (!response.ok) throw new Error(`${method} ${path} is answered ${response.status}: ${text}`);
    return JSON.parse(text);
  }

  #path(kind: ResourceKind, name?: string): string {
    const all = `/apis/${API_VERSION}/namespaces/${this.#namespace}/${PLURALS[kind]}`;
    return name === undefined ? all : `${all}/${name}`;
  }
}
