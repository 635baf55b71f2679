import { type OwnedThing, type OwnerMark, ownersPageSchema } from '../model/wire/owner-mark.ts';
import { ask } from './ask.ts';
import type { HttpClient } from './http-client.ts';

const PAGE = '1000';

export type MarkFilter = Partial<Omit<OwnerMark, 'deletionPolicy'>>;

/** All owner marks of the source or the resource, or all there are, page by page. @throws AnyHttpError */
export async function readMarks(http: HttpClient, filter: MarkFilter): Promise<OwnedThing[]> {
  const all: OwnedThing[] = [];
  let after: string | undefined;
  do {
    const query = [...queryOf(filter), ['count', PAGE], ['after', after]] as const;
    const page = await ask(http, { method: 'GET', path: '/owners', query }, ownersPageSchema);
    for (const each of page.owners) all.push(each);
    after = page.next;
  } while (after !== undefined);
  return all;
}

/** Takes the marks of one resource away; definitions and values stay. @throws AnyHttpError */
export async function clearMarks(http: HttpClient, resource: Required<MarkFilter>): Promise<void> {
  await http.send({ method: 'DELETE', path: '/owners', query: queryOf(resource) });
}

function queryOf({ source, kind, namespace, name }: MarkFilter) {
  return Object.entries({ source, kind, namespace, name });
}
