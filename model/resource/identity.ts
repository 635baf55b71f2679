/** What a resource is called, wherever it comes from: kind, namespace and name, never the path of a file. */

export const API_GROUP = 'catalog.proplane.dev';
export const VERSION = 'v1alpha1';
export const API_VERSION = `${API_GROUP}/${VERSION}`;

export const RESOURCE_KINDS = ['StructuredProperty', 'DatasetProperties', 'AccessToken'] as const;
export type ResourceKind = (typeof RESOURCE_KINDS)[number];

/** Those with values of which a schema cannot say enough: an admission policy has the rest. */
export const POLICED_KINDS = ['StructuredProperty', 'DatasetProperties'] as const satisfies readonly ResourceKind[];

/** What paths of the Kubernetes API and kubectl call each kind. */
export const KUBERNETES_NAMES: Readonly<
  Record<ResourceKind, { readonly plural: string; readonly singular: string; readonly shortName: string }>
> = {
  StructuredProperty: { plural: 'structuredproperties', singular: 'structuredproperty', shortName: 'sprop' },
  // The kind is a plural already.
  DatasetProperties: { plural: 'datasetproperties', singular: 'datasetproperties', shortName: 'dprop' },
  AccessToken: { plural: 'accesstokens', singular: 'accesstoken', shortName: 'ptoken' },
};

/** As on Kubernetes: a manifest that names no namespace is in this one. */
export const DEFAULT_NAMESPACE = 'default';

export interface ResourceId {
  readonly kind: ResourceKind;
  readonly namespace: string;
  readonly name: string;
}

/** `kind/namespace/name`: equal texts are equal resources. */
export type ResourceKey = string;

export function resourceKey({ kind, namespace, name }: ResourceId): ResourceKey {
  return `${kind}/${namespace}/${name}`;
}

export function isResourceKind(text: unknown): text is ResourceKind {
  return RESOURCE_KINDS.some((kind) => kind === text);
}

/** A resource with the time of its creation, by which two that claim the same thing are ordered. */
export interface Aged {
  readonly id: ResourceId;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly created: number;
}

/** Negative when `one` is the older: by creation, ties by namespace, then name. */
export function compareAge(one: Aged, other: Aged): number {
  return (
    one.created - other.created ||
    compareText(one.id.namespace, other.id.namespace) ||
    compareText(one.id.name, other.id.name)
  );
}

/** By UTF-16 code units, so that it is the same everywhere. */
export function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
