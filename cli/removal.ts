import { countHoldersIfPossible, deleteEntity, readEntity, writeAspect } from '../client/entities.ts';
import type { Entity } from '../client/entity.ts';
import type { HttpClient } from '../client/http-client.ts';
import { listJobs } from '../client/jobs.ts';
import type { ParsedUrn } from '../model/urn.ts';
import type { ShownJob } from '../model/wire/job.ts';

/** What stands before something is deleted or restored. */
export interface Standing {
  readonly entity: Entity;
  readonly removed: boolean;
  /** Of a property that is not soft deleted: how many entities have a value of it; absent when that is not known. */
  readonly holders?: number;
}

/** @returns `undefined` when it does not exist. */
export async function standingOf(client: HttpClient, { urn, entityType }: ParsedUrn): Promise<Standing | undefined> {
  const aspects = ['status', 'propertyDefinition', entityType.keyAspect];
  const entity = await readEntity(client, urn, { aspects });
  if (entity === undefined) return undefined;
  const { removed, definition } = entity;
  const holders = definition === undefined || removed ? undefined : await countHoldersIfPossible(client, definition);
  return { entity, removed, ...(holders === undefined ? {} : { holders }) };
}

/** Soft-deletes or restores what stands. */
export async function setRemoved(client: HttpClient, { entity }: Standing, removed: boolean): Promise<void> {
  await writeAspect(client, entity.urn, 'status', { ...entity.aspects.status, removed });
}

/** Removes it for good. @returns the job that removes what is left of it, if there is one. */
export async function hardDelete(client: HttpClient, { urn }: ParsedUrn): Promise<ShownJob | undefined> {
  // Jobs of an earlier life of the same name may be there still.
  const earlier = new Set((await listJobs(client, { subject: urn })).map(({ id }) => id));
  await deleteEntity(client, urn);
  return (await listJobs(client, { subject: urn })).find(({ id }) => !earlier.has(id));
}
