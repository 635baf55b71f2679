import type { ResourceId } from '../model/resource/identity.ts';

/** What happened, for people who watch. */
export interface OperatorEvent {
  readonly type: EventType;
  /** Why, in one CamelCase word, where the type does not say it all. */
  readonly reason?: string;
  readonly message: string;
  /** Absent: it is about no one resource. */
  readonly id?: ResourceId;
}

export type EventType =
  | 'Started'
  | 'Applied'
  | 'Adopted'
  | 'DriftRepaired'
  | 'Deleted'
  | 'Waiting'
  | 'Stalled'
  | 'Ready'
  | 'Problem'
  | 'ServerLost'
  | 'ServerBack';
