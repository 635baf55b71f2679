import { appendFileSync } from 'node:fs';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { type Answer, Api, addProperty, entityPath, eventually } from './api.ts';
import { type Deployment, type NewDeployment, onEachDeployment } from './deployments.ts';
import { mainThreadMs, peakMemory, TELLS_FIGURES } from './process-figures.ts';
import { ProplaneProcess } from './proplane-process.ts';

/**
 * The longest that `/health` may have to wait for the main thread, in ms of its processor time: twice the 250 that hold on
 * a machine with nothing else to do, because work takes more of it where others use the same caches.
 */
const LONGEST_STRETCH = 500;
const MOST_MEMORY = 2 ** 30;
/** An answer that takes longer is none, in ms. */
const PATIENCE = 60_000;

const PROPERTY = 'urn:li:structuredProperty:com.example.bystander';
const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:hive,bystander,PROD)';

/** What another client saw while an attack ran. */
export interface Bystander {
  /** Each request, by what it was, that was not answered with 200: status or error. */
  readonly failures: readonly string[];
  readonly answered: { readonly health: number; readonly search: number; readonly patch: number };
  /** The most processor time of the main thread between a question for `/health` and its answer, in ms. */
  readonly longestStretch: number;
  /** The longest wait for `/health`, in ms: for people, since it goes by the machine. */
  readonly slowestHealth: number;
  /** In bytes. */
  readonly peakMemory: number;
}

/** An API server with a client beside, who goes on as usual while others attack. */
export class Siege {
  readonly proplane: ProplaneProcess;
  readonly api: Api;

  private constructor(proplane: ProplaneProcess) {
    this.proplane = proplane;
    this.api = new Api(proplane.url);
  }

  /** Starts the server and makes what the bystander works with. */
  static async lay(deployment: Deployment, environment: Readonly<Record<string, string>> = {}): Promise<Siege> {
    const siege = new Siege(await ProplaneProcess.start({ deployment, role: 'api-server', environment }));
    const { api } = siege;
    const definition = { qualifiedName: 'com.example.bystander', valueType: 'string', entityTypes: ['dataset'] };
    await taken(api.post(entityPath('v3', PROPERTY, 'propertyDefinition'), definition));
    await taken(api.post(entityPath('v3', DATASET, 'status'), { removed: false }));
    await taken(siege.#patch('calm'));
    await eventually(async () => expect((await siege.#search()).body.totalCount).toBe(1));
    return siege;
  }

  /** Runs the attack, with the bystander at work from before its first request until after its last answer. */
  async during(attack: (api: Api) => Promise<unknown>): Promise<Bystander> {
    const failures: string[] = [];
    const answered = { health: 0, search: 0, patch: 0 };
    let longestStretch = 0;
    let slowestHealth = 0;
    let isOver = false;
    const repeat = async (name: keyof typeof answered, ask: () => Promise<Answer>) => {
      do {
        const outcome = await within(ask()).then(
          ({ status, body }) => (status === 200 ? undefined : `${status} ${JSON.stringify(body)}`),
          (error: unknown) => String(error),
        );
        if (outcome === undefined) answered[name] += 1;
        else failures.push(`${name}: ${outcome}`);
        // not a load of its own
        await new Promise((resolve) => setTimeout(resolve, 5));
      } while (!isOver && failures.length < 10);
    };
    const health = async () => {
      const [begun, used] = [performance.now(), this.#mainThreadMs()];
      const answer = await this.api.get('/health');
      longestStretch = Math.max(longestStretch, this.#mainThreadMs() - used);
      slowestHealth = Math.max(slowestHealth, performance.now() - begun);
      return answer;
    };
    const bystander = Promise.all([
      repeat('health', health),
      repeat('search', () => this.#search()),
      repeat('patch', () => this.#patch(answered.patch % 2 === 0 ? 'under attack' : 'still')),
    ]);
    try {
      await attack(this.api);
    } catch (error) {
      throw new Error(`the attack met what it did not expect; the server ${this.#state}`, { cause: error });
    } finally {
      isOver = true;
      await bystander;
    }
    const memory = TELLS_FIGURES ? peakMemory(this.proplane.pid) : 0;
    return { failures, answered, longestStretch, slowestHealth, peakMemory: memory };
  }

  async lift(): Promise<void> {
    await this.proplane.kill();
  }

  get #state(): string {
    return this.proplane.isRunning ? 'runs' : `has ended: ${this.proplane.output.slice(-2_000)}`;
  }

  #mainThreadMs(): number {
    return TELLS_FIGURES ? mainThreadMs(this.proplane.pid) : 0;
  }

  #search(): Promise<Answer> {
    const query = encodeURIComponent('_exists_:structuredProperties.com_example_bystander');
    return this.api.get(`/openapi/v3/entity/dataset?query=${query}`);
  }

  #patch(value: string): Promise<Answer> {
    return this.api.patch(
      entityPath('v3', DATASET, 'structuredProperties'),
      addProperty(PROPERTY, [{ string: value }]),
    );
  }
}

/**
 * Runs the tests of `body` on each pair of backends, over one server that they attack.
 * @param body `siege` gives that server, from the first hook or test on.
 */
export function onEachSiege(
  body: (siege: () => Siege, kind: { readonly embedded: boolean; readonly newDeployment: NewDeployment }) => void,
): Promise<void> {
  return onEachDeployment((newDeployment, kind) => {
    let deployment: Deployment;
    let siege: Siege;

    beforeAll(async () => {
      deployment = await newDeployment();
      siege = await Siege.lay(deployment);
    });

    afterAll(async () => {
      await siege?.lift();
      await deployment?.remove();
    });

    body(() => siege, { ...kind, newDeployment });
  });
}

/**
 * Everybody else noticed nothing. Processor time and memory are told on Linux only. What was seen is added as a line of
 * JSON to the file that `PROPLANE_TEST_FIGURES` names, if it does.
 */
export function expectUndisturbed(seen: Bystander): void {
  const { PROPLANE_TEST_FIGURES: figures } = process.env;
  if (figures !== undefined)
    appendFileSync(figures, `${JSON.stringify({ test: expect.getState().currentTestName, ...seen })}\n`);
  const { failures, longestStretch, peakMemory } = seen;
  const isPatient = longestStretch <= LONGEST_STRETCH;
  expect({ failures, isPatient, isSmall: peakMemory <= MOST_MEMORY, ...(isPatient ? {} : { seen }) }).toEqual({
    failures: [],
    isPatient: true,
    isSmall: true,
  });
}

async function taken(answer: Promise<Answer>): Promise<void> {
  const { status, body } = await answer;
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
}

function within<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${PATIENCE / 1000} s`)), PATIENCE);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
