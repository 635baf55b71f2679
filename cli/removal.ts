import type { HttpClient } from '../client/http-client.ts';
import type { Definition } from '../model/definition.ts';
import type { ParsedUrn } from '../model/urn.ts';
import { countHolders } from './count-holders.ts';
import { type Entity, entityPath, isRemoved, readEntity } from './entities.ts';
import type { ShownJob } from './shown-job.ts';

/** What stands before something is deleted or restored. */
export interface Standing {
  readonly entity: Entity;
  readonly removed: boolean;
  /** Of a property that is not soft deleted: how many entities have a value of it; absent when that is not known. */
  readonly holders?: number;
}

/** @returns `undefined` when it does not exist. */
export async function standingOf(client: HttpClient, urn: ParsedUrn): Promise<Standing | undefined> {
  const entity = await readEntity(client, urn, ['status', 'propertyDefinition', urn.entityType.keyAspect]);
  if (entity === undefined) return undefined;
  const removed = isRemoved(entity);
  const definition = entity.aspects.propertyDefinition as Definition | undefined;
  const holders = definition === undefined || removed ? undefined : await countHolders(client, definition);
  return { entity, removed, ...(holders === undefined ? {} : { holders }) };
}

/** Soft-deletes or restores what stands. */
export async function setRemoved(
  client: HttpClient,
  urn: ParsedUrn,
  { entity }: Standing,
  removed: boolean,
): Promise<void> {
  await client.send({ method: 'POST', path: entityPath(urn, 'status'), body: { ...entity.aspects.status, removed } });
}

/** Removes it for good. @returns the job that removes what is left of it, if there is one. */
export async function hardDelete(client: HttpClient, urn: ParsedUrn): Promise<ShownJob | undefined> {
  // Jobs of an earlier life of the same name may be there still.
  const earlier = new Set((await jobsAbout(client, urn)).map(({ id }) => id));
  await client.send({ method: 'DELETE', path: entityPath(urn) });
  return (await jobsAbout(client, urn)).find(({ id }) => !earlier.has(id));
}

async function jobsAbout(client: HttpClient, { urn }: ParsedUrn): Promise<ShownJob[]> {
  const answer = await client.send({ method: 'GET', path: '/jobs', query: [['subject', urn]] });
  return (answer as { jobs: ShownJob[] }).jobs;
}
