/** Why a resource is as it is: a CamelCase word for programs and a sentence for people. */
export interface Why {
  readonly reason: string;
  readonly message: string;
}

/** When to look again: after milliseconds, after a delay that grows, or when something it depends on changes. */
export type After = number | 'backoff' | 'event';

/** How a reconcile ends. */
export type Ended =
  /** `ready`: all is as wished. `paused`: left as it is. `gone`: the resource is finalized. `kept`: nothing is known. */
  | {
      readonly kind: 'done';
      readonly as: 'ready' | 'paused' | 'gone' | 'kept';
      readonly why: Why;
      /** Something is to be done then, in ms from now, although all is as wished. */
      readonly again?: number;
    }
  | { readonly kind: 'requeue'; readonly after: After; readonly why: Why }
  /** Only a change of the resource, or of what it depends on, helps. */
  | { readonly kind: 'terminal'; readonly why: Why };

/** What a step says. Every step but the last that is needed says `continue`. */
export type Outcome = { readonly kind: 'continue' } | Ended;

export const proceed: Outcome = { kind: 'continue' };

export function done(as: 'ready' | 'paused' | 'gone' | 'kept', reason: string, message: string): Ended {
  return { kind: 'done', as, why: { reason, message } };
}

/** All is as wished, until something is to be done in so many ms. */
export function readyUntil(again: number, reason: string, message: string): Ended {
  return { kind: 'done', as: 'ready', why: { reason, message }, again };
}

export function requeue(after: After, reason: string, message: string): Ended {
  return { kind: 'requeue', after, why: { reason, message } };
}

export function terminal(reason: string, message: string): Ended {
  return { kind: 'terminal', why: { reason, message } };
}
