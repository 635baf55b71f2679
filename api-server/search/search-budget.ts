import { SearchError } from './errors.ts';
import { MAX_PATTERN_STEPS, MAX_SEARCH_TIME } from './port.ts';

/** Steps between two looks at the clock. */
const STEPS_UNWATCHED = 1_000_000;

/** What one request may cost. */
export class SearchBudget {
  readonly #until: number;
  #left = MAX_PATTERN_STEPS;
  #nextLook = MAX_PATTERN_STEPS;

  /** @param patience how long the answer is waited for, in ms. */
  constructor(patience = MAX_SEARCH_TIME) {
    this.#until = performance.now() + Math.min(patience, MAX_SEARCH_TIME);
  }

  /**
   * Counts the steps of patterns.
   * @throws {SearchError} `too-large` when there are no such steps left, and what `checkTime` throws.
   */
  readonly spend = (steps: number): void => {
    this.#left -= steps;
    if (this.#left > this.#nextLook) return;
    this.#nextLook = this.#left - STEPS_UNWATCHED;
    if (this.#left < 0) {
      throw new SearchError(
        'too-large',
        'The patterns of the query would look at too many characters: begin them with text, or ask for fewer',
      );
    }
    this.checkTime();
  };

  /** @throws {SearchError} `timeout` when nobody waits any longer. */
  checkTime(): void {
    if (performance.now() > this.#until) throw new SearchError('timeout', 'The search took too long');
  }
}
