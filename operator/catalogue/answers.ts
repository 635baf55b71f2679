import type { Assignment } from '../../model/assignment.ts';
import type { Definition } from '../../model/definition.ts';
import {
  type Cascade,
  isOnAssignment,
  type ObservedHolder,
  type ObservedProperty,
  type OwnedProperty,
  type OwnerMark,
} from './catalogue.ts';

/** Answers of the API server, as far as the operator reads them, and what they tell. */

type Aspect<T> = { readonly value: T } | undefined;

/** With `owners=true`. */
export interface OwnedAnswer {
  readonly urn: string;
  readonly owners: readonly OwnerMark[];
}

export interface PropertyAnswer {
  readonly urn: string;
  readonly propertyDefinition?: Aspect<Definition>;
  readonly status?: Aspect<{ readonly removed?: boolean }>;
}

export interface AssignmentsAnswer {
  readonly structuredProperties?: Aspect<{ readonly properties?: readonly Assignment[] }>;
}

export interface JobsAnswer {
  readonly jobs: readonly {
    readonly state: string;
    readonly total: number;
    readonly processed: number;
    readonly remaining: number;
  }[];
}

function propertyIn({ propertyDefinition, status }: PropertyAnswer): ObservedProperty {
  const definition = propertyDefinition?.value;
  return { removed: status?.value.removed === true, ...(definition === undefined ? {} : { definition }) };
}

export function ownedPropertyIn(answer: PropertyAnswer & OwnedAnswer): OwnedProperty {
  const mark = answer.owners.find((one) => !isOnAssignment(one));
  return { ...propertyIn(answer), ...(mark === undefined ? {} : { mark }) };
}

export function holderIn(answer: AssignmentsAnswer & OwnedAnswer): ObservedHolder {
  return { assignments: assignmentsIn(answer), marks: answer.owners.filter(isOnAssignment) };
}

export function assignmentsIn(answer: AssignmentsAnswer): readonly Assignment[] {
  return answer.structuredProperties?.value.properties ?? [];
}

/** The one that is at work or waits to be. */
export function cascadeIn({ jobs }: JobsAnswer): Cascade | undefined {
  const job = jobs.find(({ state, remaining }) => state === 'waiting' || (state === 'running' && remaining > 0));
  if (job === undefined) return undefined;
  const isCounted = job.state !== 'waiting' || job.total > 0;
  return { removed: job.processed, ...(isCounted ? { remaining: job.remaining } : {}) };
}
