import type { Logger } from 'pino';
import type { DecisionSettings } from '../../model/entity/change.ts';
import type { Clock } from '../../process/clock.ts';
import type { KeyedLock } from '../../process/keyed-lock.ts';
import type { AuthParts } from '../auth/parts.ts';
import type { BackendState } from '../backend-guard.ts';
import type { NewJob } from '../jobs/job.ts';
import type { SearchIndex } from '../search/port.ts';
import type { StoreHealth } from '../store/health.ts';
import type { Fence, Store } from '../store/port.ts';
import type { Registry } from './registry/registry.ts';

/** What the use cases work with. They are functions over these parts; none keeps state of its own. */
export interface CatalogParts extends Clock {
  readonly store: Store;
  readonly search: SearchIndex;
  readonly registry: Registry;
  /** Writers of one entity, by its URN, take turns in the order in which they came. */
  readonly turns: KeyedLock;
  readonly settings: CatalogSettings;
  readonly log: Logger;
  /** Called after each write, so that the index follows at once and not at its next look. */
  readonly written: () => void;
  /** Writes a job down, once, and lets it begin. */
  readonly ensureJob: (job: NewJob) => Promise<void>;
  /** Called when a job was begun or cancelled in another way. */
  readonly jobsChanged: () => void;
  /** How the backends are that may be slow or away. */
  readonly backendStates: () => readonly BackendState[];
  readonly storeHealth: StoreHealth;
  /** Who asks. */
  readonly auth: AuthParts;
}

export interface CatalogSettings extends DecisionSettings {
  /** The longest time from the start of a request to its last write, in ms. */
  readonly requestTimeout: number;
}

/** Who is meant when nobody is named, as with the reference catalogue. */
export const SYSTEM_ACTOR = 'urn:li:corpuser:__datahub_system';

/** Who asks, and until when the answer has to be written. */
export interface RequestContext {
  /** URN of the caller. */
  readonly actor: string;
  /** After this moment of the monotonic clock (ms) the request writes nothing more. */
  readonly deadline: number;
  /** Of the leading operator that asks: nothing is written once another leads. */
  readonly fence?: Fence;
}

/** An entity, with all its aspects, is at most this large as JSON (MongoDB's own limit is 16 MiB). */
export const MAX_ENTITY_BYTES = 12 * 1024 * 1024;
