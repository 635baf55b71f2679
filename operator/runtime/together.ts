interface Asked<Q, A> {
  readonly question: Q;
  readonly answer: PromiseWithResolvers<A>;
}

export interface TogetherOptions<Q, A> {
  /** Equal texts are one question. */
  keyOf(question: Q): string;
  /** The answers are by key. */
  many(questions: readonly Q[]): Promise<ReadonlyMap<string, A>>;
  /** What a question that `many` does not answer gets. */
  readonly absent: A;
}

/** Asks at once what is asked in one turn of the event loop: no answer is of a time before its question. */
export class Together<Q, A> {
  readonly #options: TogetherOptions<Q, A>;
  #asked = new Map<string, Asked<Q, A>>();

  constructor(options: TogetherOptions<Q, A>) {
    this.#options = options;
  }

  /** Rejects with what keeps any of those that are asked together from being answered. */
  ask(question: Q): Promise<A> {
    const key = this.#options.keyOf(question);
    const asked = this.#asked.get(key) ?? { question, answer: Promise.withResolvers<A>() };
    if (this.#asked.size === 0) setImmediate(() => void this.#send());
    this.#asked.set(key, asked);
    return asked.answer.promise;
  }

  async #send(): Promise<void> {
    const asked = this.#asked;
    this.#asked = new Map();
    const { many, absent } = this.#options;
    try {
      const answers = await many(Array.from(asked.values(), ({ question }) => question));
      for (const [key, { answer }] of asked) answer.resolve(answers.get(key) ?? absent);
    } catch (error) {
      for (const { answer } of asked.values()) answer.reject(error);
    }
  }
}
