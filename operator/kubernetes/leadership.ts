import type { Fence } from '../../model/wire/fence.ts';

/** The time in which this process leads. */
export interface Term {
  readonly fence: Omit<Fence, 'source' | 'shard'>;
  /** Aborted when the term ends, for whatever reason. */
  readonly signal: AbortSignal;
  /**
   * To be asked in the same turn in which a write is sent: timers of a process that was frozen fire late, clocks do not.
   * @returns whether nobody else can have the lease yet.
   */
  isValid(): boolean;
}
