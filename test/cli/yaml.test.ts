import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { writeText, yamlText } from '../../cli/write-yaml.ts';
import { parseDatasetFile } from '../../model/cli-file/dataset-file.ts';
import { datasetEntry } from '../../model/cli-file/print-dataset-file.ts';
import { definitionEntry } from '../../model/cli-file/print-properties-file.ts';
import { parsePropertiesFile } from '../../model/cli-file/properties-file.ts';
import { FileError } from '../../process/file-error.ts';
import { checkedFile, readEntries, readYaml } from '../../process/read-yaml.ts';
import { fileDataset, fileDefinition } from '../harness/cli-file-arbitraries.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let file: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  file = join(folder.path, 'file.yaml');
});
afterAll(() => folder.remove());

describe('a YAML file that the command line writes', () => {
  it('is read back to the same definitions and datasets, whatever their texts are', () => {
    const entries = fc.array(fc.oneof(fileDefinition.map(definitionEntry), fileDataset.map(datasetEntry)), {
      maxLength: 3,
    });
    fc.assert(
      fc.property(entries, (given) => {
        writeText(file, yamlText(given));
        expect(readYaml(file).value).toEqual(given);
      }),
    );
  });
});

describe('a YAML file that is not right', () => {
  const problemsOf = async (text: string, check: (value: unknown) => Parameters<typeof checkedFile>[1]) => {
    await writeFile(file, text);
    try {
      const yaml = readYaml(file);
      checkedFile(yaml, check(yaml.value));
    } catch (error) {
      expect(error).toBeInstanceOf(FileError);
      return (error as Error).message.replaceAll(file, 'file').split('\n');
    }
    throw new Error('nothing was wrong');
  };

  it('is told by line and column when it is no YAML', async () => {
    const [line] = await problemsOf('- id: a\n  type: [\n', parsePropertiesFile);
    expect(line).toMatch(/^file:3:1: /u);
  });

  it('names each violated rule with its own line', async () => {
    const text =
      '- id: a\n  type: string\n  colour: red\n- id: b\n  type: string\n  entity_types:\n    - dataset\n    - 7\n- id: c\n';
    expect(await problemsOf(text, parsePropertiesFile)).toEqual([
      'file:3:3: [0]: unknown field "colour"',
      'file:8:7: [1].entity_types[1]: Invalid input: expected string, received number',
      'file:9:3: [2].type: Invalid input: expected string, received undefined',
    ]);
  });

  it('is told apart from a manifest, an empty file and a folder, when entries are wanted', async () => {
    const messageOf = (path: string) => {
      try {
        readEntries(path);
      } catch (error) {
        return (error as Error).message.replaceAll(file, 'file');
      }
      return 'nothing was wrong';
    };
    const manifest = 'apiVersion: x/v1\nkind: StructuredProperty\n';
    const cases = [
      [manifest, 'file:1:1: this is a manifest: the operator applies it, and `proplane plan` shows'],
      [`${manifest}---\n${manifest}`, 'file:3:1: this is a manifest: '],
      ['- id: a\n---\n- id: b\n', 'file:2:1: one YAML document is expected'],
      ['# nothing\n', 'file is empty: a list of entries is expected'],
    ] as const;
    for (const [text, message] of cases) {
      await writeFile(file, text);
      expect(messageOf(file).slice(0, message.length)).toBe(message);
    }
    expect(messageOf(folder.path)).toBe(`${folder.path} is a folder: name a file in it`);
  });

  it('finds names with dots, and what is wrong with a file as a whole', async () => {
    const datasets = (value: unknown) => parseDatasetFile(value, () => []);
    const text = '- id: t\n  platform: hive\n  structured_properties:\n    a.b: x\n    a.b.c: { deep: 1 }\n';
    expect(await problemsOf(text, datasets)).toEqual([
      expect.stringMatching(/^file:5:5: \[0\]\.structured_properties\.a\.b\.c: /u),
    ]);
    expect(await problemsOf('a: b\n', datasets)).toEqual([expect.stringMatching(/^file:1:1: /u)]);
    expect(await problemsOf('', datasets)).toEqual([expect.stringMatching(/^file:1:1: /u)]);
    expect(await problemsOf('- id: only\n', datasets)).toEqual(['file:1:3: [0]: urn, or id and platform, are needed']);
  });
});
