import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TestServer } from '../../harness/http.ts';

let api: TestServer;
beforeEach(async () => {
  api = await TestServer.open();
});
afterEach(() => api.close());

const named = (name: string) => ({ kind: 'DatasetProperties', namespace: 'shop', name });
const pathOf = (name: string) => `/resources/DatasetProperties/shop/${name}`;
const register = (source: string, ...resources: object[]) => api.post('/resources/register', { source, resources });

describe('a resource', () => {
  it('is recorded with the time when it was first seen, and a generation that grows with its spec', async () => {
    const time = api.catalog.clock.now();
    const first = { ...named('a'), source: 'git', created: time, generation: 1, location: 'a.yaml:1' };
    const { body } = await register('git', { ...named('a'), specHash: 'x', location: 'a.yaml:1' });
    expect(body).toEqual({ resources: [first] });
    await api.catalog.clock.advance(5000);
    await register('git', { ...named('a'), specHash: 'x', location: 'a.yaml:1' });
    expect((await api.get(pathOf('a'))).body).toEqual(first);
    await register('git', { ...named('a'), specHash: 'y' });
    const { location: _gone, ...rest } = first;
    expect((await api.get(pathOf('a'))).body).toEqual({ ...rest, generation: 2 });
  });

  it('keeps the status that its operator reports', async () => {
    await register('git', { ...named('a'), specHash: 'x' });
    const status = { observedGeneration: 1, conditions: [{ type: 'Ready', status: 'True' }] };
    const reported = await api.send('PUT', pathOf('a'), { body: { source: 'git', status, location: 'a.yaml:7' } });
    expect(reported.body).toMatchObject({ ...named('a'), status, location: 'a.yaml:7', generation: 1 });
    await register('git', { ...named('a'), specHash: 'y' });
    expect((await api.get(pathOf('a'))).body).toMatchObject({ status, generation: 2 });
  });

  it('of one source is another than that of the same name of another source', async () => {
    await register('git', { ...named('a'), specHash: 'x' });
    await register('cluster', { ...named('a'), specHash: 'z' }, { ...named('b'), specHash: 'z' });
    const names = async (query = '') =>
      (await api.get(`/resources${query}`)).body.resources.map(
        ({ source, name }: { source: string; name: string }) => `${source}/${name}`,
      );
    expect((await names()).sort()).toEqual(['cluster/a', 'cluster/b', 'git/a']);
    expect(await names('?source=git')).toEqual(['git/a']);
    expect((await api.get(`${pathOf('a')}?source=git`)).body.source).toBe('git');
    expect((await api.send('DELETE', `${pathOf('a')}?source=git`)).status).toBe(200);
    expect(await names()).toEqual(['cluster/a', 'cluster/b']);
    expect((await api.send('DELETE', `${pathOf('a')}?source=git`)).status).toBe(200);
    expect((await api.send('DELETE', pathOf('a'))).status).toBe(200);
    expect(await names()).toEqual(['cluster/b']);
  });

  it('that nobody recorded is 404', async () => {
    expect(await api.get(pathOf('none'))).toMatchObject({
      status: 404,
      body: { error: 'Not Found', message: 'There is no DatasetProperties shop/none' },
    });
  });

  it('that is incomplete is refused with all that is missing', async () => {
    const answer = await register('', { kind: 'x', name: '' });
    expect(answer.status).toBe(400);
    for (const place of ['source', 'resources[0].namespace', 'resources[0].name', 'resources[0].specHash']) {
      expect(answer.body.message).toContain(`${place}: `);
    }
  });
});

describe('held deletions', () => {
  const hold = async (source: string, ...names: string[]) =>
    (
      await api.send('PUT', '/resources/held-deletions', {
        body: { source, resources: names.map((name) => ({ ...named(name), reason: 'many' })) },
      })
    ).body;
  const held = async () => (await api.get('/resources/held-deletions')).body.held;

  const confirm = (body: object) => api.post('/resources/confirm-deletions', body);
  const shown = (name: string, confirmed = false) => ({ ...named(name), reason: 'many', confirmed });

  it('wait for a person, of each source on its own', async () => {
    const { id } = await hold('git', 'a', 'b');
    await hold('cluster', 'c');
    expect(await held()).toMatchObject([
      { source: 'cluster', confirmed: false },
      { source: 'git', confirmed: false, resources: [shown('a'), shown('b')] },
    ]);
    expect((await confirm({ source: 'git', id: 'another' })).body).toEqual({ confirmed: [] });
    expect((await confirm({ source: 'git', id })).body.confirmed).toMatchObject([{ source: 'git', confirmed: true }]);
    expect(await hold('git', 'b', 'a')).toMatchObject({ confirmed: true });
    expect(await held()).toMatchObject([
      { source: 'cluster', confirmed: false },
      { source: 'git', confirmed: true },
    ]);
  });

  it('are confirmed one by one, and what joins them is not', async () => {
    await hold('git', 'a', 'b');
    const { body } = await confirm({ source: 'git', resources: [named('a'), named('x')] });
    expect(body.confirmed).toMatchObject([{ resources: [shown('a', true)] }]);
    expect(await hold('git', 'a', 'b', 'c')).toMatchObject({
      resources: [shown('a', true), shown('b'), shown('c')],
      confirmed: false,
    });
    await confirm({ source: 'git', all: true });
    expect(await hold('git', 'b', 'c')).toMatchObject({ confirmed: true });
  });

  it('are over when none are reported', async () => {
    await hold('git', 'a');
    await hold('git');
    expect(await held()).toEqual([]);
    await hold('git');
    expect((await confirm({ source: 'git', all: true })).body).toEqual({ confirmed: [] });
  });

  it.each<[string, { path?: string; type?: string; body?: string }, number]>([
    ['without a body', {}, 400],
    ['without a body, by the query', { path: '?source=git' }, 400],
    ['as a form', { type: 'application/x-www-form-urlencoded', body: 'source=git&all=true' }, 415],
    ['as text', { type: 'text/plain', body: '{"source":"git","all":true}' }, 415],
    ['without saying what', { type: 'application/json', body: '{"source":"git"}' }, 400],
    ['of no source', { type: 'application/json', body: '{"all":true}' }, 400],
    ['of all and of some', { type: 'application/json', body: '{"source":"git","all":true,"id":"x"}' }, 400],
  ])('are not confirmed %s, which a page of elsewhere could send', async (_what, { path = '', type, body }, status) => {
    await hold('git', 'a');
    const headers = type === undefined ? {} : { 'content-type': type };
    const answer = await api.send('POST', `/resources/confirm-deletions${path}`, { headers, body });
    expect(answer.status).toBe(status);
    expect(await held()).toMatchObject([{ confirmed: false }]);
    if (type === undefined) expect(answer.body.message).toContain('application/json');
  });
});
