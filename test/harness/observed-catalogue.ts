import { createHttpClient } from '../../client/http-client.ts';
import { readMarks } from '../../client/owner-marks.ts';
import type { ObservedHolder, ObservedProperty, OwnerMark } from '../../operator/catalogue/catalogue.ts';
import { createHttpCatalogue } from '../../operator/catalogue/http-catalogue.ts';
import { HOLDERS, PROPERTIES } from './plan-arbitraries.ts';

/** What a catalogue says about the few things of a test. */
export interface Observed {
  /** Texts of definition and soft deletion, by URN. */
  readonly properties: Map<string, string>;
  /** Texts of visible values, by `<entity> <property>`; `<entity> ` says that the entity exists. */
  readonly values: Map<string, string>;
  /** Texts of owners, by `<entity> <property or nothing>`. */
  readonly marks: Map<string, string>;
}

interface Reader {
  readProperty(urn: string): Promise<ObservedProperty | undefined>;
  readHolder(urn: string): Promise<ObservedHolder | undefined>;
  marks(): Promise<Iterable<OwnerMark>>;
}

export async function observeServer(host: string): Promise<Observed> {
  const http = createHttpClient({ host });
  const { readProperty, readHolder } = createHttpCatalogue(http, 'directory');
  return await observe({ readProperty, readHolder, marks: () => readMarks(http, {}) }).finally(() => http.close());
}

export async function observe(reader: Reader): Promise<Observed> {
  const properties = new Map<string, string>();
  const values = new Map<string, string>();
  const marks = new Map<string, string>();
  for (const urn of PROPERTIES) {
    const found = await reader.readProperty(urn);
    if (found !== undefined)
      properties.set(urn, JSON.stringify([found.removed, Object.entries(found.definition ?? {}).sort()]));
  }
  for (const urn of HOLDERS) {
    const found = await reader.readHolder(urn);
    if (found !== undefined && urn.startsWith('urn:li:dataset:')) values.set(`${urn} `, 'exists');
    for (const assignment of found?.assignments ?? [])
      values.set(`${urn} ${assignment.propertyUrn}`, JSON.stringify(assignment.values));
  }
  for (const { urn, propertyUrn = '', source, kind, namespace, name, deletionPolicy } of await reader.marks()) {
    marks.set(`${urn} ${propertyUrn}`, [source, kind, namespace, name, deletionPolicy].join(' '));
  }
  return { properties, values, marks };
}

/** The keys of two maps whose texts differ. */
export function differing(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter((key) => one.get(key) !== other.get(key)).sort();
}

/** The same with both texts, for messages. */
export function differences(
  one: ReadonlyMap<string, string>,
  other: ReadonlyMap<string, string>,
): [key: string, one: string | undefined, other: string | undefined][] {
  return differing(one, other).map((key) => [key, one.get(key), other.get(key)]);
}
