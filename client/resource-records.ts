import * as z from 'zod';
import {
  type Confirmation,
  type HeldDeletions,
  type Holding,
  heldDeletionsSchema,
  type Registration,
  type ResourceName,
  type ResourceRecord,
  resourceRecordSchema,
  resourceRecordsSchema,
} from '../model/wire/resource-record.ts';
import { allPages } from './all-pages.ts';
import { ask } from './ask.ts';
import type { HttpClient } from './http-client.ts';
import { MissingError } from './http-errors.ts';

/**
 * Requests about what operators report. They throw AnyHttpError. Without a source they are about all of them. Whatever
 * more a newer server says of a resource is kept.
 */

type Source = string | undefined;

const record: z.ZodType<ResourceRecord> = resourceRecordSchema.loose();
const records = resourceRecordsSchema.extend({ resources: z.array(record) });
const held: z.ZodType<HeldDeletions> = heldDeletionsSchema.loose();

const HELD_PATH = '/resources/held-deletions';

export async function listResources(http: HttpClient, source: Source): Promise<ResourceRecord[]> {
  return allPages(
    (after) => {
      const query = [
        ['source', source],
        ['after', after],
      ] as const;
      return ask(http, { method: 'GET', path: '/resources', query }, records);
    },
    ({ resources }) => resources,
  );
}

export async function readResource(http: HttpClient, resource: ResourceName, source: Source): Promise<ResourceRecord> {
  return await ask(http, { method: 'GET', path: pathOf(resource), query: [['source', source]] }, record);
}

/** Records resources that were seen. */
export async function registerResources(http: HttpClient, body: Registration): Promise<ResourceRecord[]> {
  return (await ask(http, { method: 'POST', path: '/resources/register', body }, records)).resources;
}

export async function reportResource(
  http: HttpClient,
  resource: ResourceName,
  body: { readonly source: string; readonly status: object; readonly location?: string | undefined },
): Promise<void> {
  await http.send({ method: 'PUT', path: pathOf(resource), body });
}

/** Fine when it is forgotten already. */
export async function forgetResource(http: HttpClient, resource: ResourceName, source: Source): Promise<void> {
  try {
    await http.send({ method: 'DELETE', path: pathOf(resource), query: [['source', source]] });
  } catch (error) {
    if (!(error instanceof MissingError)) throw error;
  }
}

/** The deletions that wait for a person, also those that are confirmed. */
export async function listHeldDeletions(http: HttpClient, source: Source): Promise<HeldDeletions[]> {
  const answer = z.object({ held: z.array(held) });
  return (await ask(http, { method: 'GET', path: HELD_PATH, query: [['source', source]] }, answer)).held;
}

/** Says which deletions a source holds back; none takes the question back. */
export async function holdDeletions(http: HttpClient, body: Holding): Promise<void> {
  await http.send({ method: 'PUT', path: HELD_PATH, body });
}

/** @returns what was confirmed; nothing when what was meant is held no more. */
export async function confirmDeletions(http: HttpClient, body: Confirmation): Promise<HeldDeletions[]> {
  const answer = z.object({ confirmed: z.array(held) });
  return (await ask(http, { method: 'POST', path: '/resources/confirm-deletions', body }, answer)).confirmed;
}

function pathOf({ kind, namespace, name }: ResourceName): string {
  return `/resources/${[kind, namespace, name].map(encodeURIComponent).join('/')}`;
}
