import type { HttpClient, HttpRequest } from '../../client/http-client.ts';
import type { OwnerMark } from './catalogue.ts';

const PAGE = '1000';

/** All owner marks that the query narrows `GET /owners` to, page by page. @throws AnyHttpError */
export async function readMarks(http: HttpClient, query: NonNullable<HttpRequest['query']>): Promise<OwnerMark[]> {
  const all: OwnerMark[] = [];
  let after: string | undefined;
  do {
    const page = (await http.send({
      method: 'GET',
      path: '/owners',
      query: [...query, ['count', PAGE], ['after', after]],
    })) as { owners: OwnerMark[]; next?: string };
    all.push(...page.owners);
    after = page.next;
  } while (after !== undefined);
  return all;
}
