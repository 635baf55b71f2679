import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { FakeServer } from '../harness/fake-server.ts';
import { property } from '../harness/manifests.ts';
import { OperatorBench } from '../harness/operator-bench.ts';

let server: FakeServer;
let bench: OperatorBench;

beforeEach(async () => {
  server = await new FakeServer().listen();
  bench = await OperatorBench.create(server.url);
});

afterEach(async () => {
  await bench.close();
  await server.close();
});

it('an AccessToken in a folder is refused in words, keeps nobody else, and can be taken away again', async () => {
  await bench.write('token.yaml', {
    apiVersion: 'catalog.proplane.dev/v1alpha1',
    kind: 'AccessToken',
    metadata: { name: 'loader' },
    spec: { actor: 'ada', secretName: 'loader' },
  });
  await bench.write('all.yaml', property());
  await bench.start();
  expect(await bench.reason('loader', 'Unsupported')).toMatchObject({
    state: 'stalled',
    message: expect.stringMatching(/^resources\/token\.yaml:1: .* takes an operator on a cluster$/u),
  });
  await bench.reason('retention', 'Applied');
  await bench.remove('token.yaml');
  await bench.eventually(async () => expect(bench.row('loader')).toBeUndefined());
  expect(server.tokens.created).toBe(0);
});
