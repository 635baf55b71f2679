import { API_GROUP, API_VERSION, type ResourceId, type ResourceKind } from '../../../model/resource/identity.ts';
import type { KubeRef, KubeResource } from '../../kubernetes/kube-object.ts';

const version = API_VERSION.slice(API_GROUP.length + 1);

/** Our kinds as paths of the Kubernetes API name them. */
export const KUBE_RESOURCES: Readonly<Record<ResourceKind, KubeResource>> = {
  StructuredProperty: { group: API_GROUP, version, plural: 'structuredproperties' },
  DatasetProperties: { group: API_GROUP, version, plural: 'datasetproperties' },
};

export function refOf({ kind, namespace, name }: ResourceId): KubeRef {
  return { resource: KUBE_RESOURCES[kind], namespace, name };
}
