import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { applyPatch, parsePatch, pointerTokens } from '../../model/patch.ts';
import type { ArrayKeys } from '../../model/patch-nodes.ts';

type Operation = { op: 'add' | 'remove' | 'replace' | 'test'; path: string; value?: unknown };

const KEYS: ArrayKeys = { tags: 'tag', types: '' };

function patched(aspect: Record<string, unknown>, operations: Operation[], keys = KEYS): Record<string, unknown> {
  const result = patchOf(aspect, operations, keys);
  if (!result.ok) throw new Error(JSON.stringify(result.violations));
  return result.value;
}

function refused(aspect: Record<string, unknown>, operations: Operation[]) {
  const result = patchOf(aspect, operations, KEYS);
  return result.ok ? undefined : result.violations;
}

function patchOf(aspect: Record<string, unknown>, operations: Operation[], keys: ArrayKeys) {
  return applyPatch(
    aspect,
    operations.map((each) => ({ ...each, tokens: pointerTokens(each.path) })),
    keys,
  );
}

const tag = (name: string, more: object = {}) => ({ tag: name, ...more });
const three = { tags: [tag('a'), tag('b', { by: 'ada' }), tag('c')] };

describe('a keyed array', () => {
  it('replaces the element of a key where it stands', () => {
    expect(patched(three, [{ op: 'add', path: '/tags/b', value: tag('b', { why: 'x' }) }])).toEqual({
      tags: [tag('a'), tag('b', { why: 'x' }), tag('c')],
    });
    expect(patched(three, [{ op: 'replace', path: '/tags/a', value: tag('a', { x: 1 }) }])).toEqual({
      tags: [tag('a', { x: 1 }), ...three.tags.slice(1)],
    });
  });

  it('gets a new key at its end', () => {
    expect(patched(three, [{ op: 'add', path: '/tags/0', value: tag('0') }])).toEqual({
      tags: [...three.tags, tag('0')],
    });
  });

  it('is made when it is not there', () => {
    expect(patched({}, [{ op: 'add', path: '/tags/a', value: tag('a') }])).toEqual({ tags: [tag('a')] });
    expect(patched({}, [{ op: 'add', path: '/types/x', value: 'x' }])).toEqual({ types: ['x'] });
  });

  it('loses an element, and nothing when the key is not there', () => {
    expect(patched(three, [{ op: 'remove', path: '/tags/b', value: 'ignored' }])).toEqual({
      tags: [tag('a'), tag('c')],
    });
    expect(patched(three, [{ op: 'remove', path: '/tags/z' }])).toEqual(three);
    expect(patched({}, [{ op: 'remove', path: '/tags/z' }])).toEqual({});
    expect(patched(three, [{ op: 'remove', path: '/tags/z/deep/down' }])).toEqual(three);
  });

  it('moves an element that is removed and added to its end', () => {
    const operations: Operation[] = [
      { op: 'remove', path: '/tags/a' },
      { op: 'add', path: '/tags/a', value: tag('a') },
    ];
    expect(patched(three, operations)).toEqual({ tags: [three.tags[1], three.tags[2], tag('a')] });
  });

  it('gives a new element its key, also when only something inside it is added', () => {
    expect(patched({}, [{ op: 'add', path: '/tags/a', value: { by: 'ada' } }])).toEqual({
      tags: [{ by: 'ada', tag: 'a' }],
    });
    expect(patched({}, [{ op: 'add', path: '/tags/a/by', value: 'ada' }])).toEqual({ tags: [{ tag: 'a', by: 'ada' }] });
  });

  it('refuses an element with another key than the one in the path', () => {
    expect(refused(three, [{ op: 'add', path: '/tags/a', value: tag('b') }])).toEqual([
      { code: 'invalid-patch', path: 'patch[0]', message: 'the value\'s tag "b" is not the one in the path' },
    ]);
  });

  it('keeps elements apart that have the same key or none', () => {
    const aspect = { tags: [tag('a', { n: 1 }), { n: 2 }, tag('a', { n: 3 }), { n: 4 }], types: ['x', 'x'] };
    expect(patched(aspect, [{ op: 'add', path: '/tags/b', value: tag('b') }])).toEqual({
      ...aspect,
      tags: [...aspect.tags, tag('b')],
    });
    const whole = patched({}, [{ op: 'add', path: '/tags', value: aspect.tags }]);
    expect(whole).toEqual({ tags: aspect.tags });
  });

  it('loses every element of the key that is removed, and keeps one of the key that is set', () => {
    const aspect = { tags: [tag('a', { n: 1 }), tag('b'), tag('a', { n: 2 })] };
    expect(patched(aspect, [{ op: 'remove', path: '/tags/a' }])).toEqual({ tags: [tag('b')] });
    expect(patched(aspect, [{ op: 'add', path: '/tags/a', value: tag('a') }])).toEqual({ tags: [tag('a'), tag('b')] });
  });

  it('can be replaced or removed whole', () => {
    expect(patched(three, [{ op: 'replace', path: '/tags', value: [tag('z')] }])).toEqual({ tags: [tag('z')] });
    expect(patched(three, [{ op: 'remove', path: '/tags' }])).toEqual({});
  });

  it('is addressed by keys that look like positions or prototypes', () => {
    const keys = ['10', '2', '__proto__', 'constructor', '-', ''];
    const operations = keys.map((key): Operation => ({ op: 'add', path: `/tags/${key}`, value: tag(key) }));
    expect(patched({}, operations)).toEqual({ tags: keys.map((key) => tag(key)) });
  });

  it('keeps what the patch does not name, in its order', () => {
    const names = fc.constantFrom<string>('a', 'b', 'c', 'd', '1', '0', '__proto__', 'x/y', '~1');
    const elements = fc.uniqueArray(names, { maxLength: 6 });
    const operations = fc.array(fc.record({ op: fc.constantFrom('add' as const, 'remove' as const), name: names }), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(elements, operations, (present, changes) => {
        const aspect = { tags: present.map((name, n) => tag(name, { n })), other: 1 };
        const before = structuredClone(aspect);
        const result = patched(
          aspect,
          changes.map(({ op, name }) => {
            const path = `/tags/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
            return op === 'remove' ? { op, path } : { op, path, value: tag(name, { n: -1 }) };
          }),
        );
        const named = new Set(changes.map(({ name }) => name));
        const untouched = (list: unknown) => (list as { tag: string }[]).filter((each) => !named.has(each.tag));
        expect(untouched(result.tags)).toEqual(untouched(aspect.tags));
        expect(result.other).toBe(1);
        const last = new Map(changes.map(({ op, name }) => [name, op]));
        const names = (result.tags as { tag: string }[]).map((each) => each.tag);
        expect(new Set(names).size).toBe(names.length);
        for (const [name, op] of last) expect(names.includes(name)).toBe(op === 'add');
        expect(aspect).toEqual(before);
      }),
      { numRuns: 300 },
    );
  });

  it('can be patched twice with the same adds, with the same outcome', () => {
    const adds: Operation[] = ['x', 'b', 'y'].map((name) => ({ op: 'add', path: `/tags/${name}`, value: tag(name) }));
    const once = patched(three, adds);
    expect(patched(once, adds)).toEqual(once);
  });
});

describe('a patch of anything else', () => {
  it('sets, replaces and removes fields', () => {
    expect(patched({ a: 1 }, [{ op: 'add', path: '/b', value: null }])).toEqual({ a: 1, b: null });
    expect(patched({ a: 1 }, [{ op: 'replace', path: '/a', value: 2 }])).toEqual({ a: 2 });
    expect(patched({ a: 1 }, [{ op: 'remove', path: '/a' }])).toEqual({});
    expect(patched({ removed: false }, [{ op: 'add', path: '/removed', value: true }])).toEqual({ removed: true });
  });

  it('makes the parents that are missing', () => {
    expect(patched({}, [{ op: 'add', path: '/a/b/c', value: 1 }])).toEqual({ a: { b: { c: 1 } } });
    expect(patched({}, [{ op: 'add', path: '/a/-', value: 1 }])).toEqual({ a: [1] });
    expect(patched({}, [{ op: 'add', path: '/a/0/b', value: 1 }])).toEqual({ a: [{ b: 1 }] });
  });

  it('works on lists by position', () => {
    const aspect = { list: ['a', 'b'] };
    expect(patched(aspect, [{ op: 'add', path: '/list/1', value: 'x' }])).toEqual({ list: ['a', 'x', 'b'] });
    expect(patched(aspect, [{ op: 'add', path: '/list/-', value: 'x' }])).toEqual({ list: ['a', 'b', 'x'] });
    expect(patched(aspect, [{ op: 'replace', path: '/list/0', value: 'x' }])).toEqual({ list: ['x', 'b'] });
    expect(patched(aspect, [{ op: 'remove', path: '/list/0' }])).toEqual({ list: ['b'] });
    expect(patched(aspect, [{ op: 'remove', path: '/list/7' }])).toEqual(aspect);
    expect(patched(aspect, [{ op: 'remove', path: '/list/01' }])).toEqual(aspect);
    expect(refused(aspect, [{ op: 'add', path: '/list/7', value: 'x' }])).toHaveLength(1);
  });

  it('replaces the whole aspect at the empty path, but does not remove it', () => {
    expect(patched({ a: 1 }, [{ op: 'replace', path: '', value: { b: 2 } }])).toEqual({ b: 2 });
    expect(refused({ a: 1 }, [{ op: 'remove', path: '' }])?.[0]?.path).toBe('patch[0].path');
    expect(refused({ a: 1 }, [{ op: 'add', path: '', value: [] }])?.[0]?.message).toBe('an aspect is an object');
    expect(refused({ a: 1 }, [{ op: 'add', path: '', value: null }])?.[0]?.message).toBe('an aspect is an object');
  });

  it('goes on only when a test holds', () => {
    expect(patched({ a: { x: 1, y: [2] } }, [{ op: 'test', path: '/a', value: { y: [2], x: 1 } }])).toBeDefined();
    expect(patched(three, [{ op: 'test', path: '/tags/b', value: { by: 'ada', tag: 'b' } }])).toEqual(three);
    expect(patched({ a: null }, [{ op: 'test', path: '/a', value: null }])).toEqual({ a: null });
    expect(patched(three, [{ op: 'test', path: '', value: three }])).toEqual(three);
    const failing: Operation[] = [
      { op: 'add', path: '/b', value: 1 },
      { op: 'test', path: '/a', value: 2 },
    ];
    expect(refused({ a: 1 }, failing)).toEqual([
      { code: 'failed-test', path: 'patch[1]', message: 'the test of /a failed' },
    ]);
    expect(refused({ a: 1 }, [{ op: 'test', path: '', value: { a: 2 } }])).toHaveLength(1);
    expect(refused({}, [{ op: 'test', path: '/a/b', value: null }])).toHaveLength(1);
  });

  it.each<[string, Operation]>([
    ['an add without a value', { op: 'add', path: '/a' }],
    ['a replace without a value', { op: 'replace', path: '/a' }],
    ['a test without a value', { op: 'test', path: '/a' }],
    ['a replace of what is not there', { op: 'replace', path: '/z', value: 1 }],
    ['a replace under what is not there', { op: 'replace', path: '/y/z', value: 1 }],
    ['an add under a text', { op: 'add', path: '/a/b', value: 1 }],
  ])('is refused for %s', (_what, operation) => {
    expect(refused({ a: 'x' }, [operation])?.[0]?.path).toMatch(/^patch\[0\]/u);
  });

  it('cannot reach the prototype of anything', () => {
    const result = patched({}, [
      { op: 'add', path: '/__proto__/polluted', value: true },
      { op: 'add', path: '/constructor/prototype/polluted', value: true },
      { op: 'add', path: '/a', value: JSON.parse('{"__proto__": {"polluted": true}}') },
    ]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect((result as { polluted?: boolean }).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(Object.keys(result)).toEqual(['__proto__', 'constructor', 'a']);
    expect(patched({ constructor: [1, 1] }, [{ op: 'add', path: '/toString/x', value: 1 }])).toEqual({
      constructor: [1, 1],
      toString: { x: 1 },
    });
  });
});

describe('parsePatch', () => {
  const operations = [{ op: 'add', path: '/a', value: 1 }];

  it('reads the object with its keys, and a list alone', () => {
    const arrayPrimaryKeys = { properties: ['propertyUrn', 'attribution\u241fsource'] };
    expect(parsePatch({ patch: operations, arrayPrimaryKeys, forceGenericPatch: true })).toMatchObject({
      ok: true,
      value: { arrayPrimaryKeys },
    });
    expect(parsePatch(operations)).toEqual({ ok: true, value: { patch: operations } });
    expect(parsePatch([])).toEqual({ ok: true, value: { patch: [] } });
  });

  it('ignores what else an operation has', () => {
    const more = operations.map((each) => ({ ...each, from: '/b', comment: 'x' }));
    expect(parsePatch(more)).toEqual({ ok: true, value: { patch: operations } });
  });

  it('reads operations in any case', () => {
    expect(parsePatch([{ op: 'ADD', path: '/a', value: 1 }])).toEqual({ ok: true, value: { patch: operations } });
  });

  it.each([
    ['no patch', {}, 'patch'],
    ['nothing', undefined, ''],
    ['an operation that it does not know', [{ op: 'move', path: '/a', from: '/b' }], 'patch[0].op'],
    ['a path that is no pointer', [{ op: 'add', path: 'a', value: 1 }], 'patch[0].path'],
    ['a path to a prototype', [{ op: 'add', path: '/__proto__/x', value: 1 }], 'patch[0].path'],
    ['a path through a prototype', [{ op: 'remove', path: '/a\n/__proto__' }], 'patch[0].path'],
    ['an operation without a path', [{ op: 'add', value: 1 }], 'patch[0].path'],
    ['an operation of another kind', ['add'], 'patch[0]'],
    ['an empty list of keys', { patch: [], arrayPrimaryKeys: { properties: [] } }, 'arrayPrimaryKeys.properties'],
    ['a field that it does not know', { patch: [], mode: 'x' }, ''],
  ])('refuses %s', (_what, body, path) => {
    const checked = parsePatch(body);
    expect(checked.ok ? [] : checked.violations.map((each) => each.path)).toContain(path);
  });
});
