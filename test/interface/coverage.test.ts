import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { COVERAGE } from './coverage.ts';

/** The document that the user wrote; it is beside the project where that is developed, not in it. */
const DOCUMENT = join(import.meta.dirname, '../../../shared/interface.md');

/** First cells of every table row: two where the first is a method, as it says little alone. */
function rowsOf(document: string): string[] {
  const lines = document.split('\n');
  return lines.flatMap((line, index) => {
    const isHead = /^\|[-| ]+\|$/u.test(lines[index + 1] ?? '') || /^\|[-| ]+\|$/u.test(line);
    if (!line.startsWith('| ') || isHead) return [];
    const [first = '', second = ''] = line.slice(2).split(' | ');
    return [/^(GET|POST|PATCH|DELETE)$/u.test(first) ? `${first} ${second.replace(/ \|$/u, '')}` : first];
  });
}

const suite = existsSync(DOCUMENT) ? describe : describe.skip;
suite(`the interface document${existsSync(DOCUMENT) ? '' : ' (it is not beside this clone)'}`, () => {
  it('has no table row without a test', () => {
    const covered = new Set(COVERAGE.flatMap(({ rows }) => Object.keys(rows)));
    const rows = rowsOf(readFileSync(DOCUMENT, 'utf8'));
    expect(rows.length).toBeGreaterThanOrEqual(50);
    expect(rows.filter((row) => !covered.has(row))).toEqual([]);
  });
});
