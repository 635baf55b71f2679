/**
 * What a zod schema says to an API server of Kubernetes, beside what JSON Schema can say: arguments for `.meta`. The CRDs
 * in crds/ are made of them. A rule here mirrors a rule of the model; test/end-to-end/kubernetes/admission.test.ts
 * compares the two.
 */

/** An entry of x-kubernetes-validations, in CEL. One that names `oldSelf` is asked when the field is changed. */
export interface AdmissionRule {
  readonly rule: string;
  /** What is wrong and what to do. */
  readonly message: string;
  /** CEL that makes a better message; the plain one is for readers of the CRD, and when it fails. */
  readonly messageExpression?: string;
  readonly reason?: 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate';
  /** The field that is to blame, such as `.version`; absent: the one that has the rule. */
  readonly fieldPath?: string;
}

export function admission(...rules: readonly AdmissionRule[]) {
  return { 'x-kubernetes-validations': rules };
}

/** A list whose items are told apart by a field, so that several can own parts of it (server-side apply). */
export function mapListBy(field: string) {
  return { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': [field] };
}

/** A list of different texts, of which several can own parts. */
export const SET_LIST = { 'x-kubernetes-list-type': 'set' };

/** A text as a literal of CEL. */
export function celText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** Texts as a literal of CEL. */
export function celTexts(texts: readonly string[]): string {
  return `[${texts.map(celText).join(', ')}]`;
}
