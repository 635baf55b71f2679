import { eventually } from '../api.ts';
import type { Sent } from './proxied-operator.ts';

/** A moment in the life of a request: before it is carried out, or after that and before its answer. */
export interface Moment {
  /** For messages. */
  readonly name: string;
  readonly when: 'before' | 'after';
  readonly fits: (request: Sent) => boolean;
}

/**
 * Keeps requests at their moments until something is killed, and lets none of them go on from there: what is not carried
 * out by then never is, and nobody hears of what is.
 */
export class KillAt {
  readonly #moments: readonly Moment[];
  readonly #reached = new Set<Moment>();
  readonly #killed = Promise.withResolvers<'drop'>();
  #isOver = false;

  constructor(moments: readonly Moment[]) {
    this.#moments = moments;
  }

  /** What befalls a request that is at `when`; undefined: nothing. */
  befalls(when: Moment['when'], request: Sent): Promise<'drop'> | undefined {
    if (this.#isOver) return undefined;
    const here = this.#moments.filter((moment) => moment.when === when && moment.fits(request));
    for (const moment of here) this.#reached.add(moment);
    return here.length === 0 ? undefined : this.#killed.promise;
  }

  /** The moments at which there is a request. */
  get reached(): ReadonlySet<Moment> {
    return this.#reached;
  }

  /** Whether it has killed. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Waits until there is a request at each moment, and kills. */
  async kill(kill: () => Promise<unknown>): Promise<void> {
    await eventually(async () => {
      const missing = this.#moments.filter((moment) => !this.#reached.has(moment));
      if (missing.length > 0)
        throw new Error(`no request came as far as ${missing.map(({ name }) => name).join(', ')}`);
    });
    await kill();
    this.#isOver = true;
    this.#killed.resolve('drop');
  }
}
