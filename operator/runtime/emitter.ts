/** The smallest typed event emitter: one kind of event, any number of listeners. */
export class Emitter<E> {
  readonly #listeners = new Set<(event: E) => void>();

  /** @returns how to stop listening. */
  on(listener: (event: E) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(event: E): void {
    for (const listener of [...this.#listeners]) listener(event);
  }
}
