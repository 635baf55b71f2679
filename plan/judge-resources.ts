import { compareText } from '../model/resource/identity.ts';
import { findCondition } from '../model/resource/status.ts';
import { OBSERVE_ONLY } from '../operator/reconcile/instructions.ts';
import { resourceName } from '../operator/reconcile/ownership.ts';
import type { SourceResource } from '../operator/source/port.ts';
import type { Note } from './plan-shape.ts';

export interface JudgedResources {
  readonly refused: Note[];
  readonly waiting: Note[];
  /** About resources that are paused or only observed. */
  readonly notes: Note[];
}

/** What the statuses say that the resources have at the end of a dry run. */
export function judgeResources(resources: readonly SourceResource[]): JudgedResources {
  const judged: JudgedResources = { refused: [], waiting: [], notes: [] };
  for (const resource of resources) {
    const { status } = resource;
    const ready = findCondition(status, 'Ready');
    const drifted = findCondition(status, 'Drifted');
    const paused = findCondition(status, 'Paused');
    if (paused?.status === 'True') judged.notes.push(note(resource, paused));
    else if (ready && isHopeless(resource)) judged.refused.push(note(resource, ready));
    else if (ready?.status === 'False') judged.waiting.push(note(resource, ready));
    else if (ready?.reason === OBSERVE_ONLY && drifted?.status === 'True') {
      judged.notes.push({ ...note(resource, drifted), reason: OBSERVE_ONLY });
    }
  }
  for (const notes of Object.values(judged))
    notes.sort((one: Note, other: Note) => compareText(keyOf(one), keyOf(other)));
  return judged;
}

/** Stalled, or something that the operator itself is not up to. */
function isHopeless({ status }: SourceResource): boolean {
  const isStalled = findCondition(status, 'Stalled')?.status === 'True';
  return isStalled || findCondition(status, 'Ready')?.reason === 'InternalError';
}

function note({ id, location }: SourceResource, said: { reason: string; message: string }): Note {
  // The place is told on its own.
  const message = location === undefined ? said.message : said.message.replace(`${location}: `, '');
  return { resource: resourceName(id), ...(location === undefined ? {} : { location }), reason: said.reason, message };
}

function keyOf({ location, resource }: Note): string {
  return `${location} ${resource}`;
}
