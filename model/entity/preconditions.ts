import { type Violation, violation } from '../violation.ts';
import type { EntityDraft } from './draft.ts';

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

/** An aspect by its canonical name, and what has to hold of it. */
export type AspectPrecondition = readonly [aspect: string, precondition: Precondition | undefined];

/** @returns every precondition that does not hold of what an entity is now (`undefined`: it does not exist). */
export function unmetPreconditions(
  preconditions: readonly AspectPrecondition[],
  keyAspect: string,
  current: EntityDraft | undefined,
): Violation[] {
  return preconditions.flatMap(([aspect, { version, modifiedSince, unmodifiedSince } = {}]) => {
    const stored = current?.aspects[aspect];
    const present = aspect === keyAspect ? (current === undefined ? -1 : 1) : (stored?.version ?? -1);
    const modified = stored?.modified.time;
    const unmet: Violation[] = [];
    if (version !== undefined && version !== present) {
      unmet.push(
        violation('unmet-precondition', aspect, `If-Version-Match: expected version ${version}, actual ${present}`),
      );
    }
    if (modifiedSince !== undefined && !(modified !== undefined && modified > modifiedSince)) {
      unmet.push(
        violation('unmet-precondition', aspect, `If-Modified-Since: not modified since ${instant(modifiedSince)}`),
      );
    }
    if (unmodifiedSince !== undefined && modified !== undefined && modified > unmodifiedSince) {
      unmet.push(violation('unmet-precondition', aspect, `If-Unmodified-Since: modified at ${instant(modified)}`));
    }
    return unmet;
  });
}

/** Whether an aspect is left out of a write because it is there already. */
export function isLeftOut([aspect, precondition]: AspectPrecondition, current: EntityDraft | undefined): boolean {
  return precondition?.onlyIfAbsent === true && current?.aspects[aspect] !== undefined;
}

function instant(time: number): string {
  return new Date(time).toISOString();
}
