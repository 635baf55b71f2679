import type { Moment } from './kill-at.ts';
import { type NamedStep, STEPS } from './named-steps.ts';

/** What is done to a property and the values of it, and what has to become of them whenever somebody is killed. */
export interface Story {
  readonly title: string;
  readonly kills: 'operator' | 'server';
  /** Absent: the resources are new. */
  readonly deletes?: 'sprop' | 'dprop';
  /** What the values wish from now on; as `deletes`, that is done to resources which are applied. */
  readonly changes?: object;
  /** The resources are new, and what they wish for is in the catalogue and belongs to nobody. */
  readonly adopts?: true;
  /** Another resource wishes for the same as the one that is deleted: `heirOf` it. */
  readonly hasHeir?: true;
  readonly property?: object;
  readonly values?: object;
  /** So many datasets hold the property by hand; the DatasetProperties gives it to a dataset and a field of that. */
  readonly byHand: number;
  readonly steps: readonly NamedStep[];
  readonly end: End;
}

export interface End {
  /** Reasons of the Ready conditions; undefined: the resource is gone. */
  readonly property: string | undefined;
  readonly values: string | undefined;
  /** As the status of the property says. */
  readonly holders: number | undefined;
  /** Reason of the Ready condition of the heir. */
  readonly heir?: string;
  readonly catalogue: InCatalogue;
}

/** What the API server says of a property and its values. */
export interface InCatalogue {
  readonly definition: 'there' | 'soft deleted' | undefined;
  readonly onDataset: number | undefined;
  readonly onField: number | undefined;
  /** So many of the datasets that were given it by hand hold it. */
  readonly byHand: number;
  /** Kinds of the resources that have owner marks, as often as they have. */
  readonly owned: readonly string[];
  /** The same of the heir. */
  readonly inherited: readonly string[];
}

export const KINDS = { property: 'StructuredProperty', values: 'DatasetProperties' } as const;
const OWNED = { property: [KINDS.property], values: [KINDS.values, KINDS.values] };
export const VALUES = { onDataset: 30, onField: 5 };
const NO_VALUES = { onDataset: undefined, onField: undefined };

/** How a property and values begin that are new, and how they end. */
const FIRST_STEPS = [STEPS.valuesSeen, STEPS.valuesWait, STEPS.propertySeen, STEPS.propertyProtected];
const APPLIED: End = {
  property: 'Applied',
  values: 'Applied',
  holders: 2,
  catalogue: {
    definition: 'there',
    ...VALUES,
    byHand: 0,
    owned: [...OWNED.values, ...OWNED.property],
    inherited: [],
  },
};

/**
 * Their names begin those of their resources. Values whose property is gone keep their owner marks: they are still wished
 * for.
 */
export const STORIES: Readonly<Record<string, Story>> = {
  apply: {
    title: 'the first application of a property and of values',
    kills: 'operator',
    byHand: 0,
    steps: [
      ...FIRST_STEPS,
      STEPS.defined,
      STEPS.propertyApplied,
      STEPS.valuesProtected,
      STEPS.datasetCreated,
      STEPS.valueOnDataset,
      STEPS.valueOnField,
      STEPS.valuesApplied,
      STEPS.recounted,
      STEPS.eventSent,
    ],
    end: APPLIED,
  },
  adopt: {
    title: 'the adoption of a property and of values',
    kills: 'operator',
    adopts: true,
    byHand: 0,
    steps: [
      ...FIRST_STEPS,
      STEPS.propertyMarked,
      STEPS.recounted,
      STEPS.valuesProtected,
      STEPS.valueOnDataset,
      STEPS.valueOnField,
      STEPS.valuesApplied,
      STEPS.eventSent,
    ],
    end: APPLIED,
  },
  narrow: {
    title: 'a change by which values are not wished for any more',
    kills: 'operator',
    changes: { fields: [] },
    byHand: 3,
    steps: [STEPS.valueOffField, STEPS.valuesApplied, STEPS.recounted, STEPS.eventSent],
    end: {
      property: 'Applied',
      values: 'Applied',
      holders: 4,
      catalogue: {
        definition: 'there',
        onDataset: VALUES.onDataset,
        onField: undefined,
        byHand: 3,
        owned: [KINDS.values, ...OWNED.property],
        inherited: [],
      },
    },
  },
  hard: {
    title: 'the deletion of a property with HardDelete',
    kills: 'operator',
    deletes: 'sprop',
    byHand: 40,
    steps: [
      STEPS.marksRead,
      STEPS.definitionDeleted,
      STEPS.definitionRead,
      STEPS.cascadeRead,
      STEPS.cascadeSaid,
      STEPS.searched,
      STEPS.marksCleared,
      STEPS.propertyReleased,
      STEPS.valuesWait,
      STEPS.eventSent,
    ],
    end: {
      property: undefined,
      values: 'ReferenceNotFound',
      holders: undefined,
      catalogue: { definition: undefined, ...NO_VALUES, byHand: 0, owned: [], inherited: [] },
    },
  },
  soft: {
    title: 'the deletion of a property with SoftDelete',
    kills: 'operator',
    deletes: 'sprop',
    property: { deletionPolicy: 'SoftDelete' },
    byHand: 3,
    steps: [STEPS.softDeleted, STEPS.marksCleared, STEPS.propertyReleased, STEPS.valuesWait, STEPS.eventSent],
    end: {
      property: undefined,
      values: 'ReferenceNotFound',
      holders: undefined,
      catalogue: { definition: 'soft deleted', ...NO_VALUES, byHand: 0, owned: OWNED.values, inherited: [] },
    },
  },
  retain: {
    title: 'the deletion of a property with Retain',
    kills: 'operator',
    deletes: 'sprop',
    property: { deletionPolicy: 'Retain' },
    byHand: 3,
    steps: [STEPS.marksCleared, STEPS.propertyReleased, STEPS.valuesWait, STEPS.eventSent],
    end: {
      property: undefined,
      values: 'ReferenceNotFound',
      holders: undefined,
      catalogue: { definition: 'there', ...VALUES, byHand: 3, owned: OWNED.values, inherited: [] },
    },
  },
  values: {
    title: 'the deletion of values with Remove',
    kills: 'operator',
    deletes: 'dprop',
    byHand: 3,
    steps: [
      STEPS.marksRead,
      STEPS.valueOffDataset,
      STEPS.valueOffField,
      STEPS.marksCleared,
      STEPS.valuesReleased,
      STEPS.recounted,
      STEPS.eventSent,
    ],
    end: {
      property: 'Applied',
      values: undefined,
      holders: 3,
      catalogue: { definition: 'there', ...NO_VALUES, byHand: 3, owned: OWNED.property, inherited: [] },
    },
  },
  kept: {
    title: 'the deletion of values with Retain',
    kills: 'operator',
    deletes: 'dprop',
    values: { deletionPolicy: 'Retain' },
    byHand: 3,
    steps: [STEPS.marksCleared, STEPS.valuesReleased, STEPS.eventSent],
    end: {
      property: 'Applied',
      values: undefined,
      holders: 5,
      catalogue: { definition: 'there', ...VALUES, byHand: 3, owned: OWNED.property, inherited: [] },
    },
  },
  bequeath: {
    title: 'the deletion of a property that another resource wishes for',
    kills: 'operator',
    deletes: 'sprop',
    hasHeir: true,
    byHand: 3,
    steps: [
      STEPS.marksRead,
      STEPS.heirProtected,
      STEPS.definitionRead,
      STEPS.propertyLeft,
      STEPS.marksCleared,
      STEPS.propertyReleased,
      STEPS.propertyInherited,
      STEPS.valuesWait,
      STEPS.eventSent,
    ],
    end: {
      property: undefined,
      values: 'ReferenceNotFound',
      holders: undefined,
      heir: 'Applied',
      catalogue: { definition: 'there', ...VALUES, byHand: 3, owned: OWNED.values, inherited: OWNED.property },
    },
  },
  legacy: {
    title: 'the deletion of values that another resource wishes for',
    kills: 'operator',
    deletes: 'dprop',
    hasHeir: true,
    byHand: 3,
    steps: [
      STEPS.marksRead,
      STEPS.valueOnDataset,
      STEPS.valueOnField,
      STEPS.marksCleared,
      STEPS.valuesReleased,
      STEPS.valuesInherited,
      STEPS.eventSent,
    ],
    end: {
      property: 'Applied',
      values: undefined,
      holders: 5,
      heir: 'Applied',
      catalogue: { definition: 'there', ...VALUES, byHand: 3, owned: OWNED.property, inherited: OWNED.values },
    },
  },
  server: {
    title: 'the deletion of a property with HardDelete',
    kills: 'server',
    deletes: 'sprop',
    byHand: 40,
    steps: [STEPS.definitionDeleted, STEPS.cascadeRead, STEPS.searched, STEPS.marksCleared],
    end: {
      property: undefined,
      values: 'ReferenceNotFound',
      holders: undefined,
      catalogue: { definition: undefined, ...NO_VALUES, byHand: 0, owned: [], inherited: [] },
    },
  },
};

export interface Row extends Moment {
  readonly what: string;
  /** Name of its resources. */
  readonly victim: string;
}

/** Each step of a story, before and after it, with a victim of its own. */
export function rowsOf(key: string): Row[] {
  const { steps } = STORIES[key]!;
  const rows = steps.flatMap(({ what, beforeOnly, fits }) => [
    { name: `before ${what}`, what, when: 'before' as const, fits },
    ...(beforeOnly ? [] : [{ name: `after ${what}, before its answer`, what, when: 'after' as const, fits }]),
  ]);
  return rows.map(({ fits, ...row }, index) => {
    const victim = `${key}${index + 1}`;
    return { ...row, victim, fits: (request) => fits(request, victim) };
  });
}
