import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Change, Decision, Leave, Next } from '../../../model/entity/change.ts';
import type { ParsedUrn } from '../../../model/urn.ts';
import { describeViolations } from '../../../model/violation.ts';
import type { EntityDocument } from '../../store/port.ts';
import { CatalogError } from '../errors.ts';
import type { CatalogParts, RequestContext } from '../parts.ts';
import { isVisible, type Life } from '../read/entity-life.ts';
import type { RegistryView } from '../registry/registry.ts';
import { checkDeadline } from '../request.ts';

/** What a change works on. */
export function currentOf({ meansHidden }: Change, { stored, parent }: Life): EntityDocument | undefined {
  if (meansHidden === true) return stored?.deleted === undefined ? stored : undefined;
  return isVisible(stored, parent) ? stored : undefined;
}

/**
 * Decides a change by what the registry view says. Nothing is changed anywhere.
 * @throws CatalogError for a refusal, naming every violated rule, and `timeout`.
 */
export async function decideChange(
  parts: CatalogParts,
  change: Change,
  life: Life,
  request: RequestContext,
  registry: RegistryView,
): Promise<Next | Leave> {
  const current = currentOf(change, life);
  const steps = change.decide(current, {
    states: await registry.properties(change.involvedProperties(current)),
    settings: parts.settings,
    stamp: { time: parts.now(), actor: request.actor },
    newEpoch: randomUUID(),
    hasParent: change.urn.entityType.name !== 'schemaField' || life.parent !== undefined,
  });
  for (;;) {
    const step = steps.next();
    if (step.done === true) return accepted(step.value);
    checkDeadline(parts, request);
    await nextTurn();
  }
}

function accepted(decision: Decision): Next | Leave {
  if (decision.kind !== 'refusal') return decision;
  throw new CatalogError(decision.code, describeViolations(decision.violations), decision.violations);
}

/** Logs what was let pass. */
export function tellWarnings(
  { log }: CatalogParts,
  { urn }: ParsedUrn,
  { warnings }: Pick<Next | Leave, 'warnings'>,
): void {
  for (const { path, message } of warnings) log.warn({ urn, path }, message);
}
