import { describe, expect, it } from '@jest/globals';
import { mayActAs, parseTokenActor } from '../../operator/token-actors.ts';

const may = (actors: readonly string[], namespace: string, user: string) =>
  mayActAs(
    actors.map((text) => parseTokenActor(text)!),
    namespace,
    `urn:li:corpuser:${user}`,
  );

describe('a namespace', () => {
  it('may have tokens of its own ServiceAccounts, and of nobody else unasked', () => {
    expect(may([], 'data', 'system:serviceaccount:data:loader')).toBe(true);
    expect(may([], 'data', 'system:serviceaccount:data2:loader')).toBe(false);
    expect(may([], 'data', 'ada')).toBe(false);
  });

  it('may have tokens of those who are named for it, with * for any text', () => {
    const actors = ['data/svc-*', 'team-*/urn:li:corpuser:ada', 'ops/*'];
    expect(may(actors, 'data', 'svc-loader')).toBe(true);
    expect(may(actors, 'data', 'svc')).toBe(false);
    expect(may(actors, 'team-a', 'ada')).toBe(true);
    expect(may(actors, 'team-a', 'adam')).toBe(false);
    expect(may(actors, 'ops', 'root@example.com')).toBe(true);
    expect(may(actors, 'opsx', 'ada')).toBe(false);
    expect(may(['a.b/x.y'], 'acb', 'x.y')).toBe(false);
  });

  it.each(['', 'ada', '/ada', 'data/', 'data /ada'])('is not named by %j', (text) => {
    expect(parseTokenActor(text)).toBeUndefined();
  });
});
