import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { matchesLabels, parseLabelSelector } from '../../../operator/kubernetes/label-selector.ts';

const matches = (selector: string, labels?: Record<string, string>) =>
  matchesLabels(parseLabelSelector(selector), labels);

describe('a label selector', () => {
  const cases: [string, Record<string, string>, boolean][] = [
    ['', {}, true],
    [' ', { a: 'x' }, true],
    ['a=x', { a: 'x' }, true],
    ['a==x', { a: 'y' }, false],
    ['a=x', {}, false],
    ['a=', { a: '' }, true],
    ['a=', {}, false],
    ['a!=x', { a: 'y' }, true],
    ['a!=x', {}, true],
    ['a!=', { a: '' }, false],
    ['a in (x, y)', { a: 'y' }, true],
    ['a in (x,y)', {}, false],
    ['a in (,x)', { a: '' }, true],
    ['a notin (x,y)', { a: 'y' }, false],
    ['a notin (x,y)', {}, true],
    ['a', { a: '' }, true],
    ['a', {}, false],
    ['!a', {}, true],
    ['! a', { a: '' }, false],
    ['a=x,b in (y),!c', { a: 'x', b: 'y' }, true],
    ['a=x,b in (y),!c', { a: 'x', b: 'y', c: 'z' }, false],
    ['team.example.com/part=x', { 'team.example.com/part': 'x' }, true],
    ['in in (in)', { in: 'in' }, true],
    ['toString', {}, false],
    ['constructor!=x', {}, true],
  ];
  for (const [selector, labels, expected] of cases) {
    it(`"${selector}" ${expected ? 'selects' : 'does not select'} ${JSON.stringify(labels)}`, () => {
      expect(matches(selector, labels)).toBe(expected);
    });
  }

  it('takes an object without labels for one with none', () => {
    expect(matches('!a')).toBe(true);
    expect(matches('a')).toBe(false);
  });

  const faults: [string, string][] = [
    ['a=b,', 'character 5: expected the key of a label, found the end'],
    [',a', 'character 1: expected the key of a label, found ","'],
    ['a b', 'character 3: expected "=", "!=", "in", "notin", "," or the end, found "b"'],
    ['a in x', 'character 6: expected "(", found "x"'],
    ['a in ()', 'character 7: expected a value, found ")"'],
    ['a in (x', 'character 8: expected "," or ")", found the end'],
    ['a in (x y)', 'character 9: expected "," or ")", found "y"'],
    ['a=b c', 'character 5: expected "," or the end, found "c"'],
    ['a=-b', 'character 3: expected the value of a label, found "-b"'],
    [`a=${'b'.repeat(64)}`, `character 3: expected the value of a label, found "${'b'.repeat(64)}"`],
    ['a_=b', 'character 1: expected the key of a label, found "a_"'],
    ['A.example/x=b', 'character 1: expected the key of a label, found "A.example/x"'],
    ['a/b/c', 'character 1: expected the key of a label, found "a/b/c"'],
    ['!a=b', 'character 3: expected "," or the end, found "="'],
    ['a>1', 'character 1: expected the key of a label, found "a>1"'],
    ['a===b', 'character 4: expected the value of a label, found "="'],
  ];
  for (const [selector, message] of faults) {
    it(`"${selector.slice(0, 20)}" is refused at its place`, () => {
      expect(() => parseLabelSelector(selector)).toThrow(`label selector, ${message}`);
    });
  }

  it('means what its requirements mean, however it is written', () => {
    const key = fc.constantFrom('a', 'b', 'c', 'in', 'notin', 'x.example/d');
    const value = fc.constantFrom('', '1', 'two', 'in', 'A-b_c.d');
    const requirement = fc.record({
      key,
      operator: fc.constantFrom('=', '==', '!=', 'in', 'notin', 'present', 'absent'),
      values: fc.array(value, { minLength: 1, maxLength: 3 }),
    });
    const space = fc.constantFrom('', ' ', '\t ');
    fc.assert(
      fc.property(
        fc.array(fc.tuple(requirement, space, space), { maxLength: 4 }),
        fc.dictionary(key, value),
        (written, labels) => {
          const text = written.map(([{ key, operator, values }, one, other]) => {
            const [first = ''] = values;
            if (operator === 'present') return `${one}${key}${other}`;
            if (operator === 'absent') return `${one}!${other}${key}`;
            // An empty value before the closing bracket could only be told from an empty list by its comma.
            if (operator === 'in' || operator === 'notin')
              return `${key} ${one}${operator}${other}(${[...values, 'last'].join(`${one},${other}`)})`;
            return `${one}${key}${other}${operator}${one}${first}`;
          });
          const expected = written.every(([{ key, operator, values }]) => {
            const found = Object.hasOwn(labels, key) ? labels[key] : undefined;
            if (operator === 'present') return found !== undefined;
            if (operator === 'absent') return found === undefined;
            if (operator === 'in') return found !== undefined && [...values, 'last'].includes(found);
            if (operator === 'notin') return found === undefined || ![...values, 'last'].includes(found);
            return operator === '!=' ? found !== values[0] : found === values[0];
          });
          expect(matches(text.join(','), labels)).toBe(expected);
        },
      ),
      { numRuns: 500 },
    );
  });
});
