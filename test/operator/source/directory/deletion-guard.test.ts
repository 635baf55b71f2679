import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type Evidence,
  judgeMissing,
  type Missing,
  PATIENCE,
} from '../../../../operator/source/directory/deletion-guard.ts';

const { goneMs, stillMs } = PATIENCE;

const missing = (key: string, more: Partial<Missing> = {}): Missing => ({
  key,
  paths: new Set([`/m/${key}.yaml`]),
  lastSeen: 5,
  since: 0,
  ...more,
});

const evidence = (more: Partial<Evidence>): Evidence => ({
  now: goneMs,
  patience: PATIENCE,
  missing: [],
  deleting: 0,
  present: 10,
  unreadable: [],
  broken: [],
  file: () => undefined,
  held: new Set(),
  confirmed: new Set(),
  ...more,
});

const many = (count: number) => Array.from({ length: count }, (_, index) => missing(`k${index}`));

describe('a missing manifest', () => {
  it('counts as deleted after three seconds, and not before', () => {
    expect(judgeMissing(evidence({ missing: [missing('a')] })).deleted).toEqual(['a']);
    const early = judgeMissing(evidence({ missing: [missing('a', { since: 1 })] }));
    expect([early.deleted, early.nextDue]).toEqual([[], goneMs + 1]);
  });

  it('of a file that is still there counts as deleted only after the file stood still for five seconds', () => {
    const one = missing('a', { path: '/m/a.yaml' });
    const at = (now: number, changed: number, path = '/m/a.yaml') => {
      const file = (asked: string) => (asked === path ? { changed, empty: false } : undefined);
      return judgeMissing(evidence({ now, missing: [one], file }));
    };
    expect([at(goneMs, 100).deleted, at(goneMs, 100).nextDue]).toEqual([[], 100 + stillMs]);
    expect(at(60_000, 60_001 - stillMs).deleted).toEqual([]);
    expect(at(60_000, 60_000 - stillMs).deleted).toEqual(['a']);
    expect(at(goneMs, goneMs, '/m/other.yaml').deleted).toEqual(['a']);
  });

  it('of a file that is empty now is kept for as long as that is there', () => {
    const one = missing('a', { path: '/m/a.yaml' });
    const file = () => ({ changed: 0, empty: true });
    const judgement = judgeMissing(evidence({ now: 1e9, missing: [one, missing('b')], file }));
    expect([judgement.deleted, [...judgement.emptied]]).toEqual([['b'], [['/m/a.yaml', ['a']]]]);
  });

  it('is kept while the folder that it was in cannot be read', () => {
    const judgement = judgeMissing(
      evidence({ missing: [missing('a'), missing('b', { paths: new Set(['/other/b.yaml']) })], unreadable: ['/m'] }),
    );
    expect(judgement.deleted).toEqual(['b']);
    expect([...judgement.doubtful]).toEqual([['/m', ['a']]]);
  });

  it('is kept while a file that ever held it is broken', () => {
    const paths = new Set(['/m/a.yaml', '/m/old.yaml']);
    const broken = [{ path: '/m/old.yaml', since: 1 }];
    expect(judgeMissing(evidence({ missing: [missing('a', { paths })], broken })).deleted).toEqual([]);
  });

  it('is kept while a file is broken into which it may have been moved', () => {
    const broken = [{ path: '/m/new.yaml', since: 6 }];
    expect(judgeMissing(evidence({ missing: [missing('a')], broken })).deleted).toEqual([]);
    const seenSince = missing('a', { lastSeen: 6 });
    expect(judgeMissing(evidence({ missing: [seenSince], broken })).deleted).toEqual(['a']);
  });

  it('is kept after a start while any file is broken or any root is away, since it may have been anywhere', () => {
    const unseen = missing('a', { paths: new Set(), lastSeen: 0 });
    expect(judgeMissing(evidence({ missing: [unseen], broken: [{ path: '/m/x.yaml', since: 1 }] })).deleted).toEqual(
      [],
    );
    expect(judgeMissing(evidence({ missing: [unseen], unreadable: ['/other'] })).deleted).toEqual([]);
    expect(judgeMissing(evidence({ missing: [unseen] })).deleted).toEqual(['a']);
  });
});

describe('many missing manifests', () => {
  it.each([
    [20, 0, 20],
    [21, 21, 21],
    [21, 20, 0],
    [21, 0, 0],
    [100, 100, 100],
    [101, 100, 0],
  ])('of %i missing and %i present, %i are deleted unasked', (absent, present, deleted) => {
    const judgement = judgeMissing(evidence({ missing: many(absent), present }));
    expect(judgement.deleted).toHaveLength(deleted);
    expect(judgement.held).toHaveLength(absent - deleted);
  });

  it('counts those whose deletion has begun', () => {
    expect(judgeMissing(evidence({ missing: many(1), deleting: 20, present: 5 })).held).toHaveLength(1);
  });

  it('stay held one by one, however few are left, until they are confirmed', () => {
    const held = new Set(['k1', 'k2']);
    const asked = judgeMissing(evidence({ now: 0, missing: many(3), present: 100, held }));
    expect(asked.held).toEqual(['k1', 'k2']);
    const answered = judgeMissing(evidence({ missing: many(3), present: 100, held, confirmed: new Set(['k1']) }));
    expect([answered.deleted, answered.held]).toEqual([['k0', 'k1'], ['k2']]);
  });

  it('are deleted when confirmed, but only those', () => {
    const judgement = judgeMissing(evidence({ missing: many(30), present: 0, confirmed: new Set(['k1', 'k2']) }));
    expect([judgement.deleted, judgement.held.length]).toEqual([['k1', 'k2'], 28]);
  });
});

describe('the judgement', () => {
  const anyMissing = fc.record({
    lastSeen: fc.nat(3),
    since: fc.nat(2000),
    path: fc.option(fc.constantFrom('/m/a.yaml', '/m/b.yaml', '/n/c.yaml'), { nil: undefined }),
    paths: fc.uniqueArray(fc.constantFrom('/m/a.yaml', '/m/b.yaml', '/n/c.yaml')).map((paths) => new Set(paths)),
  });

  it('says one thing of each missing resource, and never deletes what is in doubt', () => {
    return fc.assert(
      fc.property(
        fc.array(anyMissing, { maxLength: 40 }),
        fc.nat(60),
        fc.uniqueArray(fc.constantFrom('/m', '/n')),
        fc.array(fc.record({ path: fc.constantFrom('/m/a.yaml', '/m/b.yaml'), since: fc.nat(3) }), { maxLength: 2 }),
        fc.option(fc.record({ changed: fc.nat(3000), empty: fc.boolean() }), { nil: undefined }),
        (some, present, unreadable, broken, there) => {
          const all = some.map((one, index) => ({ ...one, key: `k${index}` }));
          const now = 4500;
          const file = () => there;
          const { deleted, held, doubtful, emptied, nextDue } = judgeMissing(
            evidence({ now, missing: all, present, unreadable, broken, file }),
          );
          const waits = ({ since, path }: Missing) =>
            since + goneMs > now || (path !== undefined && there?.empty === false && there.changed + stillMs > now);
          const waiting = all.filter(waits).map(({ key }) => key);
          const told = [...deleted, ...held, ...[...doubtful.values(), ...emptied.values()].flat(), ...waiting];
          expect(told.toSorted()).toEqual(all.map(({ key }) => key).toSorted());
          expect(nextDue !== undefined).toBe(waiting.length > 0);
          for (const key of deleted) {
            const { paths } = all.find((one) => one.key === key)!;
            for (const root of unreadable) for (const path of paths) expect(path.startsWith(root)).toBe(false);
            for (const { path } of broken) expect(paths.has(path)).toBe(false);
          }
        },
      ),
    );
  });
});
