import type { StructuredProperties } from '../../../model/assignment.ts';
import type { Definition } from '../../../model/definition.ts';
import type { OwnedThing } from '../../../model/wire/owner-mark.ts';

export interface AspectAnswer<A = unknown> {
  readonly value: A;
  /** With `systemMetadata=true`. */
  readonly systemMetadata?: {
    readonly version?: string;
    readonly aspectModified?: Stamp;
  };
}

export interface Stamp {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly actor: string;
}

export interface SchemaFieldAnswer {
  readonly fieldPath: string;
  readonly nativeDataType?: string;
  readonly description?: string;
  readonly nullable?: boolean;
}

/** An entity as version 3 of the interface answers it; of its aspects those that pages look into. */
export interface EntityAnswer {
  readonly urn: string;
  readonly owners?: readonly OwnedThing[];
  readonly status?: AspectAnswer<{ readonly removed?: boolean }>;
  readonly propertyDefinition?: AspectAnswer<Definition>;
  readonly structuredProperties?: AspectAnswer<StructuredProperties>;
  readonly datasetProperties?: AspectAnswer<{ readonly name?: string; readonly description?: string }>;
  readonly editableDatasetProperties?: AspectAnswer<{ readonly description?: string }>;
  readonly subTypes?: AspectAnswer<{ readonly typeNames?: readonly string[] }>;
  readonly schemaMetadata?: AspectAnswer<{ readonly fields?: readonly SchemaFieldAnswer[] }>;
}

export interface EntityPage {
  readonly entities: readonly EntityAnswer[];
  readonly totalCount: number;
  readonly scrollId?: string;
}
