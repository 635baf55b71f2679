import type { KubeRef, KubeResource } from '../../../kubernetes/kube-object.ts';
import {
  API_GROUP,
  KUBERNETES_NAMES,
  type ResourceId,
  type ResourceKind,
  VERSION,
} from '../../../model/resource/identity.ts';

/** Our kinds as paths of the Kubernetes API name them. */
export const KUBE_RESOURCES: Readonly<Record<ResourceKind, KubeResource>> = {
  StructuredProperty: resourceOf('StructuredProperty'),
  DatasetProperties: resourceOf('DatasetProperties'),
  AccessToken: resourceOf('AccessToken'),
};

function resourceOf(kind: ResourceKind): KubeResource {
  return { group: API_GROUP, version: VERSION, plural: KUBERNETES_NAMES[kind].plural };
}

export function refOf({ kind, namespace, name }: ResourceId): KubeRef {
  return { resource: KUBE_RESOURCES[kind], namespace, name };
}
