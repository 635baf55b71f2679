import type { ResourceKind } from '../../model/resource/identity.ts';

/** A column of `kubectl get`. Priority 1: only with `-o wide`. */
interface PrinterColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'boolean' | 'date';
  readonly description: string;
  readonly jsonPath: string;
  readonly priority?: 1;
}

function text(name: string, jsonPath: string, description: string): PrinterColumn {
  return { name, type: 'string', description, jsonPath };
}

function count(name: string, jsonPath: string, description: string): PrinterColumn {
  return { name, type: 'integer', description, jsonPath };
}

function date(name: string, jsonPath: string, description: string): PrinterColumn {
  return { name, type: 'date', description, jsonPath };
}

function wide(column: PrinterColumn): PrinterColumn {
  return { ...column, priority: 1 };
}

function ofReady(field: string): string {
  return `.status.conditions[?(@.type=="Ready")].${field}`;
}

const STATE: readonly PrinterColumn[] = [
  text('Ready', ofReady('status'), 'Whether all is as wished'),
  text('Reason', ofReady('reason'), 'Why, in one word'),
  date('Age', '.metadata.creationTimestamp', 'Since the resource was created'),
  wide(text('Message', ofReady('message'), 'Why, in a sentence')),
];

export const PRINTER_COLUMNS: Readonly<Record<ResourceKind, readonly PrinterColumn[]>> = {
  StructuredProperty: [
    text('Property', '.spec.qualifiedName', 'Qualified name'),
    text('Type', '.spec.valueType', 'Value type'),
    text('Cardinality', '.spec.cardinality', 'How many values an entity may have'),
    count('Holders', '.status.holders', 'Entities that hold a value'),
    wide(text('Version', '.spec.version', 'Version of the definition')),
    wide({ name: 'Removed', type: 'boolean', description: 'Soft deleted', jsonPath: '.spec.removed' }),
    wide(text('Deletion', '.spec.deletionPolicy', 'What becomes of the property when the resource is deleted')),
    ...STATE,
  ],
  DatasetProperties: [
    text('Dataset', '.spec.datasetUrn', 'The one dataset; empty with a list or a selector'),
    count('Targets', '.status.targets', 'Datasets that are meant'),
    count('Applied', '.status.applied', 'Those that hold all that is listed'),
    wide(count('Conflicts', '.status.conflicts', 'Values that another resource claims')),
    wide(text('Ownership', '.spec.ownership', 'Whether other values are left alone')),
    wide(text('Deletion', '.spec.deletionPolicy', 'What becomes of the values when the resource is deleted')),
    ...STATE,
  ],
  AccessToken: [
    text('Actor', '.spec.actor', 'Whom the token acts as'),
    text('Secret', '.spec.secretName', 'Secret that holds the token'),
    text('Expires', '.status.expiresAt', 'When the token ends'),
    wide(text('Duration', '.spec.duration', 'How long a token lives')),
    wide(text('Token', '.status.tokenId', 'Id of the token')),
    ...STATE,
  ],
};
