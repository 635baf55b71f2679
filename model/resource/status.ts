import * as z from 'zod';

/**
 * What the operator reports about a resource. The conditions follow the rules that `kubectl wait`, Helm, Flux and
 * Argo CD judge by (kstatus: sigs.k8s.io/cli-utils, pkg/kstatus): Ready is always there, and Ready=False never stands
 * alone: Reconciling=True says that work goes on, Stalled=True that only a change helps.
 */
export const conditionSchema = z
  .strictObject({
    type: z.string().describe('Ready, Reconciling, Stalled, Paused or Drifted'),
    status: z.enum(['True', 'False', 'Unknown']).describe('Whether it holds'),
    reason: z.string().describe('One CamelCase word, for programs'),
    message: z.string().describe('A sentence, for people'),
    observedGeneration: z.int().optional().describe('The generation that the condition speaks of'),
    lastTransitionTime: z.string().describe('When status last changed, RFC 3339'),
  })
  .meta({ id: 'Condition', description: 'One thing that holds, or not, about a resource' });

const driftSchema = z
  .strictObject({
    repaired: z.int().describe('How often a difference that nobody wished was repaired'),
    last: z.string().describe('When that was last, RFC 3339'),
    message: z.string().describe('What was repaired'),
  })
  .meta({ id: 'Drift', description: 'Differences that were found at a resync and repaired' });

const common = {
  observedGeneration: z.int().optional().describe('The generation that was last judged'),
  drift: driftSchema.optional().describe('Repaired drift'),
  conditions: z.array(conditionSchema).describe('Ready, Reconciling, Stalled and others'),
};

export const structuredPropertyStatus = z
  .strictObject({
    ...common,
    urn: z.string().optional().describe('URN of the property'),
    cascade: z
      .strictObject({ removed: z.int(), remaining: z.int() })
      .optional()
      .describe('While it is deleted: how many values were removed from their holders, and how many are left'),
  })
  .meta({ id: 'StructuredPropertyStatus', description: 'How far the definition is' });

export const datasetPropertiesStatus = z
  .strictObject({
    ...common,
    targets: z.int().optional().describe('Datasets that are meant'),
    applied: z.int().optional().describe('Those of them that hold all that is listed'),
    conflicts: z.int().optional().describe('Values that another resource claims'),
  })
  .meta({ id: 'DatasetPropertiesStatus', description: 'How far the values are' });

export type Condition = z.output<typeof conditionSchema>;
/** Either kind's status. */
export type ResourceStatus = z.output<typeof structuredPropertyStatus> & z.output<typeof datasetPropertiesStatus>;
