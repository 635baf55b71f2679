import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AuditLog, type Deed } from '../../../api-server/auth/audit.ts';
import { StoreError } from '../../../api-server/store/errors.ts';
import { AUDIT_DAYS, MAX_AUDIT_ENTRIES } from '../../../model/limits.ts';
import { AUTH_ON } from '../../harness/auth.ts';
import { override, TestCatalog } from '../../harness/catalog.ts';

const ADA = 'urn:li:corpuser:ada';
const SECOND = 1_000;
const DAY = 24 * 3_600_000;

describe('the audit log', () => {
  let catalog: TestCatalog;
  let audit: AuditLog;
  beforeEach(async () => {
    catalog = await TestCatalog.open({}, AUTH_ON);
    audit = new AuditLog(catalog.parts.store, catalog.clock, catalog.parts.log);
  });
  afterEach(async () => {
    await audit.stop();
    await catalog.close();
  });

  const succeeded = (action: string, rest: Partial<Deed> = {}) =>
    audit.note({ actor: ADA, action, outcome: 'ok', ...rest });
  const refused = (action: string, rest: Partial<Deed> = {}) => succeeded(action, { outcome: 'refused', ...rest });

  async function actions(filter: object = {}): Promise<string[]> {
    return (await audit.list({ count: 1000, ...filter })).entries.map(({ action }) => action);
  }

  it('has what was done, the newest first, page by page, by actor and by action', async () => {
    succeeded('createAccessToken', { subject: 'a token', address: '192.0.2.1' });
    await catalog.clock.advance(5 * SECOND);
    succeeded('logIn');
    succeeded('putPolicy', { actor: 'urn:li:corpuser:bob' });
    await catalog.clock.advance(5 * SECOND);
    succeeded('logIn', { actor: 'urn:li:corpuser:bob' });
    await audit.flush();
    expect(await actions()).toEqual(['logIn', 'putPolicy', 'logIn', 'createAccessToken']);
    expect(await actions({ actor: ADA })).toEqual(['logIn', 'createAccessToken']);
    expect(await actions({ action: 'logIn' })).toEqual(['logIn', 'logIn']);
    const first = await audit.list({ count: 3 });
    expect(first.next).toBe(first.entries[2]?.id);
    expect(await audit.list({ count: 3, after: first.next })).toEqual({
      entries: [
        {
          id: expect.any(String),
          at: catalog.clock.now() - 10 * SECOND,
          actor: ADA,
          action: 'createAccessToken',
          outcome: 'ok',
          subject: 'a token',
          address: '192.0.2.1',
        },
      ],
    });
  });

  it('is written within a second, and nothing waits at rest', async () => {
    succeeded('logIn');
    expect(await actions()).toEqual([]);
    await catalog.clock.advance(SECOND);
    await audit.flush();
    expect(await actions()).toEqual(['logIn']);
    await catalog.clock.advance(5 * SECOND);
    expect(catalog.clock.waiting).toBe(0);
  });

  it('counts what is refused to one actor again within a minute in one entry', async () => {
    for (let time = 0; time < 500; time += 1) refused('readEntity', { detail: 'a reason' });
    refused('logIn');
    await catalog.clock.advance(SECOND);
    await audit.flush();
    expect(await actions()).toEqual(['logIn', 'readEntity']);
    refused('readEntity');
    await catalog.clock.advance(70 * SECOND);
    await audit.flush();
    const { entries } = await audit.list({ count: 10 });
    expect(entries.map(({ detail }) => detail)).toEqual([undefined, 'a reason; and 500 more within a minute']);
    refused('readEntity');
    await audit.flush();
    expect(await actions()).toEqual(['readEntity', 'logIn', 'readEntity']);
    expect(catalog.clock.waiting).toBeGreaterThan(0);
    await catalog.clock.advance(70 * SECOND);
    expect(catalog.clock.waiting).toBe(0);
  });

  it('is not filled by refusals, whatever names they come under', async () => {
    for (let user = 0; user < 5_000; user += 1) refused('logIn', { actor: `urn:li:corpuser:user-${user}` });
    await catalog.clock.advance(70 * SECOND);
    await audit.flush();
    const { entries } = await audit.list({ count: 1000 });
    expect(entries).toHaveLength(101);
    expect(entries[0]).toMatchObject({ actor: '', detail: 'several actors; and 4899 more within a minute' });
  });

  it('keeps requests going when the store is away, and says what was lost', async () => {
    const { store } = catalog.parts;
    let isAway = true;
    const put: typeof store.records.put = async (...args) => {
      if (isAway) throw new StoreError('unavailable', 'away');
      return store.records.put(...args);
    };
    await audit.stop();
    audit = new AuditLog(
      override(store, { records: override(store.records, { put }) }),
      catalog.clock,
      catalog.parts.log,
    );
    for (let time = 0; time < 1_200; time += 1) succeeded('logIn');
    await catalog.clock.advance(10 * SECOND);
    await audit.flush();
    expect(await actions()).toEqual([]);
    isAway = false;
    for (let time = 0; time < 2; time += 1) await audit.flush();
    const { entries } = await audit.list({ count: 2_000 });
    expect(entries).toHaveLength(1_001);
    expect(entries[0]).toMatchObject({ action: 'auditLog', detail: expect.stringMatching(/^200 entries were lost/u) });
  });

  it('is cut where it is too old, and where there is too much of it', async () => {
    const { store } = catalog.parts;
    succeeded('first');
    await audit.flush();
    catalog.clock.jump(10 * DAY);
    succeeded('second');
    await audit.flush();
    catalog.clock.jump((AUDIT_DAYS - 5) * DAY);
    await audit.removeOld();
    expect(await actions()).toEqual(['second']);
    const { entries } = await audit.list({ count: 1 });
    const { id = '', ...entry } = entries[0] ?? {};
    // As many as there may be, all older: one a microsecond, so to speak.
    const puts = Array.from({ length: 30 }, (_, index) =>
      store.records.put('audit', `${id}${index}`, { ...entry, id: `${id}${index}` }, undefined),
    );
    await Promise.all(puts);
    const few = new AuditLog(store, catalog.clock, catalog.parts.log, 10);
    await few.removeOld();
    expect(await actions()).toHaveLength(10);
    expect((await actions())[0]).toBe('second');
    expect(MAX_AUDIT_ENTRIES).toBe(100_000);
  });

  it('has no text of any length', async () => {
    succeeded('x', { subject: 's'.repeat(10_000), detail: 'd'.repeat(10_000), actor: 'a'.repeat(10_000) });
    await audit.flush();
    expect(JSON.stringify(await audit.list({ count: 1 })).length).toBeLessThan(2_000);
  });
});
