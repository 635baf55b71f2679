import * as z from 'zod';

/** The shape of a plan: what `proplane plan --format json` prints. Fields are added, never renamed or removed. */

const holderCount = z.strictObject({
  entityType: z.string().describe('Such as dataset'),
  count: z.int().describe('Entities of that type that hold a value of the property'),
});

const from = {
  resource: z.string().optional().describe('Kind, namespace/name; absent: a file of the command line, or none'),
  location: z.string().optional().describe('file:line'),
};

const fieldChange = z.strictObject({
  field: z.string().describe('allowedValues: a row for each value that is added or taken away'),
  before: z.string().optional().describe('As people read it; absent: not set'),
  after: z.string().optional(),
});

export const PROPERTY_ACTIONS = ['create', 'change', 'break', 'softDelete', 'restore', 'delete', 'keep'] as const;

const propertyChange = z
  .strictObject({
    ...from,
    urn: z.string(),
    action: z
      .enum(PROPERTY_ACTIONS)
      .describe('break: a breaking change with a greater version; keep: the manifest is gone, the property stays'),
    fields: z.array(fieldChange).describe('Fields of the definition, and owner, that change'),
    deletionPolicy: z.string().optional().describe('The policy that is carried out, when the manifest is gone'),
    holders: z
      .array(holderCount)
      .optional()
      .describe('Whose values are hidden or removed everywhere; absent: none can be, or they could not be counted'),
  })
  .meta({ id: 'PropertyChange' });

const valueChange = z
  .strictObject({
    ...from,
    propertyUrn: z.string(),
    action: z.enum(['add', 'replace', 'remove', 'keep']).describe('keep: the values stay, their owner changes'),
    before: z.array(z.string()).optional().describe('Values as people read them; absent: none'),
    after: z.array(z.string()).optional(),
    because: z
      .string()
      .optional()
      .describe('The change of the property that hides or shows the values; absent: they are written'),
    deletionPolicy: z.string().optional().describe('The policy that is carried out, when the manifest is gone'),
    owner: fieldChange
      .omit({ field: true })
      .optional()
      .describe('The resource that the values belong to, if it changes'),
  })
  .meta({ id: 'ValueChange' });

const aspectChange = z
  .strictObject({
    field: z.string().describe('Name of the aspect'),
    action: z.enum(['add', 'replace']),
    fields: z.array(fieldChange).describe('The fields of the aspect itself that differ; before and after are JSON'),
  })
  .meta({ id: 'AspectDifference' });

const entityChange = z
  .strictObject({
    ...from,
    urn: z.string(),
    dataset: z.string().optional().describe('URN of the dataset that a schema field belongs to'),
    fieldPath: z.string().optional(),
    action: z.enum(['create', 'change', 'keep']),
    values: z.array(valueChange),
    aspects: z.array(aspectChange).describe('Other aspects that a file of the command line writes, if they change'),
  })
  .meta({ id: 'EntityChange' });

const refused = z
  .strictObject({
    ...from,
    urn: z.string().optional().describe('Of an entry of a file of the command line'),
    reason: z.string().describe('As in the conditions of a resource; BreakingChange: without a greater version'),
    message: z.string(),
  })
  .meta({ id: 'Refused' });

const note = z.strictObject({ ...from, reason: z.string(), message: z.string() }).meta({ id: 'Note' });

export const planSchema = z
  .strictObject({
    version: z.literal(1).describe('Of this shape'),
    against: z.string().describe('What the plan starts from: an address, a folder or a git revision'),
    source: z.string().describe('Name of the source whose resources are meant'),
    exitCode: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
    summary: z.strictObject({
      create: z.int(),
      change: z.int(),
      break: z.int(),
      softDelete: z.int(),
      restore: z.int(),
      delete: z.int(),
      keep: z.int(),
      breakingWithoutVersion: z.int(),
      errors: z.int(),
      waiting: z.int(),
      holders: z.int().describe('Sum over the properties that are broken, soft deleted or deleted'),
      holderEntities: z
        .int()
        .optional()
        .describe('The same, each entity counted once; absent: a server tells it of one property only'),
    }),
    properties: z.array(propertyChange),
    entities: z.array(entityChange),
    refused: z.array(refused).describe('What the operator would stall on, or the server refuse'),
    waiting: z.array(note).describe('Resources that wait for a dataset or a property'),
    warnings: z.array(note),
    problems: z.array(note).describe('Files and globs that cannot be used'),
  })
  .meta({ id: 'Plan', description: 'What applying manifests and files of the command line would do' });

export type Plan = z.output<typeof planSchema>;
export type HolderCount = z.output<typeof holderCount>;
export type FieldChange = z.output<typeof fieldChange>;
export type PropertyChange = z.output<typeof propertyChange>;
export type ValueChange = z.output<typeof valueChange>;
export type EntityChange = z.output<typeof entityChange>;
export type AspectDifference = z.output<typeof aspectChange>;
export type Refused = z.output<typeof refused>;
export type Note = z.output<typeof note>;

/** The reason of what the server refuses unless the version is raised. */
export const BREAKING = 'BreakingChange';

/**
 * 1 when something cannot be planned or would be refused, whatever else there is: the rest of the plan may be wrong for
 * it. Then 3: a breaking change without a greater version. Then 2: there is something to do. 0: nothing.
 */
export function exitCodeOf({
  properties,
  entities,
  refused: refusals,
  problems,
}: Pick<Plan, 'properties' | 'entities' | 'refused' | 'problems'>): Plan['exitCode'] {
  if (problems.length > 0 || refusals.some(({ reason }) => reason !== BREAKING)) return 1;
  if (refusals.length > 0) return 3;
  return properties.length + entities.length > 0 ? 2 : 0;
}
