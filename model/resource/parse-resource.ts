import { isObject, violationsOf } from '../shape.ts';
import { type Violation, violation } from '../violation.ts';
import { API_GROUP, DEFAULT_NAMESPACE, isResourceKind, type ResourceId } from './identity.ts';
import { MANIFEST_SCHEMAS, type Resource } from './resource.ts';

export type ParsedResource =
  | { readonly valid: true; readonly id: ResourceId; readonly resource: Resource }
  /** `id` is known when kind and name can be read, however wrong the rest is. */
  | { readonly valid: false; readonly id?: ResourceId; readonly violations: readonly Violation[] };

/** Whether a document is meant for Proplane: by its API group or, should that be mistyped, by its kind. */
export function isMeantForUs(document: unknown): boolean {
  if (!isObject(document)) return false;
  return String(document.apiVersion).startsWith(`${API_GROUP}/`) || isResourceKind(document.kind);
}

/** Checks a manifest, as YAML or JSON gave it, and reports every violated rule. */
export function parseResource(document: unknown): ParsedResource {
  const kind = isObject(document) ? document.kind : undefined;
  if (!isResourceKind(kind)) {
    const known = Object.keys(MANIFEST_SCHEMAS).join(', ');
    return refused(undefined, [violation('wrong-shape', 'kind', `must be one of ${known}`)]);
  }
  const id = identityOf(document);
  const result = MANIFEST_SCHEMAS[kind].safeParse(document);
  if (!result.success) return refused(id, violationsOf(result.error).map(requiredInstead));
  const { metadata, spec } = result.data;
  const checkedId = { kind, namespace: metadata.namespace ?? DEFAULT_NAMESPACE, name: metadata.name };
  const resource = { id: checkedId, annotations: metadata.annotations ?? {}, spec } as Resource;
  return { valid: true, id: checkedId, resource };
}

function refused(id: ResourceId | undefined, violations: readonly Violation[]): ParsedResource {
  return id === undefined ? { valid: false, violations } : { valid: false, id, violations };
}

function identityOf(document: unknown): ResourceId | undefined {
  if (!isObject(document) || !isResourceKind(document.kind) || !isObject(document.metadata)) return undefined;
  const { name, namespace = DEFAULT_NAMESPACE } = document.metadata;
  if (typeof name !== 'string' || name === '' || typeof namespace !== 'string' || namespace === '') return undefined;
  return { kind: document.kind, namespace, name };
}

function requiredInstead(found: Violation): Violation {
  return found.message.endsWith('received undefined') ? { ...found, message: 'is required' } : found;
}
