import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createAccessToken, listAccessTokens, revokeAccessToken } from '../../client/access-tokens.ts';
import { createHttpClient, type HttpClient } from '../../client/http-client.ts';

interface Asked {
  query: string;
  variables: { input?: { start?: number }; tokenId?: string };
}

let server: Server;
let http: HttpClient;
let answers: unknown[];
const asked: Asked[] = [];
beforeEach(async () => {
  asked.length = 0;
  server = createServer(async (request, response) => {
    asked.push((await json(request)) as Asked);
    response.end(JSON.stringify(answers.shift()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  http = createHttpClient({ host: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const token = (id: string) => ({
  id,
  name: 'n',
  description: null,
  actorUrn: 'urn:li:corpuser:ada',
  ownerUrn: 'urn:li:corpuser:operator',
  createdAt: 1,
  expiresAt: null,
});
const failed = (code: number) => ({ data: null, errors: [{ message: 'why', locations: [], extensions: { code } }] });

describe('a token', () => {
  it('is made, and told once', async () => {
    answers = [{ data: { createAccessToken: { accessToken: 'secret', metadata: token('x') } } }];
    const input = { actorUrn: 'urn:li:corpuser:ada', duration: 'ONE_DAY', name: 'n' } as const;
    expect(await createAccessToken(http, input)).toEqual({ accessToken: 'secret', metadata: token('x') });
    expect(asked[0]?.variables).toEqual({ input: { type: 'PERSONAL', ...input } });
  });

  it('is revoked; whether it was there is told', async () => {
    answers = [{ data: { revokeAccessToken: true } }, failed(404)];
    expect([await revokeAccessToken(http, 'x+/='), await revokeAccessToken(http, 'y')]).toEqual([true, false]);
    expect(asked.map(({ variables }) => variables)).toEqual([{ tokenId: 'x+/=' }, { tokenId: 'y' }]);
  });

  it.each([
    [400, 'rejected'],
    [401, 'unauthorized'],
    [403, 'unauthorized'],
    [409, 'conflict'],
    [500, 'unavailable'],
    [503, 'unavailable'],
  ])('that cannot be had for the reason %s is an error like that of a request', async (code, expected) => {
    answers = [failed(code), failed(code)];
    await expect(listAccessTokens(http, {})).rejects.toMatchObject({ code: expected, message: 'why' });
    await expect(revokeAccessToken(http, 'x')).rejects.toMatchObject({ code: expected });
  });

  it('is an error of the server when the answer is none of GraphQL', async () => {
    answers = [{ hello: 1 }];
    await expect(revokeAccessToken(http, 'x')).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('tokens', () => {
  const page = (total: number, ...ids: string[]) => ({ data: { listAccessTokens: { total, tokens: ids.map(token) } } });

  it('are listed page by page, each once, by whom they act as', async () => {
    const first = Array.from({ length: 100 }, (_, index) => `t${index}`);
    answers = [page(102, ...first), page(102, 't99', 't100')];
    const found = await listAccessTokens(http, { actorUrn: 'urn:li:corpuser:ada', ownerUrn: undefined });
    expect(found.map(({ id }) => id)).toEqual([...first, 't100']);
    const filters = [{ field: 'actorUrn', values: ['urn:li:corpuser:ada'] }];
    expect(asked.map(({ variables }) => variables.input)).toEqual([
      { start: 0, count: 100, filters },
      { start: 100, count: 100, filters },
    ]);
  });

  it('end with a page that has none, whatever the total says', async () => {
    answers = [page(200, 'a'), page(200)];
    expect(await listAccessTokens(http, {})).toHaveLength(1);
  });
});
