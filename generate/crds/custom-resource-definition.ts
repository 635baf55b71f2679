import { API_GROUP, KUBERNETES_NAMES, type ResourceKind, VERSION } from '../../model/resource/identity.ts';
import { MANIFEST_SCHEMAS } from '../../model/resource/resource.ts';
import { accessTokenStatus, datasetPropertiesStatus, structuredPropertyStatus } from '../../model/resource/status.ts';
import { PRINTER_COLUMNS } from './printer-columns.ts';
import { type StructuralSchema, structuralSchema } from './structural-schema.ts';

export interface CustomResourceDefinition {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: Readonly<Record<string, string | readonly string[]>>;
    readonly versions: readonly CrdVersion[];
  };
}

export interface CrdVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly schema: { readonly openAPIV3Schema: StructuralSchema };
  readonly subresources?: object;
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
  readonly additionalPrinterColumns?: readonly object[];
}

const STATUSES = {
  StructuredProperty: structuredPropertyStatus,
  DatasetProperties: datasetPropertiesStatus,
  AccessToken: accessTokenStatus,
};

/** For `kubectl get --field-selector`: what somebody looks for who knows the catalogue, not the names of manifests. */
const SELECTABLE: Readonly<Record<ResourceKind, readonly string[]>> = {
  StructuredProperty: ['.spec.qualifiedName', '.spec.valueType', '.spec.removed', '.spec.deletionPolicy'],
  DatasetProperties: ['.spec.datasetUrn', '.spec.ownership', '.spec.deletionPolicy'],
  AccessToken: ['.spec.actor', '.spec.secretName'],
};

/** The CustomResourceDefinition of a kind; its shape is that of the model. */
export function customResourceDefinition(kind: ResourceKind): CustomResourceDefinition {
  const { plural, singular, shortName } = KUBERNETES_NAMES[kind];
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${API_GROUP}` },
    spec: {
      group: API_GROUP,
      scope: 'Namespaced',
      names: { kind, listKind: `${kind}List`, plural, singular, shortNames: [shortName], categories: ['proplane'] },
      versions: [
        {
          name: VERSION,
          served: true,
          storage: true,
          subresources: { status: {} },
          selectableFields: SELECTABLE[kind].map((jsonPath) => ({ jsonPath })),
          additionalPrinterColumns: PRINTER_COLUMNS[kind],
          schema: { openAPIV3Schema: schemaOf(kind) },
        },
      ],
    },
  };
}

function schemaOf(kind: ResourceKind): StructuralSchema {
  const { shape, description } = MANIFEST_SCHEMAS[kind];
  const of = (text = '') => ({ description: `${text}.`, type: 'string' });
  return {
    description: `${description}.`,
    type: 'object',
    required: ['spec'],
    properties: {
      apiVersion: of(shape.apiVersion.description),
      kind: of(shape.kind.description),
      // The cluster has its own rules for it.
      metadata: { type: 'object' },
      spec: structuralSchema(shape.spec),
      status: structuralSchema(STATUSES[kind]),
    },
  };
}
