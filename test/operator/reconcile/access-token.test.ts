import { beforeEach, describe, expect, it } from '@jest/globals';
import { resourceKey } from '../../../model/resource/identity.ts';
import { parseResource } from '../../../model/resource/parse-resource.ts';
import type { ResourceStatus } from '../../../model/resource/status.ts';
import { beginWork } from '../../../operator/reconcile/begin-work.ts';
import { nextStatus } from '../../../operator/reconcile/conditions.ts';
import type { Ended } from '../../../operator/reconcile/outcome.ts';
import type { Report } from '../../../operator/reconcile/report.ts';
import type { AccessTokenTools, Tools } from '../../../operator/reconcile/step.ts';
import { SourceError, type SourceResource } from '../../../operator/source/port.ts';
import { ObjectTable } from '../../../operator/table/object-table.ts';
import { createMemoryBase } from '../../../plan/catalogue/memory-base.ts';
import { Overlay } from '../../../plan/catalogue/overlay.ts';
import { KeyedLock } from '../../../process/keyed-lock.ts';
import { FakeTokenSecrets } from '../../harness/fake-token-secrets.ts';
import { FakeTokens } from '../../harness/fake-tokens.ts';
import { TestClock } from '../../harness/test-clock.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let clock: TestClock;
let tokens: FakeTokens;
let secrets: FakeTokenSecrets;
let tools: Tools & { readonly accessTokens: AccessTokenTools };
let status: ResourceStatus | undefined;
let report: Report;
/** What was asked of the source. */
let asked: string[];
let allowed: boolean;

beforeEach(async () => {
  clock = new TestClock();
  tokens = new FakeTokens(clock);
  secrets = new FakeTokenSecrets();
  status = undefined;
  asked = [];
  allowed = true;
  const catalogue = new Overlay(createMemoryBase({ datasets: new Set() }), 'test');
  await catalogue.open();
  const source = {
    name: 'test',
    protect: async () => void asked.push('protect'),
    finalized: async () => void asked.push('finalized'),
  };
  tools = {
    source,
    catalogue,
    index: new ObjectTable<never>(),
    locks: new KeyedLock(),
    adoptsUnowned: true,
    accessTokens: { catalogue: tokens, secrets, mayActAs: () => allowed, clock },
  };
});

interface Look {
  readonly deleting?: boolean;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly uid?: string;
  readonly spec?: object;
}

/** Looks at the resource once, as it wishes then. */
async function look({ deleting = false, annotations = {}, uid = 'uid-1', spec = {} }: Look = {}): Promise<Ended> {
  const parsed = parseResource({
    apiVersion: 'catalog.proplane.dev/v1alpha1',
    kind: 'AccessToken',
    metadata: { name: 'loader', namespace: 'data', annotations },
    spec: { actor: 'ada', duration: 'ONE_DAY', secretName: 'loader-token', ...spec },
  });
  if (!parsed.valid) throw new Error(JSON.stringify(parsed.violations));
  const { id, resource } = parsed;
  const entry: SourceResource = {
    id,
    uid,
    wish: { kind: 'valid', resource },
    generation: 1,
    created: 1,
    deleting,
    ...(status === undefined ? {} : { status }),
  };
  (tools.index as ObjectTable<never>).apply({ key: resourceKey(id), resource: entry, isNews: true });
  const begun = beginWork(entry, 0, tools);
  const outcome = await begun.run();
  report = begun.report;
  if (outcome.kind !== 'done' || outcome.as === 'ready')
    status = nextStatus(status, outcome, report, 1, new Date(clock.now()));
  return outcome;
}

const inSecret = () => secrets.tokenIn('loader-token') ?? '';
const isGood = () => tokens.isGood(inSecret());
/** Looks whenever it is asked for, for so long. @returns whether the token in the Secret was good at each moment. */
async function pass(ms: number, asked: Look = {}): Promise<boolean> {
  const end = clock.now() + ms;
  let good = true;
  while (clock.now() < end) {
    const outcome = await look(asked);
    const again = outcome.kind === 'done' && outcome.again !== undefined ? outcome.again : MINUTE;
    for (let left = Math.min(again, end - clock.now()); left > 0; left -= MINUTE) {
      good &&= isGood();
      await clock.advance(Math.min(left, MINUTE));
    }
  }
  return good;
}

describe('an AccessToken', () => {
  it('has a token of its actor in its Secret, with a name by which it is found, and says so', async () => {
    const outcome = await look({ spec: { description: 'for the pipeline' } });
    expect(outcome).toMatchObject({ kind: 'done', as: 'ready', why: { reason: 'Applied' } });
    expect(isGood()).toBe(true);
    expect(tokens.all).toMatchObject([
      {
        name: 'proplane/uid-1',
        description: 'AccessToken data/loader: for the pipeline',
        actorUrn: 'urn:li:corpuser:ada',
      },
    ]);
    expect(status).toMatchObject({
      tokenId: tokens.all[0]?.id,
      secretName: 'loader-token',
      expiresAt: new Date(clock.now() + DAY).toISOString(),
      renewsAt: new Date(clock.now() + 16 * HOUR).toISOString(),
      conditions: [{ type: 'Ready', status: 'True' }],
    });
    expect(asked).toEqual(['protect']);
  });

  it('is as it was when it is looked at again', async () => {
    await look();
    const before = structuredClone(status);
    await clock.advance(HOUR);
    await look();
    expect(status).toEqual(before);
    expect(tokens.created).toBe(1);
    expect(report.written).toEqual([]);
  });

  it('never has a Secret without a good token while it is renewed, and no more tokens than two', async () => {
    await look();
    const first = inSecret();
    expect(await pass(16 * HOUR + MINUTE)).toBe(true);
    expect(inSecret()).not.toBe(first);
    // Not everybody has the new one yet.
    expect(tokens.isGood(first)).toBe(true);
    expect(await pass(HOUR + MINUTE)).toBe(true);
    expect(tokens.isGood(first)).toBe(false);
    expect(tokens.all).toHaveLength(1);
    expect(await pass(10 * DAY)).toBe(true);
    expect(tokens.created).toBe(17);
    expect(tokens.all.length).toBeLessThanOrEqual(2);
  });

  it('is renewed so long before its end as it says', async () => {
    await look({ spec: { renewBefore: '90m' } });
    await pass(22 * HOUR + 29 * MINUTE, { spec: { renewBefore: '90m' } });
    expect(tokens.created).toBe(1);
    await pass(2 * MINUTE, { spec: { renewBefore: '90m' } });
    expect(tokens.created).toBe(2);
  });

  it.each([
    ['another actor', { actor: 'urn:li:corpuser:bob' }],
    ['another duration', { duration: 'ONE_WEEK' }],
    ['another key', { secretKey: 'other' }],
    ['another Secret', { secretName: 'other' }],
  ])('has another token when it wishes %s; the one of before goes after a while', async (_what, spec) => {
    await look();
    const first = inSecret();
    await clock.advance(MINUTE);
    await look({ spec });
    expect(tokens.created).toBe(2);
    expect(tokens.isGood(first)).toBe(true);
    await pass(2 * HOUR, { spec });
    expect(tokens.isGood(first)).toBe(false);
    expect(tokens.all).toHaveLength(1);
    expect(tokens.created).toBe(2);
  });

  it('makes its Secret anew when somebody deletes it', async () => {
    await look();
    secrets.stored.clear();
    await look();
    expect(isGood()).toBe(true);
    expect(report.drift).toEqual(['the Secret loader-token does not exist']);
    await pass(2 * HOUR);
    expect(tokens.all).toHaveLength(1);
  });

  it('makes another token when somebody edits the one in the Secret, or revokes it', async () => {
    await look();
    const { kept: _kept, ...edited } = secrets.stored.get('loader-token')!;
    secrets.stored.set('loader-token', edited);
    await look();
    expect(isGood()).toBe(true);
    await pass(2 * HOUR);
    expect(tokens.all).toHaveLength(1);
    await tokens.revoke(tokens.all[0]!.id);
    await look();
    expect(isGood()).toBe(true);
    expect(report.drift).toEqual(['the token was revoked']);
  });

  it('never touches a Secret that it did not make, and makes no token for it', async () => {
    secrets.stored.set('loader-token', { key: 'token', token: 'theirs' });
    expect(await look()).toMatchObject({ kind: 'terminal', why: { reason: 'Conflict' } });
    secrets.stored.set('loader-token', { uid: 'uid-0', key: 'token', token: 'theirs' });
    expect(await look()).toMatchObject({ kind: 'terminal', why: { reason: 'Conflict' } });
    expect([inSecret(), tokens.created]).toEqual(['theirs', 0]);
  });

  it('leaves no token behind when the Secret cannot be written', async () => {
    secrets.failing = true;
    await expect(look()).rejects.toBeInstanceOf(SourceError);
    expect([tokens.created, tokens.all]).toEqual([1, []]);
  });

  it('revokes what one that was killed has made and written nowhere, and no token of others', async () => {
    const other = { actorUrn: 'urn:li:corpuser:ada', duration: 'ONE_DAY' } as const;
    await tokens.create({ ...other, name: 'proplane/uid-2' });
    await tokens.create({ ...other, name: 'proplane/uid-1' });
    await look();
    expect(tokens.all.map(({ id }) => id)).toEqual(['id+1=', 'id+3=']);
    await tokens.create({ ...other, name: 'proplane/uid-1' });
    await look();
    expect(tokens.all.map(({ id }) => id)).toEqual(['id+1=', 'id+3=']);
    expect(isGood()).toBe(true);
  });

  it('revokes all that was made for it when it is deleted, also what was written nowhere', async () => {
    await look();
    await tokens.create({ actorUrn: 'urn:li:corpuser:ada', duration: 'ONE_DAY', name: 'proplane/uid-1' });
    expect(await look({ deleting: true })).toMatchObject({ kind: 'done', as: 'gone' });
    expect([tokens.all, asked.at(-1)]).toEqual([[], 'finalized']);
  });

  it('keeps its finalizer until its tokens are revoked', async () => {
    await look();
    tokens.revoke = async () => {
      throw new Error('away');
    };
    await expect(look({ deleting: true })).rejects.toThrow('away');
    expect(asked).not.toContain('finalized');
  });

  it('has no token, and has no more, of an actor that its namespace may not act as', async () => {
    await look();
    allowed = false;
    expect(await look()).toMatchObject({ kind: 'terminal', why: { reason: 'ActorNotAllowed' } });
    expect([tokens.all, tokens.created]).toEqual([[], 1]);
  });

  it('does nothing while it is paused, and only compares when it says so', async () => {
    const annotations = (name: string) => ({ annotations: { [`catalog.proplane.dev/${name}`]: 'true' } });
    expect(await look(annotations('paused'))).toMatchObject({ as: 'paused' });
    expect(await look(annotations('observe-only'))).toMatchObject({ as: 'ready', why: { reason: 'ObserveOnly' } });
    expect(report.differences).toEqual(['the Secret loader-token does not exist']);
    expect([tokens.created, secrets.stored.size, asked]).toEqual([0, 0, []]);
  });

  it('is refused where there is no cluster that could keep a Secret', async () => {
    const { accessTokens: _none, ...rest } = tools;
    tools = rest as typeof tools;
    expect(await look()).toMatchObject({ kind: 'terminal', why: { reason: 'Unsupported' } });
    expect(await look({ deleting: true })).toMatchObject({ kind: 'done', as: 'gone' });
  });

  it('loses nothing and leaves no unknown token behind, wherever the operator is killed', async () => {
    const [create, revoke] = [tokens.create.bind(tokens), tokens.revoke.bind(tokens)];
    const write = secrets.write.bind(secrets);
    const stories: (() => Promise<unknown>)[] = [
      () => look(),
      () => clock.advance(16 * HOUR).then(() => look()),
      () => clock.advance(2 * HOUR).then(() => look()),
      () => look({ spec: { actor: 'bob' } }),
      () => look({ deleting: true }),
    ];
    for (const story of stories.keys()) {
      for (const isDone of [false, true]) {
        for (let at = 1; at <= 3; at += 1) {
          tokens.stored.clear();
          secrets.stored.clear();
          status = undefined;
          for (const before of stories.slice(0, story)) await before();
          let calls = 0;
          const kill = async <T>(call: () => Promise<T>): Promise<T> => {
            calls += 1;
            if (calls > at || (calls === at && !isDone)) throw new Error('killed');
            const answer = await call();
            if (calls === at) throw new Error('killed');
            return answer;
          };
          tokens.create = (token) => kill(() => create(token));
          tokens.revoke = (id) => kill(() => revoke(id));
          secrets.write = (...given) => kill(() => write(...given));
          await stories[story]!().catch(() => undefined);
          Object.assign(tokens, { create, revoke });
          secrets.write = write;
          const last = story === stories.length - 1;
          const spec = story === 3 ? { actor: 'bob' } : {};
          await look({ deleting: last, spec });
          if (!last) expect([isGood(), await pass(2 * HOUR, { spec }), isGood()]).toEqual([true, true, true]);
          expect(tokens.all).toHaveLength(last ? 0 : 1);
        }
      }
    }
  });

  it('is not renewed again and again by an operator whose clock is ahead', async () => {
    await look();
    clock.jump(20 * HOUR);
    // The server's clock is right, and so no token ever seems young enough.
    const create = tokens.create.bind(tokens);
    tokens.create = async (token) => {
      const made = await create(token);
      const metadata = { ...made.metadata, createdAt: clock.now() - 20 * HOUR, expiresAt: clock.now() + 4 * HOUR };
      tokens.stored.set(metadata.id, metadata);
      return { ...made, metadata };
    };
    expect(await look()).toMatchObject({ kind: 'done', as: 'ready', again: MINUTE });
    expect(tokens.created).toBe(2);
  });
});
