import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { FileError } from '../process/file-error.ts';
import { readText } from '../process/read-yaml.ts';

export interface InputFile {
  /** As messages call it. */
  readonly name: string;
  readonly text: string;
}

const IN_FOLDER = '**/*.{yaml,yml,json}';

/** Reads files, all that a folder has in and below it, and standard input, which is called `-`. @throws FileError */
export async function readInputFiles(names: readonly string[]): Promise<InputFile[]> {
  const files: InputFile[] = [];
  for (const name of names) {
    if (name === '-') files.push({ name: 'standard input', text: await text(process.stdin) });
    else for (const path of pathsOf(name)) files.push({ name: path, text: readText(path) });
  }
  return files;
}

function pathsOf(name: string): string[] {
  if (statSync(name, { throwIfNoEntry: false })?.isDirectory() !== true) return [name];
  const found = globSync(IN_FOLDER, { cwd: name }).sort();
  if (found.length === 0) throw new FileError(`${name} has no file that ends in .yaml, .yml or .json`);
  return found.map((path) => join(name, path));
}
