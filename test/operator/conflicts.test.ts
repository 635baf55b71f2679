import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeServer } from '../harness/fake-server.ts';
import {
  annotated,
  assign,
  CLICKS,
  dataset,
  property,
  RETENTION,
  RETENTION_NAME,
  textProperty,
} from '../harness/manifests.ts';
import { OperatorBench } from '../harness/operator-bench.ts';

let server: FakeServer;
let bench: OperatorBench;

beforeEach(async () => {
  server = await new FakeServer().listen();
  server.catalogue.addDataset(CLICKS);
  bench = await OperatorBench.create(server.url);
});

afterEach(async () => {
  await bench.close();
  await server.close();
});

const described = (text: string) => property({ description: text });
const PAUSED = annotated('paused');
const ownersOf = (urn: string) =>
  [...server.catalogue.marks].filter((mark) => mark.urn === urn).map(({ name }) => name);
const policyOf = (urn: string) => [...server.catalogue.marks].find((mark) => mark.urn === urn)?.deletionPolicy;
const second = (spec: object = {}) => dataset({ properties: [assign('retention', 30)], ...spec }, { name: 'second' });

describe('two resources that define one property', () => {
  it('lets the oldest win; the other says who did', async () => {
    await bench.write('b.yaml', described('first'));
    await bench.start();
    await bench.reason('retention', 'Applied');
    await bench.write('a.yaml', property({ description: 'second' }, { name: 'rival' }));
    const row = await bench.reason('rival', 'Conflict');
    expect(row.state).toBe('stalled');
    expect(row.message).toContain('StructuredProperty governance/retention (resources/b.yaml:1)');
    expect(server.catalogue.properties.get(RETENTION)?.definition?.description).toBe('first');
  });

  it('breaks a tie by namespace and name', async () => {
    await bench.write('a.yaml', property({}, { name: 'retention', namespace: 'b' }));
    await bench.write('b.yaml', property({}, { name: 'other', namespace: 'a' }));
    await bench.start();
    await bench.reason('retention', 'Conflict');
    await bench.reason('other', 'Applied');
  });

  it('gives the property to the other when the winner goes, without a moment in which it is gone', async () => {
    await bench.write('a.yaml', described('first'));
    await bench.write(
      'dataset.yaml',
      dataset({ properties: [{ propertyRef: { qualifiedName: RETENTION_NAME }, values: 90 }] }),
    );
    await bench.start();
    await bench.reason('clicks', 'Applied');
    await bench.write('b.yaml', property({ description: 'second' }, { name: 'rival' }));
    await bench.reason('rival', 'Conflict');
    await bench.remove('a.yaml');
    await bench.reason('rival', 'Applied');
    expect(server.writes.filter((write) => write.startsWith('DELETE'))).toEqual([]);
    expect(server.catalogue.properties.get(RETENTION)?.definition?.description).toBe('second');
    expect(server.catalogue.values(CLICKS)).toEqual({ [RETENTION_NAME]: [90] });
  });

  it('marks the heir with the end of the winner, so that nothing is left if that one is deleted unseen', async () => {
    await bench.write('a.yaml', described('first'));
    await bench.start();
    await bench.reason('retention', 'Applied');
    await bench.write('b.yaml', property({ description: 'second' }, { name: 'rival', ...PAUSED }));
    await bench.reason('rival', 'Paused');
    await bench.remove('a.yaml');
    await bench.eventually(async () => expect(ownersOf(RETENTION)).toEqual(['rival']));
    expect(server.catalogue.properties.get(RETENTION)?.definition?.description).toBe('first');
  });

  it('keeps what an older resource has while its manifest is not valid', async () => {
    await bench.write('a.yaml', described('first'));
    await bench.start();
    await bench.reason('retention', 'Applied');
    await bench.write('a.yaml', property({ cardinality: 'SOME' }));
    await bench.reason('retention', 'Invalid');
    await bench.write('b.yaml', property({ description: 'second' }, { name: 'rival' }));
    await bench.reason('rival', 'Conflict');
    expect(server.catalogue.properties.get(RETENTION)?.definition?.description).toBe('first');
  });
});

describe('a property of another source', () => {
  const foreign = {
    source: 'cluster',
    kind: 'StructuredProperty',
    namespace: 'x',
    name: 'y',
    deletionPolicy: 'Retain',
  } as const;
  const body = { qualifiedName: RETENTION_NAME, valueType: 'number', entityTypes: ['dataset'], description: 'theirs' };

  it('is left alone', async () => {
    server.catalogue.define(RETENTION, body, foreign);
    await bench.write('a.yaml', described('ours'));
    await bench.start();
    expect((await bench.reason('retention', 'Conflict')).message).toContain('StructuredProperty x/y of source cluster');
    expect(server.writes).toEqual([]);
  });

  it('is taken over with the annotation adopt', async () => {
    server.catalogue.define(RETENTION, body, foreign);
    const { annotations } = annotated('adopt', 'true');
    await bench.write('a.yaml', property({ allowedValues: undefined, description: 'ours' }, { annotations }));
    await bench.start();
    await bench.reason('retention', 'Applied');
    expect([...server.catalogue.marks].map(({ source }) => source)).toEqual(['directory']);
  });

  it('is adopted without more ado when it has no mark', async () => {
    server.catalogue.define(RETENTION, body, undefined);
    await bench.write('a.yaml', property({ allowedValues: undefined, description: 'ours' }));
    await bench.start();
    await bench.reason('retention', 'Applied');
    expect(server.catalogue.properties.get(RETENTION)?.definition?.description).toBe('ours');
    expect(bench.events.filter(({ type }) => type === 'Adopted').map(({ message }) => message)).toEqual([RETENTION]);
  });

  it('is not adopted by a resource that is not to adopt', async () => {
    server.catalogue.define(RETENTION, body, undefined);
    const { annotations } = annotated('adopt', 'false');
    await bench.write('a.yaml', property({ allowedValues: undefined, description: 'ours' }, { annotations }));
    await bench.start();
    expect((await bench.reason('retention', 'Conflict')).message).toContain('adopt=true');
    expect(server.writes).toEqual([]);
  });

  it('is not adopted where the operator is not to, unless the resource says so', async () => {
    server.catalogue.define(RETENTION, body, undefined);
    await bench.write('a.yaml', property({ allowedValues: undefined, description: 'ours' }));
    await bench.start({ adoptsUnowned: false });
    await bench.reason('retention', 'Conflict');
    expect(server.writes).toEqual([]);
    const { annotations } = annotated('adopt', 'true');
    await bench.write('a.yaml', property({ allowedValues: undefined, description: 'ours' }, { annotations }));
    await bench.reason('retention', 'Applied');
  });
});

describe('a value that nobody owns', () => {
  it('is adopted when it is wished for, and left alone where nothing is to be adopted', async () => {
    await bench.write('property.yaml', property());
    await bench.start({ adoptsUnowned: false });
    await bench.reason('retention', 'Applied');
    const value = { propertyUrn: RETENTION, values: [{ double: 30 }] };
    server.catalogue.patchAssignments(CLICKS, [{ op: 'add', ...value }], { create: false });
    await bench.write('dataset.yaml', dataset());
    expect((await bench.reason('clicks', 'Conflict')).message).toContain('adopt=true');
    expect(server.catalogue.values(CLICKS)).toEqual({ [RETENTION_NAME]: [30] });
    await bench.write('dataset.yaml', dataset({}, annotated('adopt')));
    await bench.reason('clicks', 'Applied');
    expect(server.catalogue.values(CLICKS)).toEqual({ [RETENTION_NAME]: [90] });
    expect(bench.events.filter(({ type }) => type === 'Adopted')).toHaveLength(1);
  });
});

describe('two resources that claim one value', () => {
  beforeEach(async () => {
    await bench.write('properties.yaml', property(), textProperty('tier'));
    await bench.write('dataset.yaml', dataset());
    await bench.start();
    await bench.reason('clicks', 'Applied');
  });

  it('lets the oldest win, and applies the rest of the other', async () => {
    await bench.write('second.yaml', second({ properties: [assign('retention', 30), assign('tier', 'gold')] }));
    const row = await bench.reason('second', 'Conflict');
    expect(row.message).toContain('DatasetProperties governance/clicks');
    expect(server.catalogue.values(CLICKS)).toEqual({ [RETENTION_NAME]: [90], 'com.example.tier': ['gold'] });
    expect(server.records.stored.get('DatasetProperties/governance/second')?.status).toMatchObject({
      targets: 1,
      applied: 0,
      conflicts: 1,
    });
  });

  it('gives the value to the other when the winner goes, or no longer lists it', async () => {
    await bench.write('second.yaml', second());
    await bench.reason('second', 'Conflict');
    await bench.write('dataset.yaml', dataset({ properties: [assign('tier', 'gold')] }));
    await bench.reason('second', 'Applied');
    expect(server.catalogue.values(CLICKS)).toMatchObject({ [RETENTION_NAME]: [30] });
    await bench.write('dataset.yaml', dataset());
    await bench.reason('second', 'Conflict');
    await bench.eventually(async () => expect(server.catalogue.values(CLICKS)).toEqual({ [RETENTION_NAME]: [90] }));
    await bench.remove('dataset.yaml');
    await bench.reason('second', 'Applied');
    expect(server.catalogue.values(CLICKS)).toEqual({ [RETENTION_NAME]: [30] });
  });

  it('marks the heir with the end of the winner, so that no value is left if that one is deleted unseen', async () => {
    const properties = [assign('retention', 30)];
    await bench.write('second.yaml', dataset({ properties }, { name: 'second', ...PAUSED }));
    await bench.reason('second', 'Paused');
    await bench.remove('dataset.yaml');
    await bench.eventually(async () => expect(ownersOf(CLICKS)).toEqual(['second']));
    expect(server.catalogue.values(CLICKS)).toEqual({ [RETENTION_NAME]: [90] });
  });

  it('leaves the value to the winner when what both refer to goes while the other one looks', async () => {
    await bench.write('properties.yaml', property({ deletionPolicy: 'Retain' }), textProperty('tier'));
    await bench.eventually(async () => expect(policyOf(RETENTION)).toBe('Retain'));
    let isReached = false;
    const gone = Promise.withResolvers<void>();
    server.before = (request) => {
      if (!(request.startsWith('GET ') && request.endsWith(encodeURIComponent(CLICKS)))) return undefined;
      isReached = true;
      return gone.promise;
    };
    await bench.write('second.yaml', second());
    await bench.eventually(async () => expect(isReached).toBe(true));
    await bench.write('properties.yaml', textProperty('tier'));
    await bench.eventually(async () => expect(bench.row('retention')).toBeUndefined());
    server.before = () => undefined;
    gone.resolve();
    await bench.reason('second', 'ReferenceNotFound');
    expect(ownersOf(CLICKS)).toEqual(['clicks']);
    expect(server.catalogue.values(CLICKS)).toEqual({ [RETENTION_NAME]: [90] });
  });

  it('lets Replace claim the whole dataset', async () => {
    await bench.write('dataset.yaml', dataset({ ownership: 'Replace' }));
    await bench.write('second.yaml', second({ properties: [assign('tier', 'gold')] }));
    await bench.reason('second', 'Conflict');
    expect(server.catalogue.values(CLICKS)).toEqual({ [RETENTION_NAME]: [90] });
  });

  it('keeps a younger Replace from removing what an older one has put there', async () => {
    await bench.write('second.yaml', second({ properties: [assign('tier', 'gold')], ownership: 'Replace' }));
    await bench.reason('second', 'Conflict');
    expect(server.catalogue.values(CLICKS)).toEqual({ [RETENTION_NAME]: [90], 'com.example.tier': ['gold'] });
  });

  it('decides the same after a restart', async () => {
    await bench.write('second.yaml', second());
    await bench.reason('second', 'Conflict');
    await bench.stop();
    server.writes.length = 0;
    await bench.start();
    await bench.quiet();
    await bench.reason('second', 'Conflict');
    expect(server.writes).toEqual([]);
  });
});
