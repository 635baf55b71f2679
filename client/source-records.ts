import type * as z from 'zod';
import {
  type LeaseRequest,
  type SourcePlace,
  type SourceRecord,
  sourceRecordSchema,
  sourceRecordsSchema,
} from '../model/wire/source-record.ts';
import { ask } from './ask.ts';
import type { HttpClient } from './http-client.ts';

/** Requests about sources and who works on them. They throw AnyHttpError. */

const record: z.ZodType<SourceRecord> = sourceRecordSchema.loose();
const records = sourceRecordsSchema.extend({ sources: record.array() });

export async function listSources(http: HttpClient): Promise<SourceRecord[]> {
  return (await ask(http, { method: 'GET', path: '/sources' }, records)).sources;
}

/** @returns the source: whoever asked works on it, if it is the holder there. */
export async function leaseSource(http: HttpClient, source: string, body: LeaseRequest): Promise<SourceRecord> {
  return await ask(http, { method: 'PUT', path: `${pathOf(source)}/lease`, body }, record);
}

export async function releaseSource(http: HttpClient, source: string, holder: string): Promise<void> {
  await http.send({ method: 'DELETE', path: `${pathOf(source)}/lease`, query: [['holder', holder]] });
}

export async function placeSource(http: HttpClient, source: string, body: SourcePlace): Promise<void> {
  await http.send({ method: 'PUT', path: `${pathOf(source)}/place`, body });
}

function pathOf(source: string): string {
  return `/sources/${encodeURIComponent(source)}`;
}
