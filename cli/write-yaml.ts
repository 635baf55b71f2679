import { writeFileSync } from 'node:fs';
import { Document, visit } from 'yaml';
import { FileError } from '../process/file-error.ts';
import { hasUnseen, quotedVisibly } from '../process/text.ts';

/** YAML that `readYaml` reads back to the same; what a terminal would not show is quoted, by its code. */
export function yamlText(value: unknown): string {
  const document = new Document(value);
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value === 'string' && hasUnseen(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  return quotedVisibly(document.toString({ lineWidth: 110 }), codePointOf);
}

/** As YAML has it between double quotation marks. */
function codePointOf(character: string): string {
  return `\\U${character.codePointAt(0)?.toString(16).padStart(8, '0')}`;
}

/** @throws FileError naming the file. */
export function writeText(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new FileError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
