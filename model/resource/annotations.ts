import { canonicalJson } from '../canonical-json.ts';
import { API_GROUP } from './identity.ts';

/** Annotations that the operator obeys, on both kinds. */
export const ANNOTATIONS = {
  /** `"true"`: leave the resource, and what it manages, as it is. */
  paused: `${API_GROUP}/paused`,
  /** Any new value: reconcile now. */
  reconcileAt: `${API_GROUP}/reconcile-at`,
  /** `"true"`: compare and report, write nothing. */
  observeOnly: `${API_GROUP}/observe-only`,
  /** `"true"`: take over what another source owns. */
  adopt: `${API_GROUP}/adopt`,
} as const;

export interface Instructions {
  readonly paused: boolean;
  readonly observeOnly: boolean;
  readonly adopt: boolean;
}

/** What the annotations of a resource ask of the operator. */
export function instructionsOf(annotations: Readonly<Record<string, unknown>> | undefined): Instructions {
  const isTrue = (name: string): boolean => annotations?.[name] === 'true' || annotations?.[name] === true;
  return {
    paused: isTrue(ANNOTATIONS.paused),
    observeOnly: isTrue(ANNOTATIONS.observeOnly),
    adopt: isTrue(ANNOTATIONS.adopt),
  };
}

/** Canonical text of the annotations of Proplane's group alone; others change without any meaning for us. */
export function ownAnnotationsText(annotations: unknown): string {
  if (typeof annotations !== 'object' || annotations === null) return '{}';
  return canonicalJson(
    Object.fromEntries(Object.entries(annotations).filter(([name]) => name.startsWith(`${API_GROUP}/`))),
  );
}
