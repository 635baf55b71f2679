import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readAvroSchema } from '../../cli/avro-schema.ts';
import { FileError } from '../../process/file-error.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

const SCHEMA = {
  type: 'record',
  name: 'order',
  fields: [
    { name: 'id', type: 'long' },
    { name: 'buyer', type: { type: 'record', name: 'buyer', fields: [{ name: 'email', type: ['null', 'string'] }] } },
  ],
};
const FIELDS = [
  { path: 'id', type: 'long' },
  { path: 'buyer', type: 'record' },
  { path: 'buyer.email', type: '["null","string"]' },
];
const SECRET = 'hunter2';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let datasets: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  const inside = join(folder.path, 'datasets');
  mkdirSync(join(inside, 'schemas'), { recursive: true });
  datasets = join(inside, 'datasets.yaml');
  const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text);
  write('outside.avsc', JSON.stringify(SCHEMA));
  write('secret', `password: ${SECRET}`);
  write('datasets/order.avsc', JSON.stringify(SCHEMA));
  write('datasets/schemas/order.avsc', JSON.stringify(SCHEMA));
  write('datasets/broken.avsc', `${SECRET} {`);
  write('datasets/number.avsc', '7');
  write('datasets/odd.avsc', JSON.stringify({ type: 'record', fields: [{ [SECRET]: SECRET }, SECRET] }));
  symlinkSync(join(folder.path, 'outside.avsc'), join(inside, 'link.avsc'));
  symlinkSync(folder.path, join(inside, 'up'));
  symlinkSync(join(inside, 'order.avsc'), join(inside, 'schemas', 'inner.avsc'));
});
afterAll(() => folder.remove());

const read = (file: string, anywhere = false) => readAvroSchema(file, datasets, { anywhere });

describe('a schema file of a dataset file', () => {
  it.each(['order.avsc', './order.avsc', 'schemas/order.avsc', 'schemas/inner.avsc', 'elsewhere/order.avsc'])(
    'is read beside it and below: %s',
    (file) => {
      expect(read(file)).toEqual(FIELDS);
    },
  );

  it.each(['../outside.avsc', 'link.avsc', 'up/outside.avsc', 'schemas/../../outside.avsc'])(
    'is not read outside, unless that is allowed: %s',
    (file) => {
      expect(() => read(file)).toThrow(/lies outside of the folder.*--schema-files-anywhere/u);
      expect(read(file, true)).toEqual(FIELDS);
    },
  );

  it('is not read by an absolute path outside', () => {
    expect(() => read(join(folder.path, 'outside.avsc'))).toThrow('lies outside');
    expect(() => read('/etc/passwd')).toThrow('lies outside');
    expect(read(join(folder.path, 'datasets', 'order.avsc'))).toEqual(FIELDS);
  });

  it.each(['broken.avsc', 'number.avsc', 'odd.avsc', 'schemas', 'none.avsc'])(
    'is never quoted in an error: %s',
    (file) => {
      const message = messageOf(() => read(file));
      expect(message).toContain(file);
      expect(message).not.toContain(SECRET);
    },
  );

  it('is not quoted either when it may be anywhere', () => {
    const message = messageOf(() => read('../secret', true));
    expect(message).toMatch(/no Avro record schema: it is not JSON$/u);
    expect(message).not.toContain(SECRET);
  });
});

function messageOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(FileError);
    return (error as Error).message;
  }
  throw new Error('nothing was thrown');
}
