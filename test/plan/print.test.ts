import { styleText } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Plan } from '../../plan/plan-shape.ts';
import { printMarkdown } from '../../plan/print/markdown.ts';
import { printText } from '../../plan/print/text.ts';
import { assign, dataset, property, textProperty } from '../harness/manifests.ts';
import { planBetween } from '../harness/offline-plan.ts';

const both = [property(), textProperty('tier')];
const example = () =>
  planBetween(
    { 'a.yaml': [...both, textProperty('old'), dataset()] },
    {
      'a.yaml': [property({ allowedValues: [{ value: 30 }] }), textProperty('tier', { description: 'new' })],
      'b.yaml': [dataset({ properties: [assign('tier', 'gold')] })],
    },
  );

async function planWith(value: string): Promise<Plan> {
  return await planBetween({}, { 'a.yaml': [...both, dataset({ properties: [assign('tier', value)] })] });
}

describe('text', () => {
  it('says with a sign and a place what becomes of each thing, and sums it up', async () => {
    const lines = printText(await example()).split('\n');
    expect(lines).toContain(
      '  - com.example.old is hard deleted (its manifest is gone: HardDelete); no entity holds a value  was a.yaml:29',
    );
    expect(lines.some((line) => /^ {2}~ com\.example\.tier is changed {2}a\.yaml:\d+$/u.test(line))).toBe(true);
    expect(lines).toContain('        description: new');
    expect(lines).toContain('      + com.example.tier: gold');
    expect(lines.some((line) => line.startsWith('  x StructuredProperty governance/retention BreakingChange: '))).toBe(
      true,
    );
    expect(lines.at(-1)).toBe('1 breaking without a version, 2 to change, 1 to delete');
  });

  it('tells one reason, and that the place is where it was', async () => {
    const rest = { 'b.yaml': [textProperty('x')] };
    const lines = printText(await planBetween({ ...rest, 'a.yaml': [property(), dataset()] }, rest)).split('\n');
    expect(lines.some((line) => /^ {2}~ urn:li:dataset:\S+ {2}was a\.yaml:\d+$/u.test(line))).toBe(true);
    expect(lines).toContain('      - com.example.retention: 90 (the property is deleted)');
  });

  it('shows other aspects field by field', async () => {
    const file = (rest: string) => ({ 'd.yaml': `- id: logs.clicks\n  platform: hive\n${rest}` });
    const plan = await planBetween(file('  description: old\n'), file('  description: new\n'));
    const text = printText(plan);
    expect(text).toContain('~ urn:li:dataset:(urn:li:dataPlatform:hive,logs.clicks,PROD)  d.yaml:1\n');
    expect(text).toContain('      ~ datasetProperties.description: "old" → "new"');
  });

  it('shows some of many values', async () => {
    const many = Array.from({ length: 400 }, (_, index) => `${'v'.repeat(190)}${index}`);
    const tier = textProperty('tier', { cardinality: 'MULTIPLE' });
    const plan = await planBetween({}, { 'a.yaml': [tier, dataset({ properties: [assign('tier', ...many)] })] });
    expect(printText(plan)).toMatch(/v19, … and 380 more/u);
    expect(printMarkdown(plan).length).toBeLessThan(10_000);
  });

  it('has colours only when asked', async () => {
    const plan = await example();
    expect(printText(plan)).not.toContain('\u001B');
    expect(printText(plan, (style, text) => styleText(style, text, { validateStream: false }))).toContain('\u001B[');
  });

  it('lets no value move the cursor or begin a line', async () => {
    const text = printText(await planWith('a\u001B[2J\n- x\u202E'));
    expect(text).toContain('a\\u{1b}[2J\\n- x\\u{202e}');
  });

  it('says that there is nothing to do', async () => {
    expect(printText(await planBetween({ 'a.yaml': both }, { 'a.yaml': both }))).toMatch(/\nNothing to do$/u);
  });
});

describe('markdown', () => {
  it('has a heading, a table and lists', async () => {
    const lines = printMarkdown(await example()).split('\n');
    expect(lines[0]).toBe('### Proplane plan: 1 breaking without a version, 2 to change, 1 to delete');
    expect(lines).toContain('| to change | 2 |');
    expect(lines).toContain('**Refused (1)**');
    expect(lines).toContain('  - `+` `com.example.tier`: `gold`');
  });

  it('folds long sections', async () => {
    const many = Array.from({ length: 11 }, (_, index) => textProperty(`p${index}`));
    const text = printMarkdown(await planBetween({}, { 'a.yaml': many }));
    expect(text).toContain('<details><summary>Properties (11)</summary>');
    expect(text.match(/<details>/gu)).toHaveLength(text.match(/<\/details>/gu)?.length ?? 0);
  });

  it('fits into a comment however much there is, and says how much is left out', async () => {
    const long = 'y'.repeat(190);
    const many = Array.from({ length: 1000 }, (_, index) => textProperty(`p${index}`, { description: long }));
    const text = printMarkdown(await planBetween({}, { 'a.yaml': many }));
    expect(text.length).toBeLessThanOrEqual(65_536);
    expect(text).toMatch(/- … and [\d,]+ more/u);
    expect(text).toContain('Cut to fit into a comment');
    expect(text.match(/<details>/gu)).toHaveLength(text.match(/<\/details>/gu)?.length ?? 0);
  });

  it('goes on after an item that does not fit', async () => {
    const long = 'y'.repeat(190);
    const plan = await planBetween({}, { 'a.yaml': [textProperty('a', { description: long }), textProperty('b')] });
    const text = printMarkdown(plan, 800);
    expect(text).not.toContain('com.example.a');
    expect(text).toContain('com.example.b');
    expect(text).toContain('- … and 1 more');
  });

  it.each(['`', '``a`', '|', '\\|', '</details>', '<img src=x>', '@somebody', '[a](http://b)', '\n\n# x', ' ', ''])(
    'takes %j for nothing but text',
    async (value) => {
      expect(withoutCode(printMarkdown(await planWith(value)))).toBe(
        withoutCode(printMarkdown(await planWith('plain'))),
      );
    },
  );

  it('takes a deletion policy, which an owner mark says, for nothing but text', async () => {
    const plan = await example();
    const withPolicy = (deletionPolicy: string): Plan => {
      return { ...plan, properties: plan.properties.map((change) => ({ ...change, deletionPolicy })) };
    };
    const text = printMarkdown(withPolicy('<img src=x>'));
    expect(text).toContain('img');
    expect(withoutCode(text)).toBe(withoutCode(printMarkdown(withPolicy('Delete'))));
  });

  it('takes any value for nothing but text', async () => {
    const plain = withoutCode(printMarkdown(await planWith('plain')));
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('`', '|', '\\', '<', '\n', ' ', 'a') }),
    );
    await fc.assert(
      fc.asyncProperty(hostile, async (value) => {
        expect(withoutCode(printMarkdown(await planWith(value)))).toBe(plain);
      }),
      { numRuns: 200 },
    );
  });
});

/** What is left when code spans are taken out as CommonMark finds them (6.1), line by line. */
function withoutCode(markdown: string): string {
  return markdown
    .split('\n')
    .map((line) => {
      let rest = '';
      for (let at = 0; at < line.length; ) {
        const fence = /^`+/u.exec(line.slice(at))?.[0];
        const end = fence === undefined ? -1 : closing(line, at + fence.length, fence.length);
        if (fence === undefined || end < 0) {
          rest += fence ?? line[at];
          at += fence?.length ?? 1;
        } else {
          rest += '<code>';
          at = end;
        }
      }
      return rest;
    })
    .join('\n');
}

/** Where the run of exactly `length` backticks ends; -1: there is none. */
function closing(line: string, from: number, length: number): number {
  for (const run of line.slice(from).matchAll(/`+/gu)) if (run[0].length === length) return from + run.index + length;
  return -1;
}
