import type { Circus } from '@jest/types';
import { TestEnvironment } from 'jest-environment-node';
import { noteFile, processorTime } from './file-costs.ts';

type Given = ConstructorParameters<typeof TestEnvironment>;

/** The environment of each test file, which notes what the file took. */
// biome-ignore lint/style/noDefaultExport: jest takes no other
export default class MeasuredEnvironment extends TestEnvironment {
  readonly #file: string;
  #begun = 0;
  #loaded = 0;
  #processor = 0;

  constructor(config: Given[0], context: Given[1]) {
    super(config, context);
    this.#file = context.testPath;
  }

  override async setup(): Promise<void> {
    this.#begun = performance.now();
    this.#processor = processorTime();
    await super.setup();
  }

  handleTestEvent(event: Circus.Event): void {
    if (event.name === 'run_start') this.#loaded = performance.now();
  }

  override async teardown(): Promise<void> {
    await super.teardown();
    noteFile({
      file: this.#file,
      loading: Math.max(0, this.#loaded - this.#begun) / 1000,
      processor: processorTime() - this.#processor,
    });
  }
}
