import { describe, expect, it } from '@jest/globals';
import { ANNOTATIONS } from '../../model/resource/annotations.ts';
import { property, textProperty } from '../harness/manifests.ts';
import { planBetween } from '../harness/offline-plan.ts';

describe('annotations', () => {
  it('paused and observe-only write nothing, and say so', async () => {
    const before = { 'a.yaml': [property(), textProperty('tier')] };
    const plan = await planBetween(before, {
      'a.yaml': [
        property({ description: 'new' }, { annotations: { [ANNOTATIONS.paused]: 'true' } }),
        textProperty('tier', { description: 'new' }, { annotations: { [ANNOTATIONS.observeOnly]: 'true' } }),
      ],
    });
    expect(plan).toMatchObject({ exitCode: 0, properties: [] });
    expect(plan.warnings.map(({ reason }) => reason).sort()).toEqual(['ObserveOnly', 'Paused']);
    expect(plan.warnings.find(({ reason }) => reason === 'ObserveOnly')?.message).toBe('description differs');
  });
});

describe('missing manifests', () => {
  const many = Array.from({ length: 30 }, (_, index) => textProperty(`p${index}`));

  it('delete all when the last one is gone, but not where only files of the command line are planned', async () => {
    const before = { 'a.yaml': many.slice(0, 2) };
    expect((await planBetween(before, {})).summary.delete).toBe(2);
    expect((await planBetween(before, { 'd.yaml': '- nonsense\n' })).summary.delete).toBe(0);
  });

  it('are warned of when the operator would hold the deletions back, and are shown all the same', async () => {
    const plan = await planBetween({ 'a.yaml': many }, { 'a.yaml': many.slice(21) });
    expect(plan.summary.delete).toBe(21);
    expect(plan.warnings).toMatchObject([{ reason: 'DeletionsHeld' }]);
    expect(plan.warnings[0]?.message).toContain('21 of 30 resources would be missing');
  });

  it('count for nothing while a file is broken', async () => {
    const plan = await planBetween(
      { 'a.yaml': many.slice(0, 2), 'b.yaml': many.slice(2, 3) },
      { 'a.yaml': many.slice(1, 2), 'b.yaml': 'kind: [\n' },
    );
    expect(plan).toMatchObject({
      exitCode: 1,
      properties: [],
      problems: [{ location: 'b.yaml:2:1', reason: 'BrokenFile' }],
    });
    expect(plan.warnings).toMatchObject([{ reason: 'DeletionsWait' }]);
    expect(plan.warnings[0]?.message).toMatch(/^2 resources are missing; /u);
    const one = await planBetween(
      { 'a.yaml': many.slice(0, 2), 'b.yaml': many.slice(2, 3) },
      { 'a.yaml': many.slice(0, 2), 'b.yaml': 'kind: [\n' },
    );
    expect(one.warnings[0]?.message).toMatch(/^1 resource is missing; /u);
  });

  it('do not keep the rest from being planned', async () => {
    const plan = await planBetween({}, { 'a.yaml': [property()], 'b.yaml': 'kind: [\n' });
    expect(plan).toMatchObject({ exitCode: 1, properties: [{ action: 'create' }] });
  });
});

describe('an AccessToken', () => {
  const token = (spec: object) => ({
    apiVersion: 'catalog.proplane.dev/v1alpha1',
    kind: 'AccessToken',
    metadata: { name: 'loader' },
    spec: { actor: 'ada', secretName: 'loader', ...spec },
  });

  it('is nothing that a plan tells of, unless it breaks a rule', async () => {
    const files = { 'a.yaml': [property()], 'b.yaml': [token({})] };
    expect(await planBetween({ 'a.yaml': [property()] }, files)).toMatchObject({
      exitCode: 0,
      refused: [],
      waiting: [],
      warnings: [],
    });
    expect(await planBetween(files, { 'a.yaml': [property()] })).toMatchObject({ exitCode: 0, warnings: [] });
    const wrong = await planBetween({}, { 'b.yaml': [token({ duration: 'NO_EXPIRY' })] });
    expect(wrong).toMatchObject({
      exitCode: 1,
      refused: [{ resource: 'AccessToken default/loader', reason: 'Invalid' }],
    });
  });
});
