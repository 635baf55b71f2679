import { type Violation, violation } from '../../model/violation.ts';
import type { EntityDraft } from './entity-draft.ts';

/** What has to hold of an aspect for a write of it to happen. */
export interface Precondition {
  /** The version that the aspect has; -1: it is not there. A key aspect has version 1 while its entity exists. */
  readonly version?: number;
  /** The aspect was written after this moment (ms). */
  readonly modifiedSince?: number;
  /** The aspect was not written after this moment (ms), or is not there. */
  readonly unmodifiedSince?: number;
  /** No demand on the whole write: the aspect is left out of it when it is there already. */
  readonly onlyIfAbsent?: boolean;
}

/** By canonical aspect name. */
export type Preconditions = Readonly<Record<string, Precondition>>;

/** @returns every precondition that does not hold of what an entity is now (`undefined`: it does not exist). */
export function unmetPreconditions(
  preconditions: Preconditions,
  keyAspect: string,
  current: EntityDraft | undefined,
): Violation[] {
  return Object.entries(preconditions).flatMap(([aspect, { version, modifiedSince, unmodifiedSince }]) => {
    const stored = current?.aspects[aspect];
    const present = aspect === keyAspect ? (current === undefined ? -1 : 1) : (stored?.version ?? -1);
    const modified = stored?.modified.time;
    const unmet: Violation[] = [];
    if (version !== undefined && version !== present) {
      unmet.push(violation(aspect, `If-Version-Match: expected version ${version}, actual ${present}`));
    }
    if (modifiedSince !== undefined && !(modified !== undefined && modified > modifiedSince)) {
      unmet.push(violation(aspect, `If-Modified-Since: not modified since ${instant(modifiedSince)}`));
    }
    if (unmodifiedSince !== undefined && modified !== undefined && modified > unmodifiedSince) {
      unmet.push(violation(aspect, `If-Unmodified-Since: modified at ${instant(modified)}`));
    }
    return unmet;
  });
}

/** Whether a write leaves an aspect out because it is there already. */
export function isLeftOut(preconditions: Preconditions, aspect: string, current: EntityDraft | undefined): boolean {
  return preconditions[aspect]?.onlyIfAbsent === true && current?.aspects[aspect] !== undefined;
}

function instant(time: number): string {
  return new Date(time).toISOString();
}
