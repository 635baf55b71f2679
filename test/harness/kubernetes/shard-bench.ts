import type { ResourceKind } from '../../../model/resource/identity.ts';
import { entityPath } from '../api.ts';
import { grantLease, grantNamespace } from './grants.ts';
import type { KubeBench } from './kube-bench.ts';
import { described, ProxiedOperator, type Sent, subjectOf, writesIn } from './proxied-operator.ts';
import { datasetUrn, numberOn, numberProperty, propertyUrn, valuesOn } from './wishes.ts';

export type Shard = 'a' | 'b';

/** Two operators over one namespace: one has what is labelled `team=a`, the other what is of any other team. */
export class ShardBench {
  readonly operators: Readonly<Record<Shard, ProxiedOperator>>;
  readonly journal: readonly Sent[];
  readonly #bench: KubeBench;
  /** The shards that each resource was in. */
  readonly #shardsOf = new Map<string, Set<Shard>>();
  #beats = 0;

  private constructor(bench: KubeBench, operators: ShardBench['operators'], journal: readonly Sent[]) {
    this.#bench = bench;
    this.operators = operators;
    this.journal = journal;
  }

  static async start(bench: KubeBench, { users }: KubeBench['cluster']): Promise<ShardBench> {
    await grantLease(bench.kubectl, users.operator);
    await grantNamespace(bench.kubectl, users.operator);
    const journal: Sent[] = [];
    const start = (SHARD: Shard, WATCH_LABEL_SELECTOR: string): Promise<ProxiedOperator> =>
      // What is done here is done because of a change, not because everything is looked at now and then.
      ProxiedOperator.start(bench, {
        journal,
        environment: { SHARD, WATCH_LABEL_SELECTOR, RESYNC_INTERVAL_S: '3600' },
      });
    const operators = { a: await start('a', 'team=a'), b: await start('b', 'team notin (a), team') };
    return new ShardBench(bench, operators, journal);
  }

  property(shard: Shard, name: string, spec: object = {}): object {
    return numberProperty(name, spec, this.#of(shard, name));
  }

  number(shard: Shard, name: string, ref: string, value: unknown, spec: object = {}): object {
    return numberOn(name, ref, value, spec, this.#of(shard, name));
  }

  async move(kind: 'sprop' | 'dprop', name: string, shard: Shard): Promise<void> {
    this.#of(shard, name);
    await this.#bench.kubectl.run('label', kind, name, `team=${shard}`, '--overwrite');
  }

  /** Metadata of a resource that belongs to a shard from now on. */
  #of(shard: Shard, name: string): object {
    this.#shardsOf.set(name, new Set([...(this.#shardsOf.get(name) ?? []), shard]));
    return { labels: { team: shard } };
  }

  /** An operator has come to everything that was to be done before. */
  async works(shard: Shard): Promise<void> {
    this.#beats += 1;
    const name = `beat-${this.#beats}`;
    await this.#bench.kubectl.apply(this.property(shard, name));
    await this.applied('StructuredProperty', name);
  }

  applied(kind: ResourceKind, name: string) {
    return this.#bench.reason(kind, name, 'Applied');
  }

  values(name: string) {
    return valuesOn(this.#bench.api, datasetUrn(name));
  }

  // biome-ignore lint/suspicious/noExplicitAny: as the API gives it
  async definitionOf(name: string): Promise<any> {
    const { body } = await this.#bench.api.get(entityPath('v3', propertyUrn(`e2e.${name}`)));
    return body.propertyDefinition?.value;
  }

  async ownersOf(name: string): Promise<object[]> {
    return (await this.#bench.api.get(`/owners?source=${this.#bench.namespace}&name=${name}`)).body.owners;
  }

  writesFor(shard: Shard, name: string, since = 0): string[] {
    return writesIn(this.journal.slice(since))
      .filter((one) => one.operator === this.operators[shard] && subjectOf(one) === name)
      .map(described);
  }

  /** What was written for a resource that was never in the shard of the operator. */
  strayWrites(): Sent[] {
    return writesIn(this.journal).filter((one) => {
      const shards = this.#shardsOf.get(subjectOf(one) ?? '');
      return shards !== undefined && !shards.has(one.operator === this.operators.a ? 'a' : 'b');
    });
  }

  deletionsOf(name: string): string[] {
    return this.journal
      .filter(({ method, path }) => method === 'DELETE' && path.endsWith(`e2e.${name}`))
      .map(described);
  }
}
