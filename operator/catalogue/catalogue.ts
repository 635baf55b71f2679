import type { Assignment } from '../../model/assignment.ts';
import type { Definition } from '../../model/definition.ts';
import type { DatasetSelector } from '../../model/resource/dataset-properties.ts';
import type { ResourceId } from '../../model/resource/identity.ts';
import type { TypedValue } from '../../model/typed-value.ts';
import type { OwnedThing } from '../../model/wire/owner-mark.ts';

/** A resource as an owner: what the header `X-Proplane-Owner` says. */
export interface Owner extends ResourceId {
  readonly source: string;
  readonly deletionPolicy: string;
}

/** An owner mark: on an assignment or, without `propertyUrn`, on a definition. */
export type OwnerMark = OwnedThing;

/** Whether a mark is on an assignment. */
export function isOnAssignment(mark: OwnerMark): mark is AssignmentMark {
  return mark.propertyUrn !== undefined;
}

export interface ObservedProperty {
  /** Absent: an entity without a definition. */
  readonly definition?: Definition;
  /** Soft deleted. */
  readonly removed: boolean;
}

/** With the mark on its definition. */
export interface OwnedProperty extends ObservedProperty {
  readonly mark?: OwnerMark;
}

/** An owner mark on an assignment. */
export interface AssignmentMark extends OwnerMark {
  readonly propertyUrn: string;
}

/** What can hold values: a dataset or a schema field. */
export interface ObservedHolder {
  /** Visible ones. */
  readonly assignments: readonly Assignment[];
  /** Whoever set them; also on assignments that a soft deletion hides. */
  readonly marks: readonly AssignmentMark[];
}

/** How far the removal of values is. */
export interface Cascade {
  readonly removed: number;
  /** Absent: nobody has counted yet. */
  readonly remaining?: number;
}

export type AssignmentChange =
  | { readonly op: 'add'; readonly propertyUrn: string; readonly values: readonly TypedValue[] }
  | { readonly op: 'remove'; readonly propertyUrn: string };

/**
 * What the operator does with the API server's catalogue. Every method rejects with an AnyHttpError; MissingError only
 * where it is said.
 */
export interface Catalogue {
  /** `undefined`: there is no such property. */
  readProperty(urn: string): Promise<OwnedProperty | undefined>;
  /** By URN, those that exist. */
  readProperties(urns: readonly string[]): Promise<ReadonlyMap<string, ObservedProperty>>;
  writeDefinition(urn: string, definition: Definition, owner: Owner): Promise<void>;
  /** Soft deletes or restores; with an owner the definition's mark is set, without one it stays. */
  writeRemoved(urn: string, removed: boolean, owner?: Owner): Promise<void>;
  /** Fine when it is gone already. */
  hardDelete(urn: string): Promise<void>;
  /** How many entities hold a value of a property that is not soft deleted; `undefined`: that cannot be told now. */
  countHolders(definition: Definition): Promise<number | undefined>;
  /** The removal of a hard-deleted property's values; `undefined`: nothing is being removed. */
  cascadeOf(urn: string): Promise<Cascade | undefined>;

  /** `undefined`: it does not exist. */
  readHolder(urn: string): Promise<ObservedHolder | undefined>;
  /**
   * Applies all changes or none and marks (`add`) or unmarks (`remove`) each property they name.
   * @returns the visible assignments afterwards.
   * @throws MissingError when the dataset does not exist and is not to be created.
   */
  patchAssignments(
    urn: string,
    changes: readonly AssignmentChange[],
    write: PatchWrite,
  ): Promise<readonly Assignment[]>;
  /** URNs of the datasets that a selector means, as far as the search index knows them. */
  listDatasets(selector: DatasetSelector): Promise<string[]>;

  /** All marks of our source, or of one of its resources. */
  marksOf(id?: ResourceId): Promise<OwnerMark[]>;
  /** Clears every mark of a resource of ours; definitions and values stay. */
  clearMarks(id: ResourceId): Promise<void>;
}

/** What can also be asked of many entities at once; only those that exist are in the answers, by URN. */
export interface BulkReads {
  readProperties(urns: readonly string[]): Promise<ReadonlyMap<string, OwnedProperty>>;
  readHolders(urns: readonly string[]): Promise<ReadonlyMap<string, ObservedHolder>>;
}

export interface PatchWrite {
  readonly owner: Owner;
  /** Create the entity when it does not exist. */
  readonly create: boolean;
}
