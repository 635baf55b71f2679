import { describe, expect, it } from '@jest/globals';
import { inWords, isCancellable, progressOf } from '../../../frontend/pages/jobs/job-progress.ts';

const JOB = {
  id: 'j',
  kind: 'cascade',
  subject: 'urn:li:structuredProperty:a.b',
  state: 'running',
  pass: 1,
  created: 0,
  total: 1200,
  processed: 300,
  remaining: 900,
};

describe('progressOf', () => {
  it('tells part, counts and the time that is left', () => {
    expect(progressOf({ ...JOB, secondsLeft: 40.2 })).toEqual({ part: 0.25, text: '300 of 1,200, about 41 s left' });
  });

  it('knows no part before there is a count, and the whole when there was nothing to do', () => {
    expect(progressOf({ ...JOB, total: 0, processed: 0 })).toEqual({ text: 'counting' });
    expect(progressOf({ ...JOB, total: 0, processed: 0, ended: 1 })).toEqual({ part: 1, text: 'nothing to do' });
  });

  it('is never more than all, whatever was added meanwhile', () => {
    expect(progressOf({ ...JOB, processed: 1300 }).part).toBe(1);
  });
});

describe('isCancellable', () => {
  it('is a system update that runs, and nothing else', () => {
    expect(isCancellable(JOB)).toBe(false);
    expect(isCancellable({ ...JOB, kind: 'system-update' })).toBe(true);
    expect(isCancellable({ ...JOB, kind: 'system-update', state: 'cancelling' })).toBe(false);
    expect(isCancellable({ ...JOB, kind: 'system-update', ended: 1 })).toBe(false);
  });
});

describe('inWords', () => {
  it.each([
    [0.2, '1 s'],
    [600, '10 min'],
    [7200, '2 h'],
  ])('says %d seconds as %s', (seconds, words) => expect(inWords(seconds)).toBe(words));
});
