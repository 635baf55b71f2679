/**
 * Numbers by which the outbox is ordered. Those of one process grow with each write. Between replicas only their clocks
 * decide, and a clock that is wrong makes a document wait longer or less long: nothing more, because an index entry
 * carries (incarnation, revision) and order between entities means nothing to it. So no counter has to be shared.
 */
export class DirtyClock {
  #last = 0;

  /** Microseconds since 1970-01-01T00:00:00Z, or one more than the last number. */
  next(): number {
    this.#last = Math.max(this.#last + 1, Date.now() * 1000);
    return this.#last;
  }
}
