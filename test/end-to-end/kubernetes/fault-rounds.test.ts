import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../../harness/api.ts';
import { ControlPlane } from '../../harness/kubernetes/control-plane.ts';
import { describeWithControlPlane } from '../../harness/kubernetes/describe-cluster.ts';
import { FAULTS, type Fault, type Plant } from '../../harness/kubernetes/faults.ts';
import { grantLease, grantNamespace } from '../../harness/kubernetes/grants.ts';
import { KubeBench } from '../../harness/kubernetes/kube-bench.ts';
import { PlainWorld } from '../../harness/kubernetes/plain-world.ts';
import { ProxiedOperator, type Sent } from '../../harness/kubernetes/proxied-operator.ts';
import { oneOf, seededRandom } from '../../harness/random.ts';

/** Rounds of faults; a soak run asks for more. */
const ROUNDS = Number(process.env.PROPLANE_KUBE_FAULT_ROUNDS ?? 6);
/** Of what befalls whom, and of what people change: not of the moments at which they meet. */
const SEED = Number(process.env.PROPLANE_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));
/** After so many rounds the faults end, and everything has to agree. */
const ROUNDS_TO_AGREEMENT = 3;
const LONGEST_FAULT_MS = 1500;
const LONGEST_PAUSE_MS = 120;

await describeWithControlPlane('two operators in the midst of faults of all kinds', () => {
  const random = seededRandom(SEED);
  const journal: Sent[] = [];
  const counts = new Map<string, number>();
  let plant: Plant;
  let world: PlainWorld;
  let changes = 0;
  const endings: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    const plane = await ControlPlane.start();
    endings.push(() => plane.stop());
    const bench = await KubeBench.create(plane);
    endings.push(() => bench.close());
    await grantLease(bench.kubectl, plane.users.operator);
    await grantNamespace(bench.kubectl, plane.users.operator);
    const environment = { WATCH_IDLE_S: '2', RESYNC_INTERVAL_S: '2' };
    const first = await ProxiedOperator.start(bench, { journal, environment });
    const second = await ProxiedOperator.start(bench, { journal, environment, standby: true });
    plant = { plane, bench, operators: [first, second], journal, random };
    world = await PlainWorld.create(bench, bench.namespace, random);
    await world.agrees();
  }, 1_800_000);

  afterAll(async () => {
    for (const end of endings.reverse()) await end();
    // Figures for the docs, when somebody looks.
    const faults = Object.fromEntries([...counts].sort());
    process.stderr.write(`faults: ${JSON.stringify({ seed: SEED, rounds: ROUNDS, changes, faults })}\n`);
  }, 120_000);

  /** At least one fault, at most one of a group. */
  function draw(): [string, Fault][] {
    const groups = Object.values(FAULTS);
    const always = oneOf(groups, random);
    return groups
      .filter((group) => group === always || random() < 0.25)
      .map((group) => oneOf(Object.entries(group), random));
  }

  async function round(): Promise<void> {
    const drawn = draw();
    world.note(`begins: ${drawn.map(([name]) => name).join(', ')}`);
    const ends: (() => unknown)[] = [];
    let isOver = false;
    const changing = (async () => {
      for (; !isOver; changes += 1) {
        await world.change();
        await sleep(random() * LONGEST_PAUSE_MS);
      }
    })();
    for (const [name, fault] of drawn) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
      ends.push(await fault.strike(plant));
    }
    const least = Math.max(...drawn.map(([, fault]) => fault.least ?? 0));
    await sleep(Math.max(least, random() * LONGEST_FAULT_MS));
    for (const end of ends.reverse()) await end();
    world.note('ended');
    isOver = true;
    await changing;
  }

  /** Nothing is amiss any more: all agrees, both operators are there, one of them leads, and only what should be was deleted. */
  async function allIsWell(): Promise<void> {
    await world.agrees();
    world.checkDeletions(journal);
    await eventually(async () => {
      const leads = await Promise.all(plant.operators.map((operator) => operator.isLeading()));
      expect(leads.filter(Boolean)).toHaveLength(1);
    });
    for (const { process } of plant.operators) {
      expect((await process.get('/health')).status).toBe(200);
      expect((await process.get('/ready')).status).toBe(200);
      expect(process.output).not.toContain('a reconcile failed');
    }
    world.turnPage();
    journal.length = 0;
    for (const { cluster, server } of plant.operators) for (const proxy of [cluster, server]) proxy.requests.length = 0;
  }

  it(
    'bring the catalogue to what people wish, and delete nothing else',
    async () => {
      for (let done = 1; done <= ROUNDS; done += 1) {
        try {
          await round();
          if (done % ROUNDS_TO_AGREEMENT === 0 || done === ROUNDS) await allIsWell();
        } catch (error) {
          const said = plant.operators.map(({ process }, index) => `operator ${index}:\n${lastLines(process.output)}`);
          const message = `PROPLANE_TEST_SEED=${SEED}, round ${done}: ${String(error)}`;
          throw new Error([message, ...said].join('\n'), { cause: error });
        }
      }
    },
    120_000 + ROUNDS * 60_000,
  );
});

function lastLines(text: string): string {
  return text.split('\n').slice(-60).join('\n');
}
