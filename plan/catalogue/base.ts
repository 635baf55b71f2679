import type { Assignment } from '../../model/assignment.ts';
import type { Definition } from '../../model/definition.ts';
import type { DatasetSelector } from '../../model/resource/dataset-properties.ts';
import type { ObservedProperty, OwnerMark } from '../../operator/catalogue/catalogue.ts';
import type { ResourceRecord } from '../../operator/catalogue/resource-records.ts';
import type { HolderCount } from '../plan-shape.ts';

export interface Holders {
  /** By type; types without any are left out. */
  readonly counts: HolderCount[];
  /** Absent: they could only be counted. */
  readonly urns?: readonly string[];
}

/** What a plan starts from: a catalogue that is read and never written. Methods reject with an AnyHttpError. */
export interface Base {
  /** `undefined`: there is no such property. */
  readProperty(urn: string): Promise<ObservedProperty | undefined>;
  /**
   * Visible assignments and, as far as they can be known, those that a soft deletion hides.
   * @returns `undefined` when there is no such entity.
   */
  readAssignments(urn: string): Promise<readonly Assignment[] | undefined>;
  /** Those of the aspects that the entity has, by name. */
  readAspects(urn: string, names: readonly string[]): Promise<Readonly<Record<string, unknown>>>;
  listDatasets(selector: DatasetSelector): Promise<string[]>;
  /** URNs of the properties whose definitions have this search name. */
  propertiesNamed(searchName: string): Promise<string[]>;
  /** All owner marks, of whatever source. */
  marks(): Promise<readonly OwnerMark[]>;
  /** The resources of the source that were there before, deleted ones that are not finalized yet included. */
  records(): Promise<readonly ResourceRecord[]>;
  /** Entities that visibly hold a value of the property. */
  countHolders(urn: string, definition: Definition): Promise<Holders>;
}
