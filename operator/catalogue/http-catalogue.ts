import {
  countHoldersIfPossible,
  deleteEntity,
  entityTypeOf,
  listEntities,
  patchAspect,
  readEntities,
  readEntity,
  writeAspect,
} from '../../client/entities.ts';
import type { Entity } from '../../client/entity.ts';
import type { HttpClient } from '../../client/http-client.ts';
import { MissingError, UnavailableError } from '../../client/http-errors.ts';
import { listJobs } from '../../client/jobs.ts';
import { clearMarks, readMarks } from '../../client/owner-marks.ts';
import { escapeToken } from '../../model/patch.ts';
import type { DatasetSelector } from '../../model/resource/dataset-properties.ts';
import { selects } from '../../model/resource/dataset-selector.ts';
import { tryParseUrn } from '../../model/urn.ts';
import { cascadeIn } from './cascade.ts';
import {
  type AssignmentChange,
  type BulkReads,
  type Catalogue,
  isOnAssignment,
  type ObservedHolder,
  type OwnedProperty,
  type OwnerMark,
} from './catalogue.ts';
import { selectorQuery } from './selector-query.ts';

const PROPERTY_ASPECTS = ['propertyDefinition', 'status'];
const HOLDER_ASPECTS = ['structuredProperties'];

/** The catalogue of an API server, by the HTTP interface alone. */
export function createHttpCatalogue(http: HttpClient, source: string): Catalogue & BulkReads {
  /** An entity and the owner marks on it, of the same moment. */
  async function read(urn: string, aspects: readonly string[]): Promise<OwnedEntity | undefined> {
    const found = await readEntity(http, urn, { aspects, owners: true }).catch((error: unknown) => {
      // Nothing may be taken for gone because a proxy knows no way to it.
      throw error instanceof MissingError ? new UnavailableError(`${urn}: ${error.message}`) : error;
    });
    return found && owned(found);
  }

  /** The same of entities of one type: those that exist. */
  async function readMany(type: string, urns: readonly string[], aspects: readonly string[]): Promise<OwnedEntity[]> {
    return (await readEntities(http, type, urns, { aspects, owners: true })).map(owned);
  }

  return {
    async readProperty(urn) {
      const found = await read(urn, PROPERTY_ASPECTS);
      return found && propertyIn(found);
    },

    async readProperties(urns) {
      const found = await readMany('structuredProperty', urns, PROPERTY_ASPECTS);
      return new Map(found.map((entity) => [entity.urn, propertyIn(entity)]));
    },

    writeDefinition: (urn, definition, owner) => writeAspect(http, urn, 'propertyDefinition', definition, owner),
    writeRemoved: (urn, removed, owner) => writeAspect(http, urn, 'status', { removed }, owner),

    async hardDelete(urn) {
      try {
        await deleteEntity(http, urn);
      } catch (error) {
        if (!(error instanceof MissingError)) throw error;
      }
    },

    async readHolder(urn) {
      const found = await read(urn, HOLDER_ASPECTS);
      return found && holderIn(found);
    },

    async readHolders(urns) {
      const byType = [...Map.groupBy(urns, entityTypeOf)];
      const found = await Promise.all(byType.map(([type, ofType]) => readMany(type, ofType, HOLDER_ASPECTS)));
      return new Map(found.flat().map((entity) => [entity.urn, holderIn(entity)]));
    },

    async patchAssignments(urn, changes, write) {
      const body = { patch: changes.map(patchOperation), arrayPrimaryKeys: { properties: ['propertyUrn'] } };
      return (await patchAspect(http, urn, 'structuredProperties', body, write)).assignments;
    },

    async listDatasets(selector) {
      const listed = listEntities(http, 'dataset', { query: selectorQuery(selector), aspects: ['datasetKey'] });
      return (await Array.fromAsync(listed, ({ urn }) => urn)).filter((urn) => isSelected(selector, urn));
    },

    countHolders: (definition) => countHoldersIfPossible(http, definition),
    cascadeOf: async (urn) => cascadeIn(await listJobs(http, { kind: 'cascade', subject: urn })),
    marksOf: (id) => readMarks(http, { source, ...id }),
    clearMarks: (id) => clearMarks(http, { source, ...id }),
  };
}

type OwnedEntity = Entity & { readonly owners: readonly OwnerMark[] };

/** @throws UnavailableError when the server does not tell the marks that it was asked for. */
function owned({ owners, ...entity }: Entity): OwnedEntity {
  if (owners !== undefined) return { ...entity, owners };
  throw new UnavailableError('The API server tells no owner marks with an entity: it is older than this operator');
}

function propertyIn({ definition, removed, owners }: OwnedEntity): OwnedProperty {
  const mark = owners.find((one) => !isOnAssignment(one));
  return { removed, ...(definition === undefined ? {} : { definition }), ...(mark === undefined ? {} : { mark }) };
}

function holderIn({ assignments, owners }: OwnedEntity): ObservedHolder {
  return { assignments, marks: owners.filter(isOnAssignment) };
}

function patchOperation(change: AssignmentChange): Record<string, unknown> {
  const path = `/properties/${escapeToken(change.propertyUrn)}`;
  if (change.op === 'remove') return { op: 'remove', path };
  return { op: 'add', path, value: { propertyUrn: change.propertyUrn, values: change.values } };
}

function isSelected(selector: DatasetSelector, urn: string): boolean {
  const parsed = tryParseUrn(urn);
  return parsed !== undefined && selects(selector, parsed);
}
