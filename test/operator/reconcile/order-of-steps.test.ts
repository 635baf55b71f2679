import { beforeEach, describe, expect, it } from '@jest/globals';
import { resourceKey } from '../../../model/resource/identity.ts';
import { parseResource } from '../../../model/resource/parse-resource.ts';
import type { Catalogue } from '../../../operator/catalogue/catalogue.ts';
import { beginWork } from '../../../operator/reconcile/begin-work.ts';
import type { Ended } from '../../../operator/reconcile/outcome.ts';
import type { Tools } from '../../../operator/reconcile/step.ts';
import { ObjectTable } from '../../../operator/table/object-table.ts';
import { createMemoryBase } from '../../../plan/catalogue/memory-base.ts';
import { Overlay } from '../../../plan/catalogue/overlay.ts';
import { KeyedLock } from '../../../process/keyed-lock.ts';
import { dataset, property, RETENTION } from '../../harness/manifests.ts';

/** What a crash may come between. */
const STEPS: readonly PropertyKey[] = [
  ...['protect', 'finalized'],
  ...['writeDefinition', 'writeRemoved', 'hardDelete', 'patchAssignments', 'clearMarks'],
];

const ID = { kind: 'StructuredProperty', namespace: 'governance', name: 'retention' };

let steps: string[];
let tools: Tools;

beforeEach(async () => {
  steps = [];
  const catalogue = new Overlay(createMemoryBase({ datasets: new Set() }), 'test');
  await catalogue.open();
  const source = { name: 'test', protect: async () => undefined, finalized: async () => undefined };
  tools = {
    source: recorded(source),
    catalogue: recorded(catalogue),
    index: new ObjectTable<never>(),
    locks: new KeyedLock(),
    adoptsUnowned: true,
  };
});

function recorded<T extends object>(target: T): T {
  return new Proxy(target, {
    get(inner, name) {
      if (STEPS.includes(name)) steps.push(String(name));
      const value: unknown = Reflect.get(inner, name);
      return typeof value === 'function' ? value.bind(inner) : value;
    },
  });
}

/** Looks at the resource of a manifest once, with the steps that it takes in `steps`. */
async function reconcile(manifest: object, deleting: boolean, catalogue: Partial<Catalogue> = {}): Promise<Ended> {
  const parsed = parseResource(manifest);
  if (!parsed.valid) throw new Error(JSON.stringify(parsed.violations));
  const { id, resource } = parsed;
  const status = { observedGeneration: 1, conditions: [] };
  const entry = { id, wish: { kind: 'valid' as const, resource }, generation: 1, created: 1, deleting, status };
  (tools.index as ObjectTable<never>).apply({ key: resourceKey(id), resource: entry, isNews: true });
  steps = [];
  const asked = Object.assign(Object.create(tools.catalogue), { countHolders: async () => 0 }, catalogue);
  return await beginWork(entry, 0, { ...tools, catalogue: asked }).run();
}

describe('a reconcile', () => {
  it('has a deletion be noticed before it writes anything', async () => {
    await reconcile(property(), false);
    expect(steps).toEqual(['protect', 'writeDefinition']);
    await reconcile(dataset(), false);
    expect(steps).toEqual(['protect', 'patchAssignments']);
  });

  it('lets a resource go last', async () => {
    await reconcile(property({ deletionPolicy: 'HardDelete' }), false);
    await reconcile(dataset(), false);
    await reconcile(dataset(), true);
    expect(steps).toEqual(['patchAssignments', 'clearMarks', 'finalized']);
    await reconcile(property({ deletionPolicy: 'HardDelete' }), true);
    expect(steps).toEqual(['hardDelete', 'clearMarks', 'finalized']);
  });

  it('keeps a deleted property until its values are removed, however far that is', async () => {
    const manifest = property({ deletionPolicy: 'HardDelete' });
    await reconcile(manifest, false);
    const cascades = [{ removed: 0 }, { removed: 0, remaining: 3 }, { removed: 2, remaining: 1 }];
    for (const cascade of cascades) {
      expect(await reconcile(manifest, true, { cascadeOf: async () => cascade })).toMatchObject({ kind: 'requeue' });
      expect(steps).not.toContain('clearMarks');
      expect(steps).not.toContain('finalized');
    }
    expect(await reconcile(manifest, true)).toMatchObject({ kind: 'done', as: 'gone' });
  });

  it('keeps a deleted resource to which another one has left something meanwhile', async () => {
    const mark = { urn: RETENTION, source: 'test', ...ID, deletionPolicy: 'Retain' };
    const answers = [[], [mark]];
    expect(await reconcile(property(), true, { marksOf: async () => answers.shift() ?? [] })).toMatchObject({
      kind: 'requeue',
    });
    expect(steps).toEqual([]);
  });

  it('leaves a property to whom it belongs by the time that it is looked at', async () => {
    const manifest = property({ deletionPolicy: 'HardDelete' });
    await reconcile(manifest, false);
    const heir = { ...ID, kind: 'StructuredProperty' as const, name: 'heir', source: 'test', deletionPolicy: 'Retain' };
    await tools.catalogue.writeRemoved(RETENTION, false, heir);
    const listed = { urn: RETENTION, source: 'test', ...ID, deletionPolicy: 'HardDelete' };
    await reconcile(manifest, true, { marksOf: async () => [listed] });
    expect(steps).toEqual(['clearMarks', 'finalized']);
  });
});
