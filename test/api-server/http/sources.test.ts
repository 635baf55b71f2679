import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { printFence } from '../../../model/wire/fence.ts';
import { type Answer, TestServer } from '../../harness/http.ts';

let api: TestServer;
beforeEach(async () => {
  api = await TestServer.open();
});
afterEach(() => api.close());

const place = { host: 'a', manifests: ['/a/*.yaml'] };
const holder = (id: string) => ({ id, place, pid: 7, processes: 'p' });
const lease = (id: string, more: object = {}): Promise<Answer> =>
  api.send('PUT', '/sources/git/lease', { body: { holder: holder(id), ms: 15_000, ...more } });

/** The fence of whoever got this answer. */
const headersOf = ({ body: { name, lease: id, created, term } }: Answer) => ({
  'x-proplane-fence': printFence({ source: name, shard: '', lease: id, created, transitions: term }),
});

const register = (headers: Record<string, string>) =>
  api.post('/resources/register', { source: 'git', resources: [] }, headers);

describe('the lease of a source', () => {
  it('goes to the first who asks, who renews it, and to nobody else before its end', async () => {
    const first = await lease('one');
    expect(first).toMatchObject({ status: 200, body: { name: 'git', term: 1, holder: holder('one') } });
    await api.catalog.clock.advance(14_000);
    const { since } = first.body.holder;
    expect((await lease('two')).body.holder).toMatchObject({ id: 'one', since });
    expect((await lease('one')).body).toMatchObject({ term: 1, holder: { since, until: since + 29_000 } });
    await api.catalog.clock.advance(14_000);
    expect((await lease('two')).body.holder.id).toBe('one');
    await api.catalog.clock.advance(1001);
    expect((await lease('two')).body).toMatchObject({ term: 2, holder: { id: 'two', since: since + 29_001 } });
    expect((await lease('one')).body.holder.id).toBe('two');
    expect((await api.get('/sources')).body.sources).toMatchObject([{ name: 'git', holder: { id: 'two' } }]);
  });

  it('can be taken at once when it was given back, or its holder is known to be gone', async () => {
    await lease('one');
    await api.send('DELETE', '/sources/git/lease?holder=other');
    expect((await lease('two', { instead: 'other' })).body.holder.id).toBe('one');
    expect((await lease('two', { instead: 'one' })).body).toMatchObject({ term: 2, holder: { id: 'two' } });
    expect((await api.send('DELETE', '/sources/git/lease?holder=two')).status).toBe(200);
    expect((await api.get('/sources')).body.sources[0]).not.toHaveProperty('holder');
    expect((await lease('three')).body).toMatchObject({ term: 3, holder: { id: 'three' } });
  });

  it('does not stay with its holder for as long as a clock was set back', async () => {
    await lease('one');
    api.catalog.clock.jump(-86_400_000);
    expect((await lease('two')).body.holder.id).toBe('two');
  });

  it('has everything refused that an earlier holder still sends, from the answer on', async () => {
    const first = headersOf(await lease('one'));
    expect((await register(first)).status).toBe(200);
    const second = headersOf(await lease('two', { instead: 'one' }));
    expect(await register(first)).toMatchObject({ status: 409, body: { error: 'Fenced' } });
    const where = { body: place, headers: first };
    expect((await api.send('PUT', '/sources/git/place', where)).status).toBe(409);
    expect((await register(second)).status).toBe(200);
  });

  it('remembers where the resources of its source are', async () => {
    const put = (headers = {}) => api.send('PUT', '/sources/git/place', { body: place, headers });
    expect((await put()).status).toBe(404);
    expect((await put(headersOf(await lease('one')))).body).toMatchObject({ place, holder: { id: 'one' } });
    expect((await lease('one')).body.place).toEqual(place);
  });

  it('is asked for with all that is needed', async () => {
    const answer = await api.send('PUT', '/sources/git/lease', { body: { holder: { id: '' }, ms: 0 } });
    expect(answer.status).toBe(400);
    for (const part of ['holder.id', 'holder.place', 'holder.pid', 'ms: ']) expect(answer.body.message).toContain(part);
  });
});
