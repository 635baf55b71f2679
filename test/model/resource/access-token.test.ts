import { describe, expect, it } from '@jest/globals';
import { type AccessTokenSpec, actorUrnOf, renewalOf } from '../../../model/resource/access-token.ts';
import { parseResource } from '../../../model/resource/parse-resource.ts';

const manifest = (spec: object) => ({
  apiVersion: 'catalog.proplane.dev/v1alpha1',
  kind: 'AccessToken',
  metadata: { name: 'loader' },
  spec: { actor: 'ada', secretName: 'loader', ...spec },
});

function specOf(spec: object = {}): AccessTokenSpec {
  const parsed = parseResource(manifest(spec));
  if (!parsed.valid) throw new Error(JSON.stringify(parsed.violations));
  return parsed.resource.spec as AccessTokenSpec;
}

function wrong(spec: object): string[] {
  const parsed = parseResource(manifest(spec));
  return parsed.valid ? [] : parsed.violations.map(({ path, message }) => `${path}: ${message}`);
}

const HOUR = 3_600_000;

describe('the manifest of an AccessToken', () => {
  it('lives a month, under the key token, when it says nothing else', () => {
    expect(specOf()).toEqual({ actor: 'ada', duration: 'ONE_MONTH', secretName: 'loader', secretKey: 'token' });
  });

  it('names its actor, or the URN of it', () => {
    expect(actorUrnOf(specOf())).toBe('urn:li:corpuser:ada');
    expect(actorUrnOf(specOf({ actor: 'urn:li:corpuser:ada' }))).toBe('urn:li:corpuser:ada');
    expect(actorUrnOf(specOf({ actor: 'system:serviceaccount:a:b' }))).toBe(
      'urn:li:corpuser:system:serviceaccount:a:b',
    );
  });

  it('is renewed after two thirds of its life, or so long before its end', () => {
    const at = (spec: object) => renewalOf(specOf({ duration: 'ONE_DAY', ...spec }), { createdAt: 0 }) / HOUR;
    expect([at({}), at({ renewBefore: '2h' }), at({ renewBefore: '90m' })]).toEqual([16, 22, 22.5]);
  });

  it.each([
    ['an actor that is no user', { actor: 'urn:li:corpGroup:a' }, 'spec.actor: must be the name of a user'],
    ['an actor with a blank', { actor: 'a b' }, 'spec.actor: must not contain blanks'],
    ['an actor with a very long name', { actor: 'a'.repeat(401) }, 'spec.actor: must be the name of a user'],
    ['a token that never ends', { duration: 'NO_EXPIRY' }, 'spec.duration: Invalid option'],
    ['a renewal before the beginning', { duration: 'ONE_HOUR', renewBefore: '60m' }, 'spec.renewBefore: renewBefore'],
    ['a time in days', { renewBefore: '1d' }, 'spec.renewBefore: must be hours or minutes'],
    ['no name of a Secret', { secretName: 'A b' }, 'spec.secretName: must be the name of a Secret'],
    ['no key of a Secret', { secretKey: 'a/b' }, 'spec.secretKey: must be letters'],
    ['a field too many', { token: 'x' }, 'spec: unknown field "token"'],
  ])('is refused for %s', (_what, spec, told) => {
    expect(wrong(spec)).toEqual([expect.stringContaining(told)]);
  });
});
