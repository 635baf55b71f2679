import { canonicalJson } from '../canonical-json.ts';
import { API_GROUP } from './identity.ts';

/** Annotations that the operator obeys, on every kind. */
export const ANNOTATIONS = {
  /** `"true"`: leave the resource, and what it manages, as it is. */
  paused: `${API_GROUP}/paused`,
  /** Any new value: reconcile now. */
  reconcileAt: `${API_GROUP}/reconcile-at`,
  /** `"true"`: compare and report, write nothing. */
  observeOnly: `${API_GROUP}/observe-only`,
  /** `"true"`: take over what exists, whoever owns it; `"false"`: not even what nobody owns. */
  adopt: `${API_GROUP}/adopt`,
} as const;

export interface Instructions {
  readonly paused: boolean;
  readonly observeOnly: boolean;
  /** Absent: what nobody owns, if the operator is allowed to. */
  readonly adopt?: boolean;
  /** Any new text asks for a reconcile. */
  readonly reconcileAt?: string;
}

/** What the annotations of a resource ask of the operator. */
export function instructionsOf(annotations: Readonly<Record<string, unknown>> | undefined): Instructions {
  const says = (name: string, what: boolean): boolean => String(annotations?.[name]) === String(what);
  const { adopt, reconcileAt } = ANNOTATIONS;
  return {
    paused: says(ANNOTATIONS.paused, true),
    observeOnly: says(ANNOTATIONS.observeOnly, true),
    ...(says(adopt, true) || says(adopt, false) ? { adopt: says(adopt, true) } : {}),
    ...(annotations?.[reconcileAt] === undefined ? {} : { reconcileAt: String(annotations[reconcileAt]) }),
  };
}

/** Canonical text of the annotations of Proplane's group alone; others change without any meaning for us. */
export function ownAnnotationsText(annotations: unknown): string {
  if (typeof annotations !== 'object' || annotations === null) return '{}';
  return canonicalJson(
    Object.fromEntries(Object.entries(annotations).filter(([name]) => name.startsWith(`${API_GROUP}/`))),
  );
}
