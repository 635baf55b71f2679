import { type OwnedThing, type OwnerMark, ownersPageSchema } from '../model/wire/owner-mark.ts';
import { allPages } from './all-pages.ts';
import { ask } from './ask.ts';
import type { HttpClient } from './http-client.ts';

const PAGE = '1000';

export type MarkFilter = Partial<Omit<OwnerMark, 'deletionPolicy'>>;

/** All owner marks of the source or the resource, or all there are, page by page. @throws AnyHttpError */
export async function readMarks(http: HttpClient, filter: MarkFilter): Promise<OwnedThing[]> {
  return allPages(
    (after) => {
      const query = [...queryOf(filter), ['count', PAGE], ['after', after]] as const;
      return ask(http, { method: 'GET', path: '/owners', query }, ownersPageSchema);
    },
    ({ owners }) => owners,
  );
}

/** Takes the marks of one resource away; definitions and values stay. @throws AnyHttpError */
export async function clearMarks(http: HttpClient, resource: Required<MarkFilter>): Promise<void> {
  await http.send({ method: 'DELETE', path: '/owners', query: queryOf(resource) });
}

function queryOf({ source, kind, namespace, name }: MarkFilter) {
  return Object.entries({ source, kind, namespace, name });
}
