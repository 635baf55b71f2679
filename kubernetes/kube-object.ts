/** What every object of the Kubernetes API has, as its JSON gives it: times are text, unknown fields stay. */
export interface KubeObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: KubeMetadata;
  readonly [field: string]: unknown;
}

export interface KubeMetadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  /** Grows with each change of the spec, and once when the deletion begins. */
  readonly generation?: number;
  /** RFC 3339, whole seconds. */
  readonly creationTimestamp?: string;
  /** There from the moment in which somebody deleted the object; it stays until its last finalizer is removed. */
  readonly deletionTimestamp?: string;
  readonly finalizers?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/** Which objects a path of the API is about. */
export interface KubeResource {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** As in paths: `structuredproperties`. */
  readonly plural: string;
}

/** One object. */
export interface KubeRef {
  readonly resource: KubeResource;
  /** Absent: the object belongs to no namespace. */
  readonly namespace?: string;
  readonly name: string;
}

/** RFC 6902, as far as it is used: `test` makes a patch conditional. */
export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string };
