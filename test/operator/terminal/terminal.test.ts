import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ResourceRow, RowState } from '../../../operator/snapshot.ts';
import { resourceTable } from '../../../operator/terminal/resource-table.ts';
import { createTerminalView } from '../../../operator/terminal/terminal-view.ts';
import { age } from '../../../process/text.ts';

const row = (name: string, state: RowState = 'ready', more: Partial<ResourceRow> = {}): ResourceRow => ({
  kind: 'DatasetProperties',
  namespace: 'governance',
  name,
  state,
  reason: 'Applied',
  message: '3 values on 1 dataset',
  created: 0,
  ...more,
});

const problem = { severity: 'error', reason: 'BrokenFile', location: 'a.yaml:3:1', message: 'not valid YAML' } as const;

describe('the table', () => {
  it('shows first what is not ready, then the problems, then the sum', () => {
    const rows = [row('fine'), row('late', 'waiting'), row('bad', 'stalled', { reason: 'Invalid', message: 'no' })];
    expect(resourceTable(rows, [problem], 100, { now: 45_000 }).split('\n')).toEqual([
      '  KIND               NAME             REASON   AGE   MESSAGE',
      '✗ DatasetProperties  governance/bad   Invalid  45s   no',
      '… DatasetProperties  governance/late  Applied  45s   3 values on 1 dataset',
      '✓ DatasetProperties  governance/fine  Applied  45s   3 values on 1 dataset',
      '! a.yaml:3:1: not valid YAML',
      '3 resources: 1 ready, 1 waiting, 1 stalled',
    ]);
  });

  it('fits the terminal, whatever is in it', () => {
    const states = fc.constantFrom<RowState>('ready', 'waiting', 'stalled', 'paused', 'deleting');
    const rows = fc.array(fc.tuple(fc.string(), states, fc.string({ unit: 'binary' })), { maxLength: 40 });
    return fc.assert(
      fc.property(rows, fc.integer({ min: 20, max: 150 }), fc.integer({ min: 3, max: 40 }), (all, width, height) => {
        const table = resourceTable(
          all.map(([name, state, message]) => row(name, state, { message })),
          Array(7).fill(problem),
          width,
          { height, now: 1 },
        );
        const lines = table.split('\n');
        expect(lines.length).toBeLessThanOrEqual(height);
        for (const line of lines) expect([...line].length).toBeLessThanOrEqual(width);
        expect(/[\p{Cc}\p{Cf}]/u.test(table.replaceAll('\n', ''))).toBe(false);
      }),
    );
  });

  it('says how many are not shown', () => {
    const rows = Array.from({ length: 60 }, (_, index) => row(`r${index}`));
    const lines = resourceTable([...rows, row('bad', 'stalled')], [], 100, { height: 10 }).split('\n');
    expect(lines).toHaveLength(10);
    expect(lines[1]).toContain('governance/bad');
    expect(lines[8]).toBe('  and 54 more');
    expect(lines[9]).toBe('61 resources: 60 ready, 1 stalled');
  });

  it('shows of very many what sorting all of them would put first', () => {
    const states = fc.constantFrom<RowState>('ready', 'waiting', 'stalled', 'paused', 'deleting');
    const rows = fc.uniqueArray(fc.tuple(fc.integer({ min: 100, max: 999 }), states), {
      minLength: 12,
      maxLength: 60,
      selector: ([name]) => name,
    });
    const order = ['stalled', 'deleting', 'waiting', 'paused', 'ready'];
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 9 }), (all, count) => {
        const sorted = all.toSorted(
          ([one, state], [other, otherState]) => order.indexOf(state) - order.indexOf(otherState) || one - other,
        );
        const table = resourceTable(
          all.map(([name, state]) => row(`r${name}`, state)),
          [],
          100,
          { height: count + 3 },
        );
        const shown = [...table.matchAll(/governance\/r(\d+)/gu)].map(([, name]) => Number(name));
        expect(shown).toEqual(sorted.slice(0, count).map(([name]) => name));
      }),
    );
  });

  it('has colours when it is told to, and no others', () => {
    const coloured = resourceTable([row('a')], [], 80, { colour: true });
    expect(coloured).not.toBe(stripVTControlCharacters(coloured));
    expect(resourceTable([row('a', 'ready', { message: '\u001b[31mred' })], [], 80)).not.toContain('\u001b');
  });

  it.each([
    [0, '0s'],
    [119_000, '119s'],
    [120_000, '2m'],
    [7_200_000, '2h'],
    [172_800_000, '2d'],
  ])('tells an age of %i ms as %s', (milliseconds, text) => {
    expect(age(milliseconds)).toBe(text);
  });
});

describe('the view', () => {
  it('writes, where there is no terminal, a line for each thing that changes', () => {
    const stream = new PassThrough();
    const view = createTerminalView({ stream, isTTY: false });
    const lines = () =>
      String(stream.read() ?? '')
        .split('\n')
        .slice(0, -1);
    view.render({ rows: [row('a'), row('b', 'waiting', { reason: 'Progressing' })], problems: [problem] });
    expect(lines()).toEqual([
      '✓ DatasetProperties governance/a Applied: 3 values on 1 dataset',
      '! a.yaml:3:1: not valid YAML',
    ]);
    view.render({
      rows: [row('a'), row('b', 'waiting', { reason: 'DatasetNotFound', message: 'x' })],
      problems: [problem],
    });
    expect(lines()).toEqual(['… DatasetProperties governance/b DatasetNotFound: x']);
    view.tell({ type: 'Deleted', id: row('a'), message: 'gone' });
    view.tell({ type: 'Applied', id: row('a'), message: 'not worth a line' });
    expect(lines()).toEqual(['Deleted DatasetProperties governance/a gone']);
  });

  it('keeps a table up to date in a terminal', () => {
    const stream = Object.assign(new PassThrough(), { columns: 90, rows: 12, isTTY: true });
    const view = createTerminalView({ stream, isTTY: true });
    view.render({ rows: [row('a')], problems: [] });
    view.close();
    expect(stripVTControlCharacters(String(stream.read()))).toContain('1 resource: 1 ready');
  });
});
