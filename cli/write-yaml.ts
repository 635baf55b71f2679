import { writeFileSync } from 'node:fs';
import { stringify } from 'yaml';
import { FileError } from './file-error.ts';

/** YAML that `readYaml` reads back to the same. */
export function yamlText(value: unknown): string {
  return stringify(value, { lineWidth: 110 });
}

/** @throws FileError naming the file. */
export function writeText(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new FileError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
