import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import type { SchemaFileField } from '../model/cli-file/dataset-file.ts';
import type { FilePlace } from '../plan/files/file-set.ts';
import { FileError } from './file-error.ts';

const DISK: FilePlace = { exists: existsSync, read: (path) => readFileSync(path, 'utf8') };

const namedType = z.looseObject({ type: z.unknown(), fields: z.array(z.unknown()).optional() });
const field = z.looseObject({ name: z.string(), type: z.unknown() });

/**
 * Fields of an Avro record schema, nested records as dotted paths.
 * @param file as the dataset file names it: from the working directory, or beside the dataset file.
 * @param place where files are looked for.
 * @throws FileError when it is not there or no Avro record.
 */
export function readAvroSchema(file: string, datasetFile: string, place: FilePlace = DISK): SchemaFileField[] {
  const folder = dirname(resolve(datasetFile));
  const found = [resolve(file), join(folder, file), join(folder, basename(file))].find((path) => place.exists(path));
  if (found === undefined) throw new FileError(`${datasetFile}: schema file ${file} is not there`);
  try {
    return fieldsOf(namedType.parse(JSON.parse(place.read(found))), '');
  } catch (error) {
    throw new FileError(`${found}: no Avro record schema (${error instanceof Error ? error.message : String(error)})`);
  }
}

function fieldsOf(record: z.output<typeof namedType>, prefix: string): SchemaFileField[] {
  return (record.fields ?? []).flatMap((given) => {
    const { name, type } = field.parse(given);
    const path = `${prefix}${name}`;
    const inner = namedType.safeParse(type);
    if (inner.success && inner.data.fields !== undefined) {
      return [{ path, type: 'record' }, ...fieldsOf(inner.data, `${path}.`)];
    }
    return [{ path, type: typeof type === 'string' ? type : JSON.stringify(type) }];
  });
}
