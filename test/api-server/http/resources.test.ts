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
    const { time } = api.catalog;
    const first = { ...named('a'), source: 'git', created: time, generation: 1, location: 'a.yaml:1' };
    const { body } = await register('git', { ...named('a'), specHash: 'x', location: 'a.yaml:1' });
    expect(body).toEqual({ resources: [first] });
    api.catalog.time += 5000;
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
        body: { source, resources: names.map(named), reason: 'many' },
      })
    ).body;
  const held = async () => (await api.get('/resources/held-deletions')).body.held;

  it('wait for a person, of each source on its own', async () => {
    expect(await hold('git', 'a', 'b')).toMatchObject({ source: 'git', confirmed: false, reason: 'many' });
    await hold('cluster', 'c');
    expect(await held()).toHaveLength(2);
    const { body } = await api.send('POST', '/resources/confirm-deletions?source=git');
    expect(body.confirmed).toMatchObject([{ source: 'git', confirmed: true }]);
    expect(await hold('git', 'b', 'a')).toMatchObject({ confirmed: true });
    expect(await held()).toMatchObject([
      { source: 'cluster', confirmed: false },
      { source: 'git', confirmed: true },
    ]);
  });

  it('of other resources have to be confirmed anew', async () => {
    await hold('git', 'a', 'b');
    await api.send('POST', '/resources/confirm-deletions');
    expect(await hold('git', 'a', 'b', 'c')).toMatchObject({ confirmed: false });
  });

  it('are over when none are reported', async () => {
    await hold('git', 'a');
    await hold('git');
    expect(await held()).toEqual([]);
    await hold('git');
    expect((await api.send('POST', '/resources/confirm-deletions')).body).toEqual({ confirmed: [] });
  });
});
