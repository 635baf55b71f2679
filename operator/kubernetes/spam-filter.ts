/** Source: client-go, tools/record/events_cache.go. */
const BURST = 25;
const MS_A_TOKEN = 300_000;
const MOST_OBJECTS = 4096;

/** A bucket of tokens for each object: so many events at once, then one every five minutes. */
export class SpamFilter {
  /** Those that were used last are at the end. */
  readonly #buckets = new Map<string, { tokens: number; at: number }>();

  /** @param now by a monotonic clock, in ms. @returns whether the object may have one more event. */
  admits(uid: string, now: number): boolean {
    const { tokens, at } = this.#buckets.get(uid) ?? { tokens: BURST, at: now };
    const full = Math.min(BURST, tokens + (now - at) / MS_A_TOKEN);
    this.#buckets.delete(uid);
    this.#buckets.set(uid, { tokens: full >= 1 ? full - 1 : full, at: now });
    if (this.#buckets.size > MOST_OBJECTS) this.#buckets.delete(this.#buckets.keys().next().value as string);
    return full >= 1;
  }
}
