import {
  API_GROUP,
  KUBERNETES_NAMES,
  POLICED_KINDS,
  RESOURCE_KINDS,
  type ResourceKind,
} from '../../model/resource/identity.ts';

export function crdFileName(kind: ResourceKind): string {
  return `${API_GROUP}_${KUBERNETES_NAMES[kind].plural}.yaml`;
}

export function policyFileName(kind: ResourceKind): string {
  return `${API_GROUP}_${KUBERNETES_NAMES[kind].plural}-policy.yaml`;
}

/** What is in crds/. */
export const CRD_FILES: readonly string[] = [...RESOURCE_KINDS.map(crdFileName), ...POLICED_KINDS.map(policyFileName)];

/** Of these a copy is kept to compare with. */
export const SNAPSHOTS: readonly string[] = RESOURCE_KINDS.map(crdFileName);
