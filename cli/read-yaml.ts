import { readFileSync } from 'node:fs';
import { LineCounter, parseDocument } from 'yaml';

/** A file that cannot be used; the message names it, the line where it can, and every violated rule. */
export class FileError extends Error {}

/** Reads a YAML file of one document. @throws FileError with line and column of the first mistake. */
export function readYaml(file: string): unknown {
  const lineCounter = new LineCounter();
  const document = parseDocument(readText(file), { lineCounter, prettyErrors: false });
  const [problem] = document.errors;
  if (problem !== undefined) {
    const { line, col } = lineCounter.linePos(problem.pos[0]);
    throw new FileError(`${file}:${line}:${col}: ${problem.message}`);
  }
  return document.toJS();
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new FileError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
