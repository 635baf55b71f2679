import type {
  AspectDifference,
  EntityChange,
  FieldChange,
  Note,
  Plan,
  PropertyChange,
  Refused,
  ValueChange,
} from '../plan-shape.ts';
import { counted, number } from './words.ts';

/** A piece of a line: words of ours, or data that must not be taken for anything but text. */
export type Part = string | { readonly data: string /** Characters that are shown. */; readonly longest: number };
export type Line = readonly Part[];

interface Place {
  readonly location?: string | undefined;
  readonly resource?: string | undefined;
  readonly deletionPolicy?: string | undefined;
}

export type Sign = '+' | '~' | '-' | '!' | '=' | 'x' | '?';

export interface Item {
  readonly symbol: Sign;
  readonly head: Line;
  readonly details: readonly { readonly symbol: Sign | ''; readonly line: Line }[];
}

export interface Section {
  readonly title: string;
  readonly items: readonly Item[];
}

/** A message names every violated rule with its place. */
const LONGEST_MESSAGE = 2000;

/** Of one line; the values of a property have no limit. */
const MOST_VALUES = 20;

const PROPERTY_PREFIX = 'urn:li:structuredProperty:';

const SYMBOLS: Readonly<Record<string, Sign>> = {
  create: '+',
  change: '~',
  break: '!',
  softDelete: '-',
  restore: '+',
  delete: '-',
  keep: '=',
  add: '+',
  replace: '~',
  remove: '-',
};

/** Everything that a plan says, in the order in which it is read; sections without items are left out. */
export function outlineOf(plan: Plan): Section[] {
  const sections: Section[] = [
    { title: 'Files that cannot be used', items: plan.problems.map((problem) => noted('x', problem)) },
    { title: 'Refused', items: plan.refused.map((refused) => noted('x', refused)) },
    { title: 'Properties', items: plan.properties.map(propertyItem) },
    { title: 'Datasets and other entities', items: plan.entities.map(entityItem) },
    { title: 'Waiting', items: plan.waiting.map((note) => noted('?', note)) },
    { title: 'Warnings', items: plan.warnings.map((note) => noted('!', note)) },
  ];
  return sections.filter(({ items }) => items.length > 0);
}

function propertyItem(change: PropertyChange): Item {
  return {
    symbol: SYMBOLS[change.action] ?? '~',
    head: [data(nameOf(change.urn)), ' ', ...saidOf(change), ...placeOf(change)],
    details: change.fields.map((field) => ({ symbol: '', line: fieldLine(field) })),
  };
}

function saidOf(change: PropertyChange): Part[] {
  const gone = goneParts(change.deletionPolicy);
  switch (change.action) {
    case 'create':
      return ['is created'];
    case 'change':
      return handedOver(change.fields)
        ? ['is handed over to ', data(change.resource ?? 'another resource')]
        : ['is changed'];
    case 'break':
      return ['is changed in a breaking way, under a greater version', ...lossOf(change, 'hidden')];
    case 'softDelete':
      return ['is soft deleted', ...gone, ...lossOf(change, 'hidden')];
    case 'restore':
      return ['is restored; its hidden values come back'];
    case 'delete':
      return ['is hard deleted', ...gone, ...lossOf(change, 'removed')];
    case 'keep':
      return ['is kept', ...gone, ' and not managed any more'];
  }
}

/** Nothing changes but the resource that the property belongs to. */
function handedOver(fields: readonly FieldChange[]): boolean {
  const [owner] = fields;
  if (fields.length !== 1 || owner?.field !== 'owner') return false;
  return (
    owner.before !== undefined && owner.after !== undefined && nameOfOwner(owner.before) !== nameOfOwner(owner.after)
  );
}

/** Without the deletion policy. */
function nameOfOwner(owner: string): string {
  return owner.replace(/ \(\w+\)$/u, '');
}

/** What happens to values everywhere, also on entities that no file names. */
function lossOf({ holders }: PropertyChange, fate: string): Part[] {
  if (holders === undefined) return [];
  if (holders.length === 0) return ['; no entity holds a value'];
  return [`; values on ${holders.map(({ entityType, count }) => counted(count, entityType)).join(', ')} are ${fate}`];
}

function entityItem(change: EntityChange): Item {
  const place =
    change.dataset === undefined ? [data(change.urn)] : [data(change.dataset), ' field ', data(change.fieldPath ?? '')];
  const said = { create: ' is created', change: '', keep: ' keeps its values' }[change.action];
  const own = placeText(change);
  const gone = change.values.find((value) => value.deletionPolicy !== undefined && placeText(value) === own);
  return {
    symbol: SYMBOLS[change.action] ?? '~',
    head: [...place, said, ...placeOf({ ...change, deletionPolicy: gone?.deletionPolicy })],
    details: [
      ...change.values.map((value) => ({ symbol: SYMBOLS[value.action] ?? '~', line: valueLine(value, own) })),
      ...change.aspects.flatMap(aspectDetails),
    ],
  };
}

/** A line for each field: `~ datasetProperties.description: "old" → "new"`. */
function aspectDetails({ field: aspect, action, fields }: AspectDifference): Item['details'] {
  if (fields.length === 0) return [{ symbol: SYMBOLS[action] ?? '~', line: ['aspect ', data(aspect), ' is added'] }];
  return fields.map(({ field, ...change }) => {
    const named: Part[] = [data(`${aspect}.${field}`), ': '];
    if (change.before === undefined) return { symbol: '+', line: [...named, data(change.after ?? '')] };
    if (change.after === undefined) return { symbol: '-', line: [...named, data(change.before)] };
    return { symbol: '~', line: [...named, ...fromTo(change)] };
  });
}

function valueLine(value: ValueChange, entityPlace: string | undefined): Line {
  const { action, before = [], after = [], owner } = value;
  const shown = action === 'remove' || action === 'keep' ? listed(before) : listed(after);
  const from: Part[] = action === 'replace' ? [...listed(before), ' → '] : [];
  return [
    data(nameOf(value.propertyUrn)),
    ': ',
    ...from,
    ...shown,
    // One reason is enough.
    ...(value.because === undefined
      ? goneParts(value.deletionPolicy)
      : [` (${BECAUSE[value.because] ?? value.because})`]),
    ...ownerParts(action, owner),
    ...(placeText(value) === entityPlace ? [] : placeOf(value)),
  ];
}

const BECAUSE: Readonly<Record<string, string>> = {
  delete: 'the property is deleted',
  break: 'hidden by the breaking change',
  softDelete: 'hidden: the property is soft deleted',
  restore: 'it comes back: the property is restored',
};

/** An owner that comes or goes with the value says nothing new. */
function ownerParts(action: ValueChange['action'], owner: ValueChange['owner']): Part[] {
  if (owner === undefined || (action === 'add' && owner.before === undefined)) return [];
  if (action === 'remove' && owner.after === undefined) return [];
  return ['; owner ', ...fromTo(owner)];
}

function fieldLine({ field, ...change }: FieldChange): Line {
  if (change.before === undefined) return [data(field), ': ', data(change.after ?? '')];
  return [data(field), ': ', ...fromTo(change)];
}

function fromTo({ before, after }: Omit<FieldChange, 'field'>): Part[] {
  return [before === undefined ? 'none' : data(before), ' → ', after === undefined ? 'none' : data(after)];
}

function noted(symbol: Sign, note: Note | Refused): Item {
  const urn = 'urn' in note && note.urn !== undefined ? [data(note.urn), ' '] : [];
  const resource = note.resource === undefined ? [] : [data(note.resource), ' '];
  return {
    symbol,
    head: [
      ...resource,
      ...urn,
      `${note.reason}: `,
      data(note.message, LONGEST_MESSAGE),
      ...placeOf({ location: note.location }),
    ],
    details: [],
  };
}

function placeOf(from: Place): Part[] {
  const text = placeText(from);
  if (text === undefined) return [];
  // Of a manifest that is gone only the place where it was is known.
  return [from.deletionPolicy === undefined || from.location === undefined ? '  ' : '  was ', data(text)];
}

function placeText({ location, resource }: Place): string | undefined {
  return location ?? resource;
}

/** The policy is what an owner mark says, and anybody can have written that. */
function goneParts(deletionPolicy: string | undefined): Part[] {
  return deletionPolicy === undefined ? [] : [' (its manifest is gone: ', data(deletionPolicy), ')'];
}

function nameOf(urn: string): string {
  return urn.startsWith(PROPERTY_PREFIX) ? urn.slice(PROPERTY_PREFIX.length) : urn;
}

function listed(values: readonly string[]): Part[] {
  const shown = values
    .slice(0, MOST_VALUES)
    .flatMap((value, index) => (index === 0 ? [data(value)] : [', ', data(value)]));
  return values.length > MOST_VALUES ? [...shown, `, … and ${number(values.length - MOST_VALUES)} more`] : shown;
}

function data(text: string, longest = 200): Part {
  return { data: text, longest };
}
