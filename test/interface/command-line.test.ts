import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { entityPath } from '../harness/api.ts';
import { CommandHost } from '../harness/command-host.ts';
import type { CommandRun } from '../harness/command-line.ts';
import { onEachDeployment } from '../harness/deployments.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { FLOW, HIVE, InterfaceService, propertyUrn } from './fixture.ts';

await onEachDeployment((newDeployment) => {
  let service: InterfaceService;
  /** Home of the person at the command line. */
  let home: Awaited<ReturnType<typeof temporaryFolder>>;
  let commands: CommandHost;
  beforeAll(async () => {
    commands = new CommandHost();
    service = await InterfaceService.start(newDeployment);
    home = await temporaryFolder();
  });
  afterAll(async () => {
    await commands?.close();
    await service?.end();
    await home?.remove();
  });

  function run(...options: readonly string[]): Promise<CommandRun> {
    return commands.run({ HOME: home.path, PROPLANE_HOST: service.url }, options);
  }

  /** Runs a command over a file of these lines. */
  async function runOver(lines: string, ...options: readonly string[]): Promise<CommandRun> {
    const file = join(home.path, 'file.yaml');
    await writeFile(file, lines);
    return run(...options, '-f', file);
  }

  const upsert = (lines: string) => runOver(lines, 'properties', 'upsert');

  async function definitionOf(name: string) {
    const { body } = await service.api.get(entityPath('v2', propertyUrn(name), 'propertyDefinition'));
    return body.value;
  }

  describe('fields of a definition file', () => {
    it('id is the qualified name', async () => {
      expect(await upsert('- { id: com.example.file.id, type: string }')).toMatchObject({ code: 0, stderr: '' });
      expect((await definitionOf('com.example.file.id')).qualifiedName).toBe('com.example.file.id');
    });

    it('urn stands for id, with qualified_name beside it', async () => {
      const urn = propertyUrn('com.example.file.urn');
      const { code, stdout } = await upsert(`- { urn: "${urn}", qualified_name: com.example.file.urn, type: string }`);
      expect([code, stdout]).toEqual([0, `Created structured property ${urn}\n`]);
    });

    it('qualified_name is needed beside urn', async () => {
      const { code, stderr } = await upsert('- { urn: "urn:li:structuredProperty:com.example.file.q", type: string }');
      expect([code, stderr]).toEqual([1, expect.stringContaining('qualified_name is needed beside urn')]);
    });

    it('type is the short name of a data type', async () => {
      await upsert('- { id: com.example.file.number, type: number }\n- { id: com.example.file.string, type: STRING }');
      expect((await definitionOf('com.example.file.number')).valueType).toBe('urn:li:dataType:datahub.number');
      expect((await definitionOf('com.example.file.string')).valueType).toBe('urn:li:dataType:datahub.string');
    });

    it('cardinality is SINGLE or MULTIPLE', async () => {
      await upsert('- { id: com.example.file.cardinality, type: string, cardinality: MULTIPLE }');
      expect((await definitionOf('com.example.file.cardinality')).cardinality).toBe('MULTIPLE');
      const { code, stderr } = await upsert('- { id: com.example.file.some, type: string, cardinality: SOME }');
      expect([code, stderr]).toEqual([1, expect.stringContaining('cardinality')]);
    });

    it('version is 14 digits', async () => {
      await upsert('- { id: com.example.file.version, type: string, version: "20240614080000" }');
      expect((await definitionOf('com.example.file.version')).version).toBe('20240614080000');
      const { code, stderr } = await upsert('- { id: com.example.file.v1, type: string, version: v1 }');
      expect([code, stderr]).toEqual([1, expect.stringContaining('Invalid version specified')]);
    });

    it('display_name is a name for people', async () => {
      await upsert('- { id: com.example.file.display, type: string, display_name: "Ein Name" }');
      expect((await definitionOf('com.example.file.display')).displayName).toBe('Ein Name');
    });

    it('entity_types are short names or URNs', async () => {
      await upsert(
        '- { id: com.example.file.t, type: string, entity_types: [dataset, urn:li:entityType:datahub.dataFlow] }',
      );
      expect((await definitionOf('com.example.file.t')).entityTypes).toEqual([
        'urn:li:entityType:datahub.dataset',
        'urn:li:entityType:datahub.dataFlow',
      ]);
    });

    it('description is free text', async () => {
      await upsert('- id: com.example.file.d\n  type: string\n  description: |-\n    first\n    second');
      expect((await definitionOf('com.example.file.d')).description).toBe('first\nsecond');
    });

    it('allowed_values are numbers or strings with a description', async () => {
      await upsert(`
- { id: com.example.file.numbers, type: number, allowed_values: [{ value: 30, description: a month }, { value: 0.5 }] }
- { id: com.example.file.texts, type: string, allowed_values: [{ value: gold }] }`);
      expect((await definitionOf('com.example.file.numbers')).allowedValues).toEqual([
        { value: { double: 30 }, description: 'a month' },
        { value: { double: 0.5 } },
      ]);
      expect((await definitionOf('com.example.file.texts')).allowedValues).toEqual([{ value: { string: 'gold' } }]);
    });
  });

  describe('commands', () => {
    const DAYS = propertyUrn('com.example.cli.days');
    const days = `
- id: com.example.cli.days
  type: number
  display_name: Days
  description: How long to keep it
  cardinality: SINGLE
  entity_types: [dataset, schemaField]
  allowed_values: [{ value: 30, description: a month }, { value: 365 }]`;

    it('init keeps the server and the token for the commands that follow', async () => {
      const own = await temporaryFolder();
      const bare = (...options: readonly string[]) => commands.run({ HOME: own.path }, options);
      const { code } = await bare('init', '--host', `${service.url}/gms`, '--token', 'secret');
      expect(code).toBe(0);
      expect(await bare('dataset', 'get', '--urn', HIVE)).toMatchObject({ code: 0, stderr: '' });
      await own.remove();
    });

    it('properties upsert creates and updates definitions', async () => {
      const created = `Created structured property ${DAYS}\n`;
      expect(await upsert(days)).toEqual({ code: 0, stdout: created, stderr: '' });
      expect((await upsert(days.replace('Days', 'Tage'))).code).toBe(0);
      expect((await definitionOf('com.example.cli.days')).displayName).toBe('Tage');
    });

    it('properties get prints the definition as JSON', async () => {
      await upsert(days);
      const { code, stdout } = await run('properties', 'get', '--urn', DAYS);
      expect([code, JSON.parse(stdout)]).toEqual([
        0,
        {
          urn: DAYS,
          qualified_name: 'com.example.cli.days',
          type: 'urn:li:dataType:datahub.number',
          description: 'How long to keep it',
          display_name: 'Days',
          entity_types: ['urn:li:entityType:datahub.dataset', 'urn:li:entityType:datahub.schemaField'],
          cardinality: 'SINGLE',
          allowed_values: [{ value: '30', description: 'a month' }, { value: '365' }],
        },
      ]);
    });

    it('dataset upsert sets the properties of datasets and fields', async () => {
      await upsert(days);
      const { code, stdout } = await runOver(
        `
- id: cli.orders
  platform: kafka
  env: DEV
  structured_properties: { com.example.cli.days: 30 }
  schema: { fields: [{ id: email, type: string, structured_properties: { com.example.cli.days: 365 } }] }`,
        'dataset',
        'upsert',
      );
      const urn = 'urn:li:dataset:(urn:li:dataPlatform:kafka,cli.orders,DEV)';
      expect([code, stdout]).toEqual([0, expect.stringContaining(`Update succeeded for urn ${urn}.\n`)]);
      expect(await service.shown(urn)).toEqual([{ propertyUrn: DAYS, values: [{ double: 30 }] }]);
      expect(await service.shown(`urn:li:schemaField:(${urn},email)`)).toEqual([
        { propertyUrn: DAYS, values: [{ double: 365 }] },
      ]);
    });

    it('dataset get prints the dataset with its properties', async () => {
      await upsert(days);
      await service.set(HIVE, [{ propertyUrn: DAYS, values: [{ double: 30 }] }]);
      const { code, stdout } = await run('dataset', 'get', '--urn', HIVE);
      expect(code).toBe(0);
      expect(stdout).toContain('id: SampleHiveDataset');
      expect(stdout).toContain('com.example.cli.days: 30');
    });

    it('delete soft-deletes', async () => {
      await upsert(days);
      await service.set(HIVE, [{ propertyUrn: DAYS, values: [{ double: 30 }] }]);
      expect((await run('delete', '--urn', DAYS)).code).toBe(0);
      const { body } = await service.api.get(entityPath('v3', DAYS, 'status'));
      expect([body.status.value, await service.shown(HIVE)]).toEqual([{ removed: true }, []]);
      await service.setRemoved(DAYS, false);
    });

    it('delete --hard hard-deletes', async () => {
      await upsert(days);
      expect((await run('delete', '--urn', DAYS, '--hard')).code).toBe(0);
      expect((await service.api.get(entityPath('v3', DAYS))).status).toBe(404);
      expect((await run('delete', '--urn', FLOW, '--hard')).code).toBe(0);
      expect((await service.api.get(entityPath('v3', FLOW))).status).toBe(404);
    });
  });
});
