import * as z from 'zod';
import { mapListBy } from './admission.ts';

/** Longest message of a status, in characters, as Kubernetes has it. */
export const LONGEST_MESSAGE = 32_768;

const count = z.int().min(0);
const message = z.string().max(LONGEST_MESSAGE);
/** RFC 3339. */
const time = z.string().max(64).meta({ format: 'date-time' });

/** Patterns of Kubernetes' own conditions (metav1.Condition). */
const CONDITION_TYPE =
  /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$/;
const REASON = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;

/**
 * What the operator reports about a resource. The conditions follow the rules that `kubectl wait`, Helm, Flux and
 * Argo CD judge by (kstatus: sigs.k8s.io/cli-utils, pkg/kstatus): Ready is always there, and Ready=False never stands
 * alone: Reconciling=True says that work goes on, Stalled=True that only a change helps.
 */
export const conditionSchema = z
  .strictObject({
    type: z.string().max(316).regex(CONDITION_TYPE).describe('Ready, Reconciling, Stalled, Paused or Drifted'),
    status: z.enum(['True', 'False', 'Unknown']).describe('Whether it holds'),
    reason: z.string().min(1).max(1024).regex(REASON).describe('One CamelCase word, for programs'),
    message: message.describe('A sentence, for people'),
    observedGeneration: count.optional().describe('The generation that the condition speaks of'),
    lastTransitionTime: time.describe('When status last changed, RFC 3339'),
  })
  .meta({ id: 'Condition', description: 'One thing that holds, or not, about a resource' });

const driftSchema = z
  .strictObject({
    repaired: count.describe('How often a difference that nobody wished was repaired'),
    last: time.describe('When that was last, RFC 3339'),
    message: message.describe('What was repaired'),
  })
  .meta({ id: 'Drift', description: 'Differences that were found at a resync and repaired' });

const common = {
  observedGeneration: count.optional().describe('The generation that was last judged'),
  lastHandledReconcileAt: z
    .string()
    .max(1024)
    .optional()
    .describe('The value of the annotation reconcile-at that was last obeyed'),
  drift: driftSchema.optional().describe('Repaired drift'),
  conditions: z
    .array(conditionSchema)
    .max(16)
    .meta({ description: 'Ready, Reconciling, Stalled and others', ...mapListBy('type') }),
};

export const structuredPropertyStatus = z
  .strictObject({
    ...common,
    urn: z.string().max(1024).optional().describe('URN of the property'),
    holders: count.optional().describe('Entities that hold a value of the property'),
    cascade: z
      .strictObject({
        removed: count.describe('Values that were removed from their holders'),
        remaining: count.describe('Values that are left'),
      })
      .optional()
      .describe('While it is deleted: how far the removal of its values is'),
  })
  .meta({ id: 'StructuredPropertyStatus', description: 'How far the definition is' });

export const datasetPropertiesStatus = z
  .strictObject({
    ...common,
    targets: count.optional().describe('Datasets that are meant'),
    applied: count.optional().describe('Those of them that hold all that is listed'),
    conflicts: count.optional().describe('Values that another resource claims'),
  })
  .meta({ id: 'DatasetPropertiesStatus', description: 'How far the values are' });

export const accessTokenStatus = z
  .strictObject({
    ...common,
    tokenId: z.string().max(1024).optional().describe('Id of the token that the Secret holds'),
    expiresAt: time.optional().describe('When that token ends, RFC 3339'),
    renewsAt: time.optional().describe('When another one takes its place, RFC 3339'),
    secretName: z.string().max(253).optional().describe('Name of the Secret'),
  })
  .meta({ id: 'AccessTokenStatus', description: 'Which token the Secret holds' });

export type Condition = z.output<typeof conditionSchema>;
/** The status of any kind. */
export type ResourceStatus = z.output<typeof structuredPropertyStatus> &
  z.output<typeof datasetPropertiesStatus> &
  z.output<typeof accessTokenStatus>;

/**
 * Reads a status as an operator of any version has written it: a condition with a field that we do not know still says
 * that a resource is paused. @returns `undefined` for what is none.
 */
export function readStatus(reported: unknown): ResourceStatus | undefined {
  const { conditions } = (reported ?? {}) as { conditions?: unknown };
  return Array.isArray(conditions) ? (reported as ResourceStatus) : undefined;
}

export function findCondition(status: ResourceStatus | undefined, type: string): Condition | undefined {
  return status?.conditions.find((condition) => condition.type === type);
}
