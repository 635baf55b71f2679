import { KUBE_RESOURCES } from '../../../operator/source/kubernetes/kube-kinds.ts';
import type { Sent } from './proxied-operator.ts';
import { datasetUrn, fieldUrn, propertyUrn } from './wishes.ts';

/** Name of the resource that wishes for the same as `name` does. */
export function heirOf(name: string): string {
  return `${name}-heir`;
}

/** A request that the operator sends for a resource of the wishes `name`, by what it does. */
export interface NamedStep {
  readonly what: string;
  /** Whether it was answered makes no difference: it reads, or nobody waits for it. */
  readonly beforeOnly?: true;
  readonly fits: (request: Sent, name: string) => boolean;
}

const PROPERTY = KUBE_RESOURCES.StructuredProperty.plural;
const VALUES = KUBE_RESOURCES.DatasetProperties.plural;

/** A patch of the resource, or of its status, in the cluster. */
function patched(
  what: string,
  plural: string,
  end: '' | '/status',
  fits: (operations: Operation[]) => boolean,
): NamedStep {
  return {
    what,
    fits: ({ to, method, path, body }, name) =>
      to === 'cluster' && method === 'PATCH' && path.endsWith(`/${plural}/${name}${end}`) && fits(JSON.parse(body)),
  };
}

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly value: unknown;
}

interface WrittenStatus {
  readonly holders?: number;
  readonly conditions: readonly { readonly type: string; readonly reason: string }[];
}

function status(what: string, plural: string, fits: (reason: string, status: WrittenStatus) => boolean): NamedStep {
  return patched(what, plural, '/status', (operations) => {
    const written = operations.find(({ path }) => path === '/status')?.value as WrittenStatus;
    return fits(written.conditions.find(({ type }) => type === 'Ready')?.reason ?? '', written);
  });
}

function finalizer(what: string, plural: string, op: 'add' | 'remove'): NamedStep {
  const isOfFinalizers = (operation: Operation): boolean =>
    operation.op === op && operation.path.startsWith('/metadata/finalizers');
  return patched(what, plural, '', (operations) => operations.some(isOfFinalizers));
}

function onServer(
  what: string,
  method: string,
  fits: (path: string, name: string, request: Sent) => boolean,
): NamedStep {
  return {
    what,
    fits: (request, name) =>
      request.to === 'server' && request.method === method && fits(decodeURIComponent(request.path), name, request),
  };
}

const ofDefinition = (name: string): string => `/${propertyUrn(`e2e.${name}`)}`;
const ofValues = (urn: string): string => `/${urn}/structuredProperties`;
const statusOfProperty = (what: string): NamedStep =>
  onServer(what, 'POST', (path, name) => path.endsWith(`${ofDefinition(name)}/status`));
const asks = ({ query }: Sent, name: string, what: string): boolean => query.get(what) === name;

/** The same step of the resource that inherits from `name`. */
function ofHeir(step: NamedStep): NamedStep {
  return { ...step, fits: (request, name) => step.fits(request, heirOf(name)) };
}

/** What the operator sends for a StructuredProperty `name` and a DatasetProperties `name` that refers to it. */
export const STEPS = {
  propertySeen: status('the property gets its first status', PROPERTY, (reason) => reason === 'Progressing'),
  propertyProtected: finalizer('the finalizer of the property is added', PROPERTY, 'add'),
  defined: onServer('the definition is written', 'POST', (path, name) =>
    path.endsWith(`${ofDefinition(name)}/propertyDefinition`),
  ),
  propertyMarked: statusOfProperty('the property is marked as its own'),
  propertyApplied: status(
    'the property is said to be applied',
    PROPERTY,
    (reason, { holders }) => reason === 'Applied' && holders === 0,
  ),
  recounted: status(
    'another number of holders is said',
    PROPERTY,
    (reason, { holders }) => reason === 'Applied' && holders !== 0,
  ),
  valuesSeen: status('the values get their first status', VALUES, (reason) => reason === 'Progressing'),
  valuesWait: status('the values are said to lack their property', VALUES, (reason) => reason.startsWith('Reference')),
  valuesProtected: finalizer('the finalizer of the values is added', VALUES, 'add'),
  datasetCreated: onServer(
    'the dataset is created',
    'PATCH',
    (path, name, request) =>
      path.endsWith(ofValues(datasetUrn(name))) && asks(request, 'true', 'createIfEntityNotExists'),
  ),
  valueOnDataset: onServer(
    'the value is put on the dataset',
    'PATCH',
    (path, name, { body }) => path.endsWith(ofValues(datasetUrn(name))) && body.includes('"op":"add"'),
  ),
  valueOnField: onServer(
    'the value is put on the field',
    'PATCH',
    (path, name, { body }) => path.endsWith(ofValues(fieldUrn(name))) && body.includes('"op":"add"'),
  ),
  valuesApplied: status('the values are said to be applied', VALUES, (reason) => reason === 'Applied'),

  marksRead: {
    ...onServer(
      'it is asked what belongs to the resource',
      'GET',
      (path, name, request) => path === '/owners' && asks(request, name, 'name'),
    ),
    beforeOnly: true,
  },
  definitionDeleted: onServer('the definition is deleted', 'DELETE', (path, name) => path.endsWith(ofDefinition(name))),
  definitionRead: {
    ...onServer('it is asked whose the definition is', 'GET', (path, name) => path.endsWith(ofDefinition(name))),
    beforeOnly: true,
  },
  cascadeRead: {
    ...onServer(
      'it is asked how far the cascade is',
      'GET',
      (path, name, request) => path === '/jobs' && asks(request, propertyUrn(`e2e.${name}`), 'subject'),
    ),
    beforeOnly: true,
  },
  cascadeSaid: status('the progress of the cascade is said', PROPERTY, (reason) => reason === 'Deleting'),
  searched: {
    ...onServer(
      'it is searched for what is left',
      'POST',
      (path, name, { query }) => path.endsWith('/scroll') && query.get('query')?.endsWith(`e2e_${name}`) === true,
    ),
    beforeOnly: true,
  },
  softDeleted: statusOfProperty('the property is soft deleted'),
  valueOffDataset: onServer(
    'the value is taken off the dataset',
    'PATCH',
    (path, name, { body }) => path.endsWith(ofValues(datasetUrn(name))) && body.includes('"op":"remove"'),
  ),
  valueOffField: onServer(
    'the value is taken off the field',
    'PATCH',
    (path, name, { body }) => path.endsWith(ofValues(fieldUrn(name))) && body.includes('"op":"remove"'),
  ),
  marksCleared: onServer(
    'the owner marks are cleared',
    'DELETE',
    (path, name, request) => path === '/owners' && asks(request, name, 'name'),
  ),
  propertyReleased: finalizer('the finalizer of the property is removed', PROPERTY, 'remove'),
  valuesReleased: finalizer('the finalizer of the values is removed', VALUES, 'remove'),
  heirProtected: ofHeir(finalizer('the finalizer of the heir is added', PROPERTY, 'add')),
  propertyLeft: statusOfProperty('the property is left to the heir'),
  propertyInherited: ofHeir(status('the heir is said to be applied', PROPERTY, (reason) => reason === 'Applied')),
  valuesInherited: ofHeir(status('the heir is said to be applied', VALUES, (reason) => reason === 'Applied')),
  eventSent: {
    what: 'an event is recorded',
    fits: ({ to, method, path, body }, name) =>
      to === 'cluster' &&
      method === 'POST' &&
      path.endsWith('/events') &&
      [name, heirOf(name)].includes(JSON.parse(body).regarding.name),
    // Events are sent one after the other.
    beforeOnly: true,
  },
} satisfies Record<string, NamedStep>;
