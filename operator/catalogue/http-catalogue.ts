import type { HttpClient, HttpRequest } from '../../client/http-client.ts';
import { isMissingEntity, MissingError, RejectedError, UnavailableError } from '../../client/http-errors.ts';
import { ENTITY_TYPES } from '../../model/entity-type.ts';
import { escapeWord } from '../../model/query/print.ts';
import type { DatasetSelector } from '../../model/resource/dataset-properties.ts';
import { selects } from '../../model/resource/dataset-selector.ts';
import type { ResourceId } from '../../model/resource/identity.ts';
import { publicFieldOf } from '../../model/search-name.ts';
import { tryParseUrn } from '../../model/urn.ts';
import {
  type AssignmentsAnswer,
  assignmentsIn,
  cascadeIn,
  holderIn,
  type JobsAnswer,
  type OwnedAnswer,
  ownedPropertyIn,
  type PropertyAnswer,
} from './answers.ts';
import type { AssignmentChange, BulkReads, Catalogue, Owner } from './catalogue.ts';
import { readMarks } from './read-marks.ts';
import { selectorQuery } from './selector-query.ts';

const DATASETS_PAGE = '1000';
/** Entities that are read in one request. */
const READ_AT_ONCE = 500;

const HOLDING_TYPES = ENTITY_TYPES.filter(({ holdsProperties }) => holdsProperties).map(({ name }) => name);

/** The catalogue of an API server, by the HTTP interface alone. */
export function createHttpCatalogue(http: HttpClient, source: string): Catalogue & BulkReads {
  async function send<T>(request: HttpRequest): Promise<T> {
    return (await http.send(request)) as T;
  }

  /** Reads what has to be asked for in a body. */
  async function ask<T>(request: Omit<HttpRequest, 'method'>): Promise<T> {
    return await send<T>({ ...request, method: 'POST', readsOnly: true });
  }

  /** An entity and the owner marks on it, of the same moment. */
  async function read<T>(urn: string, ...aspects: string[]): Promise<(T & OwnedAnswer) | undefined> {
    const query = [...aspects.map((aspect) => ['aspects', aspect] as const), ['owners', 'true'] as const];
    try {
      return owned<T>(await send({ method: 'GET', path: entityPath(urn), query }));
    } catch (error) {
      if (isMissingEntity(error)) return undefined;
      // Nothing may be taken for gone because a proxy knows no way to it.
      throw error instanceof MissingError ? new UnavailableError(`${urn}: ${error.message}`) : error;
    }
  }

  /** The same of entities of one type: those that exist, by URN. */
  async function readMany<T>(type: string, urns: readonly string[], ...aspects: string[]) {
    const found = new Map<string, T & OwnedAnswer>();
    const wanted = Object.fromEntries(aspects.map((aspect) => [aspect, {}]));
    const path = `/openapi/v3/entity/${type}/batchGet`;
    for (let start = 0; start < urns.length; start += READ_AT_ONCE) {
      const body = urns.slice(start, start + READ_AT_ONCE).map((urn) => ({ urn, ...wanted }));
      const answers = await ask<(T & Partial<OwnedAnswer>)[]>({ path, query: [['owners', 'true']], body });
      for (const answer of answers.map(owned<T>)) found.set(answer.urn, answer);
    }
    return found;
  }

  return {
    async readProperty(urn) {
      const found = await read<PropertyAnswer>(urn, 'propertyDefinition', 'status');
      return found && ownedPropertyIn(found);
    },

    async readProperties(urns) {
      const found = await readMany<PropertyAnswer>('structuredProperty', urns, 'propertyDefinition', 'status');
      return new Map([...found].map(([urn, answer]) => [urn, ownedPropertyIn(answer)]));
    },

    async writeDefinition(urn, definition, owner) {
      const path = `${entityPath(urn)}/propertyDefinition`;
      await send({ method: 'POST', path, body: definition, headers: ownerHeader(owner) });
    },

    async writeRemoved(urn, removed, owner) {
      const headers = owner === undefined ? {} : ownerHeader(owner);
      await send({ method: 'POST', path: `${entityPath(urn)}/status`, body: { removed }, headers });
    },

    async hardDelete(urn) {
      try {
        await send({ method: 'DELETE', path: entityPath(urn) });
      } catch (error) {
        if (!(error instanceof MissingError)) throw error;
      }
    },

    async readHolder(urn) {
      const found = await read<AssignmentsAnswer>(urn, 'structuredProperties');
      return found && holderIn(found);
    },

    async readHolders(urns) {
      const byType = Map.groupBy(urns, typeOf);
      const found = [...byType].map(([type, ofType]) =>
        readMany<AssignmentsAnswer>(type, ofType, 'structuredProperties'),
      );
      const answers = (await Promise.all(found)).flatMap((some) => [...some]);
      return new Map(answers.map(([urn, answer]) => [urn, holderIn(answer)]));
    },

    async patchAssignments(urn, changes, { owner, create }) {
      const answer = await send<AssignmentsAnswer>({
        method: 'PATCH',
        path: `${entityPath(urn)}/structuredProperties`,
        query: [['createIfEntityNotExists', create ? 'true' : undefined]],
        headers: { 'content-type': 'application/json-patch+json', ...ownerHeader(owner) },
        body: { patch: changes.map(patchOperation), arrayPrimaryKeys: { properties: ['propertyUrn'] } },
      });
      return assignmentsIn(answer);
    },

    async listDatasets(selector) {
      const urns: string[] = [];
      let scrollId: string | undefined;
      do {
        const page = await send<{ entities: { urn: string }[]; scrollId?: string }>({
          method: 'GET',
          path: '/openapi/v3/entity/dataset',
          query: [
            ['query', selectorQuery(selector)],
            ['count', DATASETS_PAGE],
            ['aspects', 'datasetKey'],
            ['scrollId', scrollId],
          ],
        });
        urns.push(...page.entities.map(({ urn }) => urn).filter((urn) => isSelected(selector, urn)));
        scrollId = page.entities.length === 0 ? undefined : page.scrollId;
      } while (scrollId !== undefined);
      return urns;
    },

    async countHolders(definition) {
      const query = [
        ['query', `_exists_:${escapeWord(publicFieldOf(definition))}`],
        ['count', '0'],
      ] as const;
      const body = { entities: HOLDING_TYPES };
      try {
        const path = '/openapi/v3/entity/scroll';
        return (await ask<{ totalCount: number }>({ path, query, body })).totalCount;
      } catch (error) {
        // A search that fails must not stop what does not need one: there may be no search engine at the moment.
        if (error instanceof RejectedError || error instanceof UnavailableError) return undefined;
        throw error;
      }
    },

    async cascadeOf(urn) {
      const query = [
        ['kind', 'cascade'],
        ['subject', urn],
      ] as const;
      return cascadeIn(await send<JobsAnswer>({ method: 'GET', path: '/jobs', query }));
    },

    marksOf: (id) => readMarks(http, [['source', source], ...idQuery(id)]),

    async clearMarks(id) {
      await send({ method: 'DELETE', path: '/owners', query: [['source', source], ...idQuery(id)] });
    },
  };
}

/** @throws UnavailableError when the server does not tell the marks that it was asked for. */
function owned<T>(answer: T & Partial<OwnedAnswer>): T & OwnedAnswer {
  if (answer.owners !== undefined) return answer as T & OwnedAnswer;
  throw new UnavailableError('The API server tells no owner marks with an entity: it is older than this operator');
}

function typeOf(urn: string): string {
  return urn.split(':', 3)[2] ?? '';
}

function entityPath(urn: string): string {
  return `/openapi/v3/entity/${typeOf(urn)}/${encodeURIComponent(urn)}`;
}

function ownerHeader({ source, kind, namespace, name, deletionPolicy }: Owner): Record<string, string> {
  return { 'x-proplane-owner': new URLSearchParams({ source, kind, namespace, name, deletionPolicy }).toString() };
}

function idQuery(id: ResourceId | undefined): (readonly [string, string])[] {
  if (id === undefined) return [];
  return [
    ['kind', id.kind],
    ['namespace', id.namespace],
    ['name', id.name],
  ];
}

function patchOperation(change: AssignmentChange): Record<string, unknown> {
  // RFC 6901: ~ and / inside a step of the path.
  const step = change.propertyUrn.replaceAll('~', '~0').replaceAll('/', '~1');
  const path = `/properties/${step}`;
  if (change.op === 'remove') return { op: 'remove', path };
  return { op: 'add', path, value: { propertyUrn: change.propertyUrn, values: change.values } };
}

function isSelected(selector: DatasetSelector, urn: string): boolean {
  const parsed = tryParseUrn(urn);
  return parsed !== undefined && selects(selector, parsed);
}
