import { setTimeout as sleep } from 'node:timers/promises';
import type { OwnAnswer } from '../fault-proxy.ts';
import { oneOf } from '../random.ts';
import type { ControlPlane } from './control-plane.ts';
import { broken, internalError, tooManyRequests, unavailable } from './fault-answers.ts';
import type { KubeBench } from './kube-bench.ts';
import { isForLease, type ProxiedOperator, type Sent } from './proxied-operator.ts';

/** What faults can strike. */
export interface Plant {
  readonly plane: ControlPlane;
  readonly bench: KubeBench;
  readonly operators: readonly ProxiedOperator[];
  /** Of all of them. */
  readonly journal: readonly Sent[];
  readonly random: () => number;
}

export interface Fault {
  /** It lasts at least so long, in ms. */
  readonly least?: number;
  /** @returns how it is ended. */
  strike(plant: Plant): Promise<() => unknown>;
}

/** Longer than the lease of the operators of tests. */
const PAST_THE_LEASE_MS = 3600;
const SLOWEST_MS = 400;
const nothing = (): undefined => undefined;

/** Kinds of faults, by what they strike: of one such group only one at a time. */
export const FAULTS: Readonly<Record<'watches' | 'requests' | 'processes' | 'servers', Record<string, Fault>>> = {
  watches: {
    'watches are cut': watchFault((proxy) => {
      proxy.cutWatches();
      return nothing;
    }),
    'watches fall silent': watchFault((proxy) => {
      proxy.silenceWatches();
      return () => proxy.unsilenceWatches();
    }),
    'watches break off inside a line': watchFault((proxy) => {
      proxy.truncateWatches();
      return nothing;
    }),
  },
  requests: {
    'the cluster is too busy': refusing('cluster', [tooManyRequests(0), tooManyRequests(1)]),
    'the cluster is broken inside': refusing('cluster', [internalError]),
    'the cluster resets connections': refusing('cluster', ['drop']),
    'the API server is too busy': refusing('server', [unavailable(0), unavailable(1)]),
    'the API server is broken inside': refusing('server', [broken]),
    'the API server resets connections': refusing('server', ['drop']),
    'answers of writes are lost': { strike: loseAnswers },
    'answers are slow': { strike: slowDown },
    'the cluster cannot be reached': { least: 1000, strike: (plant) => cutOff(plant, 'cluster') },
    'the API server cannot be reached': { least: 1000, strike: (plant) => cutOff(plant, 'server') },
  },
  processes: {
    'the leader is killed': {
      strike: async (plant) => {
        const leader = leaderOf(plant);
        await leader.process.kill();
        return () => leader.restart();
      },
    },
    'the leader is stopped': {
      strike: async (plant) => {
        const leader = leaderOf(plant);
        await leader.process.stop();
        return () => leader.restart();
      },
    },
    'both operators are killed': {
      strike: async ({ operators }) => {
        for (const { process } of operators) await process.kill();
        return () => Promise.all(operators.map((operator) => operator.restart()));
      },
    },
    'the leader is frozen': {
      least: PAST_THE_LEASE_MS,
      strike: async (plant) => {
        const { process } = leaderOf(plant);
        process.freeze();
        return () => process.thaw();
      },
    },
  },
  servers: {
    'the kube-apiserver is killed': {
      strike: async ({ plane }) => {
        await plane.stopApiServer();
        return () => plane.startApiServer();
      },
    },
    'the history of the cluster is forgotten': {
      strike: async ({ plane }) => {
        await plane.forgetHistory();
        return nothing;
      },
    },
    'the API server is killed': {
      strike: async ({ bench }) => {
        await bench.server.kill();
        return () => bench.restartServer();
      },
    },
  },
};

/** Whoever had the Lease last. */
function leaderOf({ journal, operators, random }: Plant): ProxiedOperator {
  const renewal = journal.findLast((one) => isForLease(one) && one.method === 'PUT' && one.status === 200);
  return renewal?.operator ?? oneOf(operators, random);
}

function watchFault(begin: (proxy: ProxiedOperator['cluster']) => () => void): Fault {
  return {
    strike: async (plant) => {
      const ends = struck(plant).map(({ cluster }) => begin(cluster));
      return () => {
        for (const end of ends) end();
      };
    },
  };
}

function refusing(to: Sent['to'], answers: readonly (OwnAnswer | 'drop')[]): Fault {
  return {
    strike: async (plant) => {
      const { random } = plant;
      return befall(plant, (request) => (request.to === to && random() < 0.5 ? oneOf(answers, random) : undefined));
    },
  };
}

async function slowDown(plant: Plant): Promise<() => void> {
  return befall(plant, async () => {
    await sleep(plant.random() * SLOWEST_MS);
    return undefined;
  });
}

function befall(plant: Plant, fate: ProxiedOperator['befall']): () => void {
  const operators = struck(plant);
  for (const operator of operators) operator.befall = fate;
  return () => {
    for (const operator of operators) operator.befall = nothing;
  };
}

async function loseAnswers(plant: Plant): Promise<() => void> {
  const proxies = struck(plant).flatMap(({ cluster, server }) => [cluster, server]);
  for (const proxy of proxies)
    proxy.after = ({ method }) => (method !== 'GET' && plant.random() < 0.5 ? 'drop' : undefined);
  return () => {
    for (const proxy of proxies) proxy.after = nothing;
  };
}

async function cutOff(plant: Plant, from: Sent['to']): Promise<() => Promise<unknown>> {
  const proxies = struck(plant).map((operator) => operator[from]);
  for (const proxy of proxies) await proxy.down();
  return () => Promise.all(proxies.map((proxy) => proxy.up()));
}

/** One operator, or both. */
function struck({ operators, random }: Plant): readonly ProxiedOperator[] {
  return random() < 0.5 ? operators : [oneOf(operators, random)];
}
