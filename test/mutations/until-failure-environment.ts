import type { Circus } from '@jest/types';
import { TestEnvironment } from 'jest-environment-node';

/** Leaves out what comes behind the first failure in a file: one is enough, and with a fault the others may wait in vain. */
// biome-ignore lint/style/noDefaultExport: jest takes no other
export default class UntilFailureEnvironment extends TestEnvironment {
  #hasFailed = false;

  handleTestEvent(event: Circus.Event): void {
    if (event.name === 'test_fn_failure' || event.name === 'hook_failure') this.#hasFailed = true;
    if (event.name === 'test_start' && this.#hasFailed) event.test.mode = 'skip';
  }
}
