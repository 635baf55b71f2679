import { describe, it } from '@jest/globals';
import type { IndexChange, SearchCondition } from '../../../api-server/search/port.ts';
import { and, equal, exists, expectFound, like, not, type OpenIndex, or, put, range, sharedIndex } from './fixture.ts';

const catalogue: IndexChange[] = [
  put('one', [
    { field: 'p:string', type: 'string', values: ['red'] },
    { field: 'p:number', type: 'number', values: [1] },
    { field: 'p:date', type: 'date', values: [-1] },
    { field: 'p:rich', type: 'rich_text', values: ['# Red\n\nwine'] },
    { field: 'p:urn', type: 'urn', values: ['urn:li:corpuser:jo'] },
  ]),
  put('several', [
    { field: 'p:string', type: 'string', values: ['blue', 'Red', 'green'] },
    { field: 'p:number', type: 'number', values: [10, 1, 5] },
    { field: 'p:date', type: 'date', values: [0, 20_000] },
    { field: 'p:rich', type: 'rich_text', values: ['', 'wine\n\n# Red'] },
    { field: 'p:urn', type: 'urn', values: ['urn:li:corpuser:bo', 'urn:li:corpGroup:jo'] },
  ]),
  put('empty', [
    { field: 'p:string', type: 'string', values: [] },
    { field: 'p:number', type: 'number', values: [] },
    { field: 'p:date', type: 'date', values: [] },
    { field: 'p:rich', type: 'rich_text', values: [] },
    { field: 'p:urn', type: 'urn', values: [] },
  ]),
  put('nothing', []),
  put('other', [
    { field: 'p:string2', type: 'string', values: ['red'] },
    { field: 'p:number2', type: 'number', values: [1] },
  ]),
];

const fields = ['p:string', 'p:number', 'p:date', 'p:rich', 'p:urn'];

const examples: Record<string, [condition: SearchCondition, names: string[]][]> = {
  constants: [
    [{ kind: 'all' }, ['one', 'several', 'empty', 'nothing', 'other']],
    [{ kind: 'none' }, []],
    [and(), ['one', 'several', 'empty', 'nothing', 'other']],
    [or(), []],
  ],
  'existence, for which an empty list does not count': [
    ...fields.map((field): [SearchCondition, string[]] => [exists(field), ['one', 'several']]),
    ...fields.map((field): [SearchCondition, string[]] => [range(field), ['one', 'several']]),
    [exists('p:number2'), ['other']],
    [exists('p:unknown'), []],
  ],
  'equality with one of the values': [
    [equal('p:string', 'red'), ['one']],
    [equal('p:string', 'green'), ['several']],
    [equal('p:string', 'gree'), []],
    [equal('p:string', 'RED', true), ['one', 'several']],
    [equal('p:number', 1), ['one', 'several']],
    [equal('p:number', 5), ['several']],
    [equal('p:number', 1, true), ['one', 'several']],
    [equal('p:date', -1), ['one']],
    [equal('p:date', 20_000), ['several']],
    [equal('p:rich', ''), ['several']],
    [equal('p:rich', '# Red\n\nwine'), ['one']],
    [equal('p:urn', 'urn:li:corpuser:jo'), ['one']],
    [equal('p:urn', 'URN:LI:corpgroup:JO', true), ['several']],
    [equal('p:unknown', 'red'), []],
  ],
  'ranges, both bounds met by the same value': [
    [range('p:number', '>', 1), ['several']],
    [range('p:number', '>=', 1), ['one', 'several']],
    [range('p:number', '<', 1), []],
    [range('p:number', '<=', 1), ['one', 'several']],
    [range('p:number', '>', 1, '<', 5), []],
    [range('p:number', '>', 1, '<=', 5), ['several']],
    [range('p:number', '>=', 6, '<=', 4), []],
    [range('p:date', '>=', -1, '<', 0), ['one']],
    [range('p:date', '>', 0, '<', 20_000), []],
    [range('p:string', '>=', 'blue', '<', 'red'), ['several']],
    [range('p:string', '>', 'red'), []],
    [range('p:string', '>=', 'red'), ['one']],
    [{ ...range('p:string', '>=', 'RED'), fold: true } as SearchCondition, ['one', 'several']],
    [range('p:rich', '<', '!'), ['several']],
    [range('p:urn', '<', 'urn:li:corpuser:'), ['several']],
    [range('p:unknown', '<', 5), []],
  ],
  patterns: [
    [like('p:string', [{ literal: 're' }, '*']), ['one']],
    [like('p:string', [{ literal: 'RE' }, '*'], true), ['one', 'several']],
    [like('p:string', ['?', { literal: 'ed' }]), ['one', 'several']],
    [like('p:string', ['?', '?', '?']), ['one', 'several']],
    [like('p:string', ['?', '?', '?', '?', '*', '?']), ['several']],
    [like('p:string', ['*', { literal: 'e' }, '*', { literal: 'e' }, '*']), ['several']],
    [like('p:string', [{ literal: 're' }]), []],
    [like('p:string', ['*']), ['one', 'several']],
    [like('p:string', []), []],
    [like('p:rich', []), ['several']],
    [like('p:rich', ['*', { literal: 'wine' }]), ['one']],
    [like('p:rich', [{ literal: 'wine' }, '*']), ['several']],
    [like('p:urn', ['*', { literal: ':jo' }]), ['one', 'several']],
    [like('p:unknown', ['*']), []],
  ],
  'combinations over whole entities, not over single values': [
    [and(equal('p:string', 'blue'), equal('p:string', 'green')), ['several']],
    [and(equal('p:string', 'red'), equal('p:string', 'blue')), []],
    [and(range('p:number', '>', 1), range('p:number', '<', 5)), ['several']],
    [or(equal('p:string', 'red'), equal('p:string2', 'red')), ['one', 'other']],
    [or(exists('p:number2'), and(exists('p:number'), not(equal('p:number', 10)))), ['one', 'other']],
    [not(not(equal('p:string', 'red'))), ['one']],
    [and(not(equal('p:string', 'red')), not(exists('p:number2'))), ['several', 'empty', 'nothing']],
  ],
  'nothing where a number is compared with a string': [
    [equal('p:number', '1'), []],
    [equal('p:string', 1), []],
    [range('p:number', '>=', ''), []],
    [range('p:string', '<', 1e300), []],
    [range('p:number', '>', 0, '<', 'z'), []],
    [like('p:number', ['*']), []],
    [like('p:date', [{ literal: '1' }, '*']), []],
  ],
};

export function conditionContract(open: OpenIndex): void {
  describe('finds, and its negation finds all the rest:', () => {
    const index = sharedIndex(open, catalogue);
    for (const [what, cases] of Object.entries(examples)) {
      it.each(cases)(`${what}: %j`, (condition, names) => expectFound(index(), condition, names));
    }
  });
}
