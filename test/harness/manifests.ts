import { API_VERSION } from '../../model/resource/identity.ts';

/** Manifests for tests: a number property of one of three values, and a dataset that has it. */

export const CLICKS = 'urn:li:dataset:(urn:li:dataPlatform:hive,logs.clicks,PROD)';
export const VIEWS = 'urn:li:dataset:(urn:li:dataPlatform:hive,logs.views,PROD)';

export const RETENTION_NAME = 'com.example.retention';
export const RETENTION = `urn:li:structuredProperty:${RETENTION_NAME}`;

interface Meta {
  readonly name?: string;
  readonly namespace?: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

export function property(spec: object = {}, { name = 'retention', namespace = 'governance', ...meta }: Meta = {}) {
  return {
    apiVersion: API_VERSION,
    kind: 'StructuredProperty',
    metadata: { name, namespace, ...meta },
    spec: {
      qualifiedName: RETENTION_NAME,
      valueType: 'number',
      entityTypes: ['dataset', 'schemaField'],
      allowedValues: [{ value: 30 }, { value: 90 }, { value: 365 }],
      ...spec,
    },
  };
}

export function textProperty(name: string, spec: object = {}, meta: Meta = {}) {
  return property(
    { qualifiedName: `com.example.${name}`, valueType: 'string', allowedValues: undefined, ...spec },
    { name, ...meta },
  );
}

export function dataset(spec: object = {}, { name = 'clicks', namespace = 'governance', ...meta }: Meta = {}) {
  const target = 'datasetUrns' in spec || 'datasetSelector' in spec ? {} : { datasetUrn: CLICKS };
  return {
    apiVersion: API_VERSION,
    kind: 'DatasetProperties',
    metadata: { name, namespace, ...meta },
    spec: { ...target, properties: [{ propertyRef: { name: 'retention' }, values: [90] }], ...spec },
  };
}

/** Metadata with an annotation of ours. */
export function annotated(name: string, value = 'true') {
  return { annotations: { [`catalog.proplane.dev/${name}`]: value } };
}

export function assign(name: string, ...values: unknown[]) {
  return { propertyRef: { name }, values };
}
