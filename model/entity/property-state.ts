import type { Definition } from '../definition.ts';
import type { EntityDraft } from './draft.ts';

/** What a write of values, and a read, has to know of a property that has a definition. */
export interface PropertyState {
  readonly definition: Definition;
  /** Soft deleted. */
  readonly removed: boolean;
  readonly epoch: string;
}

/** By URN; a property without a definition is not there. */
export type PropertyStates = ReadonlyMap<string, PropertyState>;

/** The state of a structured property, from what it is; `undefined` when it has no definition. */
export function propertyStateOf(property: EntityDraft | undefined): PropertyState | undefined {
  const definition = property?.aspects.propertyDefinition;
  if (definition === undefined || property?.definitionState === undefined) return undefined;
  return {
    definition: definition.value as Definition,
    removed: isSoftDeleted(property),
    epoch: property.definitionState.epoch,
  };
}

export function isSoftDeleted(entity: EntityDraft | undefined): boolean {
  return entity?.aspects.status?.value.removed === true;
}
