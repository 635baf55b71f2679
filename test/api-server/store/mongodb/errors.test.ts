import { describe, expect, it } from '@jest/globals';
import { MongoInvalidArgumentError, MongoNetworkError, MongoServerError } from 'mongodb';
import { StoreError } from '../../../../api-server/store/errors.ts';
import { isDuplicate, storeErrorOf } from '../../../../api-server/store/mongodb/errors.ts';

const answer = (code: number) => new MongoServerError({ code, message: 'any text' });

describe('an error of the driver', () => {
  it('is an outage when the network fails, or when the server says that it cannot answer now', () => {
    // As node:net throws it at a write after the other side has ended, which the driver passes on.
    const ended = Object.assign(new Error('This socket has been ended by the other party'), { code: 'EPIPE' });
    for (const error of [new MongoNetworkError('reset'), answer(189), answer(64), answer(11_600), ended]) {
      const made = storeErrorOf(error, 'host:1');
      expect(made).toBeInstanceOf(StoreError);
      expect(made).toMatchObject({
        code: 'unavailable',
        message: `MongoDB at host:1 does not answer: ${error.message}`,
        cause: error,
      });
    }
  });

  it('names the server that refuses', () => {
    const made = storeErrorOf(answer(13), 'host:1');
    expect(made).not.toBeInstanceOf(StoreError);
    expect(made).toMatchObject({ message: 'MongoDB at host:1 refuses: any text' });
  });

  it('says that the disk of the server is full', () => {
    expect(storeErrorOf(answer(14_031), 'host:1')).toMatchObject({
      code: 'unwritable',
      message: 'The disk of MongoDB at host:1 is full: make room. Nothing is written until then; reads go on',
    });
  });

  it('stays what it is when the mistake is on this side', () => {
    for (const error of [
      new MongoInvalidArgumentError('wrong'),
      new TypeError('wrong'),
      Object.assign(new TypeError('wrong'), { code: 'ERR_INVALID_ARG_TYPE' }),
    ]) {
      expect(storeErrorOf(error, 'host:1')).toBe(error);
    }
  });

  it('is a duplicate by its code, whatever its text', () => {
    expect(isDuplicate(answer(11_000))).toBe(true);
    expect(isDuplicate(answer(11_001))).toBe(false);
    expect(isDuplicate(new Error('E11000 duplicate key'))).toBe(false);
  });
});
