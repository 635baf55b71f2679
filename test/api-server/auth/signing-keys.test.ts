import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSigningKeys, signingKeys } from '../../../api-server/auth/signing-keys.ts';
import { apiServerEnvironment } from '../../../api-server/config.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

const FIRST = 'a first key that only tests have: 0123456789'.replaceAll(' ', '-');
const SECOND = 'another key that only tests have: 0123456789'.replaceAll(' ', '-');

const opened = (environment: Record<string, string>) => openSigningKeys(apiServerEnvironment.parse(environment));

describe('signing keys', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeAll(async () => {
    folder = await temporaryFolder();
  });
  afterAll(() => folder.remove());

  it('have ids that follow from the keys and do not tell them', () => {
    const [one, same, other] = [signingKeys([FIRST]), signingKeys([FIRST]), signingKeys([SECOND])];
    expect(one.current.id).toBe(same.current.id);
    expect(one.current.id).not.toBe(other.current.id);
    expect(inspect(one, { depth: 9 })).not.toContain(FIRST);
  });

  it('sign with the first, and know those of before', () => {
    const keys = opened({
      DATAHUB_TOKEN_SERVICE_SIGNING_KEY: SECOND,
      DATAHUB_TOKEN_SERVICE_PREVIOUS_KEYS: FIRST,
      DATA_DIR: folder.path,
    });
    expect(keys.current.id).toBe(signingKeys([SECOND]).current.id);
    expect(keys.find(signingKeys([FIRST]).current.id)).toBeDefined();
    expect(keys.find('x')).toBeUndefined();
  });

  it('are made once and kept for their owner alone when none is configured', () => {
    const first = opened({ DATA_DIR: folder.path });
    const path = join(folder.path, 'signing-key');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(opened({ DATA_DIR: folder.path }).current.id).toBe(first.current.id);
    writeFileSync(path, `${SECOND}\n${readFileSync(path, 'utf8')}`);
    const rotated = opened({ DATA_DIR: folder.path });
    expect(rotated.current.id).toBe(signingKeys([SECOND]).current.id);
    expect(rotated.find(first.current.id)).toBeDefined();
  });

  it('are asked for where replicas share a store', () => {
    expect(() => opened({ DATA_DIR: folder.path, MONGODB_URI: 'mongodb://127.0.0.1/x' })).toThrow(
      /DATAHUB_TOKEN_SERVICE_SIGNING_KEY has to be set/u,
    );
  });

  it('are refused when they are too short', () => {
    expect(() => opened({ DATAHUB_TOKEN_SERVICE_SIGNING_KEY: 'short' })).toThrow(/at least 32 characters/u);
    expect(() => opened({ DATAHUB_TOKEN_SERVICE_PREVIOUS_KEYS: `${FIRST},short` })).toThrow(/at least 32 characters/u);
    writeFileSync(join(folder.path, 'signing-key'), 'short\n');
    expect(() => opened({ DATA_DIR: folder.path })).toThrow(/at least 32 characters/u);
  });
});
