import { describe, expect, it } from '@jest/globals';
import { directoryOperatorEnvironment } from '../../operator/config.ts';
import { readEnvironment } from '../../process/read-environment.ts';

describe('the environment of the operator', () => {
  it('has defaults for all but the manifests', () => {
    expect(readEnvironment(directoryOperatorEnvironment, { MANIFESTS: 'a/*.{yaml,yml},!b/**' })).toMatchObject({
      MANIFESTS: ['a/*.{yaml,yml}', '!b/**'],
      PROPLANE_HOST: 'http://127.0.0.1:8080',
      SOURCE_NAME: 'directory',
      RESYNC_INTERVAL_S: 600,
      CONCURRENCY: 4,
      CONFIRM_DELETIONS: false,
    });
  });

  it('names everything that is wrong at once', () => {
    const wrong = {
      CONCURRENCY: 'many',
      RESYNC_INTERVAL_S: '0',
      PROPLANE_HOST: 'nowhere',
      CONFIRM_DELETIONS: 'perhaps',
    };
    for (const name of ['MANIFESTS', ...Object.keys(wrong)]) {
      expect(() => readEnvironment(directoryOperatorEnvironment, wrong)).toThrow(name);
    }
  });
});
