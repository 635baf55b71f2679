import { MissingError } from '../../../client/http-errors.ts';
import { describeViolations } from '../../../model/violation.ts';
import { mapConcurrently } from '../../runtime/map-concurrently.ts';
import { checkDeletion, checkPaused, checkValid, protect } from '../common-steps.ts';
import { rejectionReason } from '../error-outcome.ts';
import { instructionsFor, OBSERVE_ONLY } from '../instructions.ts';
import { at } from '../messages.ts';
import { done, type Outcome, proceed, requeue, terminal } from '../outcome.ts';
import { ownerOf } from '../ownership.ts';
import { type Step, type Tools, wishOf } from '../step.ts';
import { applyPlan } from './apply-plan.ts';
import { conclude } from './conclude.ts';
import { deleteValues } from './delete-values.ts';
import { entityOf, entityWithUrn, type TargetEntity } from './entity.ts';
import { observeEntity } from './observe-entity.ts';
import type { EntityPlan } from './plan-entity.ts';
import { preflight } from './preflight.ts';
import { resolveReferences, resolveTargets } from './resolve-steps.ts';
import type { DatasetWork } from './work.ts';

/** Entities of one resource that are written at the same time, and looked at if nothing else is said. */
const AT_ONCE = 8;

/** The reconcile of a DatasetProperties. Paused and deletion come before anything that can wait. */
export const DATASET_PROPERTIES_STEPS: readonly Step<DatasetWork>[] = [
  { name: 'deletion', run: checkDeletion },
  { name: 'paused', run: checkPaused },
  { name: 'delete', run: deleteValues },
  { name: 'validate', run: checkValid },
  { name: 'references', run: resolveReferences },
  { name: 'targets', run: resolveTargets },
  { name: 'observe', run: observe },
  { name: 'observe-only', run: compareOnly },
  { name: 'preflight', run: checkBeforeWriting },
  { name: 'protect', run: protect },
  { name: 'create', run: createMissing },
  { name: 'apply', run: apply },
  { name: 'conclude', run: conclude },
];

async function observe(work: DatasetWork, tools: Tools): Promise<Outcome> {
  const resource = wishOf(work);
  const meant = meantEntities(work);
  const retired = retiredEntities(work, meant);
  const look = (entity: TargetEntity) => observeEntity(entity, meant.has(entity.urn), resource, work, tools);
  work.plans = await mapConcurrently([...meant.values(), ...retired], tools.looksAtOnce ?? AT_ONCE, look);
  const exists = new Map(work.plans.map(({ entity, exists }) => [entity.urn, exists]));
  work.missing = work.datasets.filter((urn) => exists.get(urn) === false);
  return proceed;
}

/** The datasets, always (their existence is asked for), and the fields that the spec lists. */
function meantEntities(work: DatasetWork): Map<string, TargetEntity> {
  const { fields } = wishOf(work).spec;
  const entities = work.datasets.flatMap((dataset) => [
    entityOf(dataset, undefined),
    ...fields.map(({ fieldPath }) => entityOf(dataset, fieldPath)),
  ]);
  return new Map(entities.map((entity) => [entity.urn, entity]));
}

/** What has our marks and is not meant any more. */
function retiredEntities({ marks }: DatasetWork, meant: ReadonlyMap<string, TargetEntity>): TargetEntity[] {
  const urns = new Set(marks.map(({ urn }) => urn).filter((urn) => !meant.has(urn)));
  return [...urns].map(entityWithUrn).filter((entity) => entity !== undefined);
}

function compareOnly(work: DatasetWork): Outcome {
  if (!instructionsFor(work.entry).observeOnly) return proceed;
  const missing = work.missing.map((urn) => `${urn} does not exist`);
  const different = work.plans
    .filter(({ entity, changes }) => changes.length > 0 && !work.missing.includes(entity.dataset))
    .map(({ entity, changes }) => `${entity.urn}: ${changes.map((one) => `${one.op} ${one.propertyUrn}`).join(', ')}`);
  work.report.differences = [...missing, ...different];
  return done('ready', OBSERVE_ONLY, 'compared only; nothing is written');
}

function checkBeforeWriting(work: DatasetWork): Outcome {
  const { violations, doubtful } = preflight(work);
  if (violations.length > 0) {
    return terminal(rejectionReason(violations), at(work.entry, describeViolations(violations)));
  }
  // What the server may refuse goes first, while nothing else has been written.
  work.plans = work.plans.toSorted((one, other) => doubt(other) - doubt(one));
  return proceed;

  function doubt({ entity }: EntityPlan): number {
    return doubtful.has(entity.urn) ? 1 : 0;
  }
}

async function createMissing(work: DatasetWork, { catalogue, source }: Tools): Promise<Outcome> {
  const resource = wishOf(work);
  if (resource.spec.whenMissing !== 'Create') return proceed;
  const write = { owner: ownerOf(resource, source.name), create: true };
  await mapConcurrently(work.missing, AT_ONCE, (urn) => catalogue.patchAssignments(urn, [], write));
  for (const each of work.missing.map((urn) => `${urn} created`)) work.report.written.push(each);
  work.missing = [];
  return proceed;
}

async function apply(work: DatasetWork, tools: Tools): Promise<Outcome> {
  const { report } = work;
  const gone = new Set(work.missing);
  const due = work.plans.filter(({ changes, entity }) => changes.length > 0 && !gone.has(entity.dataset));
  const meant = meantEntities(work);
  const ineffective: string[] = [];
  const carriedOut = new Map<string, EntityPlan>();
  const carryOut = async (plan: EntityPlan): Promise<void> => {
    const { entity } = plan;
    try {
      const result = await applyPlan(plan, meant.has(entity.urn), work, tools);
      carriedOut.set(entity.urn, result.plan);
      for (const each of result.plan.changes.map(({ op, propertyUrn }) => `${op} ${propertyUrn} on ${entity.urn}`))
        report.written.push(each);
      for (const { propertyUrn } of result.plan.changes) report.recount.add(propertyUrn);
      for (const each of result.plan.adopted.map((urn) => `${urn} on ${entity.urn}`)) report.adopted.push(each);
      if (work.settled)
        for (const each of result.plan.drifted.map((urn) => `${urn} on ${entity.urn}`)) report.drift.push(each);
      if (!result.effective) ineffective.push(entity.urn);
    } catch (error) {
      if (!(error instanceof MissingError)) throw error;
      if (meant.has(entity.urn)) gone.add(entity.dataset);
    }
  };
  // One alone first: if the server refuses it, nothing has been written.
  for (const plan of due.slice(0, 1)) await carryOut(plan);
  await mapConcurrently(due.slice(1), AT_ONCE, carryOut);
  work.missing = [...gone];
  work.plans = work.plans.map((plan) => carriedOut.get(plan.entity.urn) ?? plan);
  if (ineffective.length > 0) return requeue('backoff', 'NotYetObserved', `written, but not seen on ${ineffective[0]}`);
  return proceed;
}
