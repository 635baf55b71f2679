import { isResourceKind, type ResourceId, resourceKey } from '../model/resource/identity.ts';
import { isDatasetProperties } from '../model/resource/resource.ts';
import { parseUrn, tryParseUrn } from '../model/urn.ts';
import type { OwnerMark } from '../operator/catalogue/catalogue.ts';
import type { ResourceRecord } from '../operator/catalogue/resource-records.ts';
import type { Manifest } from '../operator/source/directory/manifest.ts';
import { explicitTargets } from '../operator/table/targets.ts';
import { applyCliFiles, aspectsAfter, type CliOutcome } from './apply-cli-files.ts';
import type { Base } from './catalogue/base.ts';
import { createMemoryBase } from './catalogue/memory-base.ts';
import { Overlay } from './catalogue/overlay.ts';
import { compareEntities } from './compare/compare-entities.ts';
import { compareProperties } from './compare/compare-properties.ts';
import { countHolders } from './count-holders.ts';
import { dryRun } from './dry-run.ts';
import { FOLDER_MISSING, type Inputs } from './files/read-inputs.ts';
import { judgeDeletions } from './judge-deletions.ts';
import { judgeResources } from './judge-resources.ts';
import { exitCodeOf, type Note, type Plan } from './plan-shape.ts';
import { PlanSource } from './plan-source.ts';
import { prefetch } from './prefetch.ts';
import { summaryOf } from './summary.ts';

/** A plan says what becomes of the catalogue; a token is between an operator and its cluster. */
const TOKEN = 'AccessToken';

export interface PlanOptions {
  readonly base: Base;
  /** What the plan starts from, for people. */
  readonly against: string;
  /** Names the source in owner marks. */
  readonly source: string;
  readonly inputs: Inputs;
  readonly onProgress?: (read: number, total: number) => void;
}

/** The files applied to the base, in memory. */
export interface Applied {
  readonly overlay: Overlay;
  readonly source: PlanSource;
  readonly cli: CliOutcome;
  /** Some resource counts as deleted. */
  readonly deletes: boolean;
  readonly warnings: readonly Note[];
}

/**
 * What applying the files to the base would do.
 * @throws AnyHttpError when the base cannot be read.
 */
export async function makePlan(options: PlanOptions): Promise<Plan> {
  const { base, against, source: name, inputs } = options;
  const { overlay, source, cli, deletes, warnings } = await applyInputs(options);
  const isDeleted = (mark: OwnerMark): boolean => mark.source === name && isGone(mark, inputs);
  const compared = compareProperties(overlay, name, isDeleted);
  const entities = compareEntities(overlay, { source: name, isDeleted, properties: compared, aspects: cli.aspects });
  const counted = await countHolders(compared, overlay, base);
  const { refused, waiting, notes } = judgeResources(source.table.list());
  // A folder that is not there says it already.
  const unmatched = (inputs.unreadable.length > 0 ? [] : inputs.unmatched).map((glob): Note => {
    return { reason: 'NoFiles', message: `${glob} means no file; put globs in quotes, relative to the working folder` };
  });
  const findings = {
    properties: counted.properties,
    entities,
    refused: [...cli.refused, ...refused],
    waiting,
    // Where the last manifest is taken away, no file is what is meant.
    warnings: [...(deletes ? unmatched : []), ...warnings, ...notes, ...counted.warnings],
    problems: [...(deletes ? [] : unmatched), ...errorsOf(inputs)],
  };
  return {
    version: 1,
    against,
    source: name,
    exitCode: exitCodeOf(findings),
    summary: summaryOf(findings, counted.entities),
    ...findings,
  };
}

/**
 * Applies files to a base: those of the command line first, then the manifests as the operator does. What the command
 * line could not do before the manifests were applied it does after them: nobody knows in which order people do it.
 */
export async function applyInputs({ base, source: name, inputs, onProgress }: PlanOptions): Promise<Applied> {
  const overlay = new Overlay(base, name);
  await overlay.open();
  await prefetch(inputs, overlay, onProgress ?? (() => undefined));
  const first = await applyCliFiles(inputs, overlay);
  const source = new PlanSource({
    name,
    manifests: withoutTokens(inputs.manifests),
    records: (await base.records()).filter(({ kind }) => kind !== TOKEN),
    owned: overlay.memory.marks.of(name).flatMap(idOf),
  });
  const { deleted, warnings } = judgeDeletions(inputs, source);
  let cli = first;
  if (first.refused.length > 0) {
    await dryRun(source, overlay, []);
    cli = await applyCliFiles(first.left, overlay, first);
  }
  const restless = (await dryRun(source, overlay, deleted)).map((resource): Note => {
    return { resource, reason: 'NoRest', message: 'it would write again and again' };
  });
  overlay.memory.collect();
  return { overlay, source, cli, deletes: deleted.length > 0, warnings: [...warnings, ...restless] };
}

/**
 * The catalogue that applying the files to an empty one gives, where every dataset exists.
 * @param others files whose datasets a selector can find as well.
 */
export async function baseOfFiles(
  inputs: Inputs,
  source: string,
  others: Inputs,
): Promise<{ base: Base; warnings: Note[] }> {
  const datasets = new Set([...datasetsIn(inputs), ...datasetsIn(others)]);
  const empty = createMemoryBase({ datasets });
  const { overlay, source: resources, cli } = await applyInputs({ base: empty, against: '', source, inputs });
  const records = resources.table.list().map(({ id, generation, created, location, status }): ResourceRecord => {
    const known = { ...(location === undefined ? {} : { location }), ...(status === undefined ? {} : { status }) };
    return { ...id, generation, created, ...known };
  });
  const nothing = inputs.unmatched.map((glob): Note => {
    return { reason: 'NothingBefore', message: `there was nothing at ${glob} before` };
  });
  const broken = [...errorsOf(inputs).filter(({ reason }) => reason !== FOLDER_MISSING), ...cli.refused];
  const warnings = broken.map(({ message, location }): Note => {
    const where = location === undefined ? {} : { location };
    return { reason: 'BrokenBase', message: `what the plan starts from is not whole: ${message}`, ...where };
  });
  const aspects = aspectsAfter(cli);
  return {
    base: createMemoryBase({ catalogue: overlay.memory, records, aspects, datasets }),
    warnings: [...nothing, ...warnings],
  };
}

function withoutTokens(manifests: Inputs['manifests']): Inputs['manifests'] {
  const isToken = ({ id, wish }: Manifest): boolean => id.kind === TOKEN && wish.kind === 'valid';
  return new Map([...manifests].filter(([, manifest]) => !isToken(manifest)));
}

function errorsOf({ problems }: Inputs): Note[] {
  return problems.filter(({ severity }) => severity === 'error').map(({ severity: _severity, ...note }) => note);
}

function datasetsIn({ manifests, entities }: Inputs): string[] {
  const named = [...manifests.values()].flatMap(({ wish }) => {
    if (wish.kind !== 'valid' || !isDatasetProperties(wish.resource)) return [];
    return explicitTargets(wish.resource.spec);
  });
  const listed = entities.map(({ urn }) => urn).filter((urn) => tryParseUrn(urn)?.entityType.name === 'dataset');
  return [...named, ...listed].map((urn) => parseUrn(urn).urn);
}

function idOf({ kind, namespace, name }: OwnerMark): ResourceId[] {
  return isResourceKind(kind) ? [{ kind, namespace, name }] : [];
}

function isGone(mark: OwnerMark, { manifests }: Inputs): boolean {
  return idOf(mark).every((id) => !manifests.has(resourceKey(id)));
}
