import { describe, expect, it } from '@jest/globals';
import { WorkerClient } from '../../../../api-server/search/threads/worker-client.ts';

const start = () => new WorkerClient(new URL('../../../harness/failing-worker.ts', import.meta.url));

describe('WorkerClient', () => {
  it('gives each caller the answer to its own call', async () => {
    const client = start();
    const calls = Array.from({ length: 50 }, (_, at) => client.call('echo', at));
    expect(await Promise.all(calls)).toEqual(Array.from({ length: 50 }, (_, at) => at));
    await client.terminate();
  });

  it.each([
    ['ends', 'exit', 'the worker thread has ended (3)'],
    ['throws', 'throw', 'out of luck'],
  ])('rejects the calls under way and all later ones when the worker %s', async (_what, method, message) => {
    const client = start();
    const waiting = client.call('wait');
    const deadly = client.call(method);
    await expect(waiting).rejects.toThrow(message);
    await expect(deadly).rejects.toThrow(message);
    await expect(client.call('echo', 1)).rejects.toThrow(message);
    await client.terminate();
  });

  it('rejects the calls under way when it is terminated', async () => {
    const client = start();
    await client.call('echo', 1);
    const waiting = client.call('wait');
    const ended = client.terminate();
    await expect(waiting).rejects.toThrow('the worker thread has ended');
    await ended;
  });

  it('rejects what cannot be sent to another thread, and goes on', async () => {
    const client = start();
    await expect(client.call('echo', () => undefined)).rejects.toThrow('could not be cloned');
    expect(await client.call('echo', 1)).toBe(1);
    await client.terminate();
  });
});
