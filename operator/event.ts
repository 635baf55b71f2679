import type { ResourceId } from '../model/resource/identity.ts';

/** What happened, for people who watch. */
export interface OperatorEvent {
  readonly type: EventType;
  readonly message: string;
  /** Absent: it is about no one resource. */
  readonly id?: ResourceId;
}

export type EventType =
  | 'Started'
  | 'Applied'
  | 'DriftRepaired'
  | 'Deleted'
  | 'Waiting'
  | 'Stalled'
  | 'Ready'
  | 'Problem'
  | 'ServerLost'
  | 'ServerBack';
