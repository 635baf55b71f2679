/** The pause of a loop that looks for work now and then, and at once when it is woken. */
export class WakeablePause {
  #woken = false;
  #end: (() => void) | undefined;

  /** The loop looks now: what wakes it from here on is something that the look may have missed. */
  look(): void {
    this.#woken = false;
  }

  /** Ends the pause, or the next one if there is none at the moment. */
  wake(): void {
    this.#woken = true;
    this.#end?.();
  }

  /** Resolves after so many milliseconds, or when somebody wakes it; at once when that was since the last look. */
  take(milliseconds: number): Promise<void> {
    if (this.#woken) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#end = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
