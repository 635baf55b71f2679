/** A job as the server shows it. */
export interface ShownJob {
  readonly id: string;
  readonly state: string;
  readonly total: number;
  readonly processed: number;
  readonly remaining: number;
  readonly perSecond?: number;
  readonly secondsLeft?: number;
  readonly error?: string;
  readonly result?: SystemUpdateResult;
}

/** What was kept in the search index, why, and what was removed. */
interface SystemUpdateResult {
  readonly entities: number;
  readonly kept: readonly { propertyUrn?: string; field?: string; entities: number; why: string }[];
  readonly removed: readonly { field: string; propertyUrn?: string }[];
}
