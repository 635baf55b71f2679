import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Api, entityPath } from '../harness/api.ts';
import { CommandHost } from '../harness/command-host.ts';
import type { CommandRun } from '../harness/command-line.ts';
import { type Deployment, onEachDeployment } from '../harness/deployments.ts';
import { programEnvironment } from '../harness/program-environment.ts';
import { ProplaneProcess } from '../harness/proplane-process.ts';

/** `npm run system-update` as the chart's hook and people run it; what it does in a process that is there already. */

const ROOT = join(import.meta.dirname, '../..');
const BOTH = {
  SEARCH_INDEX_BUILDER_MAPPINGS_REINDEX: 'true',
  ENABLE_STRUCTURED_PROPERTIES_SYSTEM_UPDATE: 'true',
};

await onEachDeployment((newDeployment) => {
  let deployment: Deployment;
  let proplane: ProplaneProcess;
  let commands: CommandHost;

  beforeAll(async () => {
    commands = new CommandHost();
    deployment = await newDeployment();
    // The whole product begins a system update of its own, which the commands would join.
    proplane = await ProplaneProcess.start({ deployment, role: 'api-server' });
    const api = new Api(proplane.url);
    for (const name of ['live', 'soft']) {
      const urn = `urn:li:structuredProperty:com.example.${name}`;
      const definition = { qualifiedName: `com.example.${name}`, valueType: 'string', entityTypes: ['dataset'] };
      await api.post(entityPath('v3', urn, 'propertyDefinition'), definition);
      const values = { properties: [{ propertyUrn: urn, values: [{ string: 'v' }] }] };
      const dataset = `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
      await api.post(`${entityPath('v3', dataset, 'structuredProperties')}?createIfEntityNotExists=true`, values);
      await api.post(entityPath('v3', urn, 'status'), { removed: name === 'soft' });
    }
  }, 180_000);

  afterAll(async () => {
    await commands?.close();
    await proplane?.kill();
    await deployment?.remove();
  });

  function command(environment: Record<string, string>, ...options: string[]): Promise<CommandRun> {
    return commands.run({ PROPLANE_HOST: proplane.url, ...environment }, ['system-update', ...options]);
  }

  async function npmCommand(environment: Record<string, string>): Promise<CommandRun> {
    const child = spawn('npm', ['run', '--silent', 'system-update'], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...programEnvironment(),
        PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
        HOME: process.env.HOME ?? '',
        PROPLANE_HOST: proplane.url,
        ...environment,
      },
    });
    const output = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk) => (output.stdout += String(chunk)));
    child.stderr.on('data', (chunk) => (output.stderr += String(chunk)));
    const [code] = await once(child, 'close');
    return { code, ...output };
  }

  describe('the command system-update', () => {
    it('says what to set when it has nothing to do, and does nothing', async () => {
      const { code, stdout } = await npmCommand({ ...BOTH, ENABLE_STRUCTURED_PROPERTIES_SYSTEM_UPDATE: 'false' });
      expect([code, stdout]).toEqual([0, expect.stringContaining('Nothing to do: set SEARCH_INDEX_BUILDER_MAPPINGS')]);
    });

    it.each(['SEARCH_INDEX_BUILDER_MAPPINGS_REINDEX', 'ELASTICSEARCH_INDEX_BUILDER_MAPPINGS_REINDEX'])(
      'follows the job to its end in plain lines, asked by %s',
      async (name) => {
        const environment = { [name]: 'true', ENABLE_STRUCTURED_PROPERTIES_SYSTEM_UPDATE: 'true' };
        const { code, stdout, stderr } = await npmCommand(environment);
        expect([code, stderr]).toEqual([0, expect.stringMatching(/(?:^|\n)done: 4 of 4 entities\n$/u)]);
        expect(stdout).toMatch(/^The search index was rebuilt: 4 entities\n/u);
        expect(stdout).toContain('  kept     structuredProperties.com_example_live (live, 1 entity)\n');
        expect(stdout).toContain('  kept     structuredProperties.com_example_soft (soft deleted, 1 entity)\n');
      },
    );

    it('prints the job as JSON and nothing else with --json', async () => {
      const { code, stdout } = await command(BOTH, '--json');
      expect([code, JSON.parse(stdout)]).toEqual([
        0,
        expect.objectContaining({ kind: 'system-update', state: 'done' }),
      ]);
    });

    it('gives up with 1 when the server stays away, and says where it looked', async () => {
      const { code, stderr } = await command({ ...BOTH, PROPLANE_HOST: 'http://127.0.0.1:1' }, '--timeout', '1');
      expect([code, stderr]).toEqual([1, expect.stringContaining('No answer from http://127.0.0.1:1')]);
    });

    it.each([
      ['failed', 'The system update failed: the engine is full'],
      ['cancelled', 'The system update was cancelled'],
    ])('ends with 1 when the job has %s', async (state, message) => {
      const about = { id: 'system-update', kind: 'system-update', subject: 'index', pass: 1, created: 0 };
      const job = { ...about, state, total: 9, processed: 3, remaining: 6, error: 'the engine is full' };
      const server = createServer((_request, response) => response.end(JSON.stringify(job)));
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const { code, stderr } = await command({ ...BOTH, PROPLANE_HOST: `http://127.0.0.1:${port}` });
      server.close();
      expect([code, stderr]).toEqual([1, expect.stringMatching(new RegExp(`(?:^|\n)${message}\n$`, 'u'))]);
    });
  });
});
