import { basename, dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import type { SchemaFileField } from '../model/cli-file/dataset-file.ts';
import { type FilePlace, isWithin } from '../plan/files/file-set.ts';
import { DISK } from '../plan/files/folder-files.ts';
import { FileError } from '../process/file-error.ts';

/** The option by which a file of one's own may name schema files anywhere. */
export const SCHEMAS_ANYWHERE = '--schema-files-anywhere';
export const ABOUT_SCHEMAS_ANYWHERE =
  'read schema files (Avro) that lie outside of the folder of the dataset file, too';

export interface SchemaFiles {
  /** Whether a dataset file may name schema files outside of its folder. */
  readonly anywhere: boolean;
  /** Where files are looked for; on the disk when absent. */
  readonly place?: FilePlace;
}

const namedType = z.looseObject({ type: z.unknown(), fields: z.array(z.unknown()).optional() });
const field = z.looseObject({ name: z.string(), type: z.unknown() });

/**
 * Fields of an Avro record schema, nested records as dotted paths.
 *
 * Who writes a dataset file is not always who sends it, and what is read here is sent along. So a file is read only in
 * the folder of the dataset file and below, wherever links lead, and what is in it is never told.
 * @param file as the dataset file names it: from the working directory, or beside the dataset file.
 * @throws FileError when it is not there, lies elsewhere, or is no Avro record.
 */
export function readAvroSchema(
  file: string,
  datasetFile: string,
  { anywhere, place = DISK }: SchemaFiles,
): SchemaFileField[] {
  const folder = dirname(resolve(datasetFile));
  const found = [resolve(file), join(folder, file), join(folder, basename(file))].flatMap(
    (path) => place.realPath(path) ?? [],
  );
  const realFolder = place.realPath(folder) ?? folder;
  const path = anywhere ? found[0] : found.find((each) => isWithin(each, realFolder));
  if (path === undefined) {
    throw new FileError(
      found.length === 0
        ? `${datasetFile}: schema file ${file} is not there`
        : `${datasetFile}: schema file ${file} lies outside of the folder of the dataset file; if it may be read, say ${SCHEMAS_ANYWHERE}`,
    );
  }
  try {
    return fieldsOf(namedType.parse(JSON.parse(place.read(path))), '');
  } catch (error) {
    throw new FileError(`${datasetFile}: schema file ${file} is no Avro record schema${reasonOf(error)}`);
  }
}

/** Without anything that is in the file: errors of parsers quote it. */
function reasonOf(error: unknown): string {
  if (error instanceof SyntaxError) return ': it is not JSON';
  if (error instanceof z.ZodError) return ': a record with a list of fields, each with name and type, is expected';
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined ? '' : ` (${code})`;
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
