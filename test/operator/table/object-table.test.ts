import { beforeEach, describe, expect, it } from '@jest/globals';
import { type ResourceId, resourceKey } from '../../../model/resource/identity.ts';
import { parseResource } from '../../../model/resource/parse-resource.ts';
import { rowOf } from '../../../operator/snapshot.ts';
import type { SourceResource, Wish } from '../../../operator/source/port.ts';
import { ObjectTable, type TableChange } from '../../../operator/table/object-table.ts';
import { assign, CLICKS, dataset, property, RETENTION_NAME, VIEWS } from '../../harness/manifests.ts';

let table: ObjectTable<string>;
let changes: TableChange[];
beforeEach(() => {
  table = new ObjectTable();
  changes = [];
  table.subscribe((change) => changes.push(change));
});

function resourceOf(manifest: object, more: Partial<SourceResource> = {}): SourceResource {
  const parsed = parseResource(manifest);
  const wish: Wish = parsed.valid
    ? { kind: 'valid', resource: parsed.resource }
    : { kind: 'invalid', violations: parsed.violations };
  return { id: parsed.id as ResourceId, wish, generation: 1, created: 1, deleting: false, ...more };
}

function show(resource: SourceResource, isNews = true): string {
  const key = resourceKey(resource.id);
  table.apply({ key, object: 'as it is', resource, isNews });
  return key;
}

const readyWith = (reason: string) => ({
  conditions: [{ type: 'Ready', status: 'False', reason, message: '', lastTransitionTime: '' } as const],
});

describe('the table', () => {
  it('tells of each change once, when it has changed, with what was before', () => {
    const [one, other] = [resourceOf(property()), resourceOf(property(), { generation: 2 })];
    const key = show(one);
    show(other, false);
    show(other, false);
    show(other);
    table.apply({ key, isNews: true });
    expect(changes).toEqual([
      { key, before: undefined, after: one, isNews: true },
      { key, before: one, after: other, isNews: false },
      { key, before: other, after: other, isNews: true },
      { key, before: other, after: undefined, isNews: true },
    ]);
    expect(table.objects.size).toBe(0);
  });

  it('keeps what the source has, shown or not', () => {
    const key = resourceKey(resourceOf(property()).id);
    table.apply({ key, object: 'not recorded yet', isNews: false });
    expect(changes).toEqual([]);
    expect([...table.objects]).toEqual([[key, 'not recorded yet']]);
    expect(table.list()).toEqual([]);
  });

  it('finds resources by what they wish now, and not by what they wished', () => {
    const definer = show(resourceOf(property()));
    const key = show(resourceOf(dataset()));
    const other = resourceOf(dataset({ datasetUrn: VIEWS, properties: [assign('other', 1)] }));
    const claimants = (urn: string) => table.claimants(urn).map(({ entry }) => resourceKey(entry.id));
    expect(table.definers(RETENTION_NAME).map(({ entry }) => resourceKey(entry.id))).toEqual([definer]);
    expect(table.dependents({ kind: 'StructuredProperty', namespace: 'governance', name: 'retention' }, '')).toEqual([
      key,
    ]);
    expect([claimants(CLICKS), claimants(VIEWS)]).toEqual([[key], []]);
    show({ ...(table.get(key) as SourceResource), status: readyWith('Conflict') }, false);
    expect([claimants(CLICKS), [...table.inConflict()]]).toEqual([[key], [key]]);
    show(other);
    expect([claimants(CLICKS), claimants(VIEWS), [...table.inConflict()]]).toEqual([[], [key], []]);
    table.apply({ key, isNews: true });
    expect(claimants(VIEWS)).toEqual([]);
  });

  it('has one row for people as long as a resource is the same', () => {
    const key = show(resourceOf(property()));
    const row = rowOf(table.get(key) as SourceResource);
    show(resourceOf(dataset()));
    expect(rowOf(table.get(key) as SourceResource)).toBe(row);
    show({ ...(table.get(key) as SourceResource), deleting: true });
    expect(rowOf(table.get(key) as SourceResource)).toMatchObject({ state: 'deleting' });
  });
});
