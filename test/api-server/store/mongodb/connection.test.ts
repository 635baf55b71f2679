import { describe, expect, it } from '@jest/globals';
import { addressOf, clientOf, databaseOf } from '../../../../api-server/store/mongodb/connection.ts';

describe('the address of MongoDB', () => {
  it('names the database, or leaves it to us', () => {
    expect(databaseOf('mongodb://ada:secret@one:1,two:2/cata%20logue?replicaSet=x')).toBe('cata logue');
    expect(databaseOf('mongodb+srv://cluster.example.com/catalogue')).toBe('catalogue');
    for (const uri of ['mongodb://one:1', 'mongodb://one:1/', 'mongodb://one:1/?authSource=admin']) {
      expect(databaseOf(uri)).toBe('proplane');
    }
  });

  it('is shown without credentials', () => {
    expect(addressOf(clientOf('mongodb://ada:secret@one:1,two:2/db'))).toBe('one:1,two:2');
    expect(addressOf(clientOf('mongodb+srv://ada:secret@cluster.example.com/db'))).toBe('cluster.example.com');
  });

  it('is not repeated when it cannot be read', () => {
    for (const uri of [
      'mongodb://ada:sec:ret@one',
      'http://ada:secret@one',
      'ada:secret',
      'mongodb://a:secret@h/?x=y',
    ]) {
      expect(() => clientOf(uri)).toThrow(/^the address of MongoDB cannot be read/u);
      try {
        clientOf(uri);
      } catch (error) {
        expect(error).not.toHaveProperty('cause');
      }
    }
  });

  it('cannot weaken what a write promises', () => {
    const { options } = clientOf(
      'mongodb://one/?w=1&journal=false&readConcernLevel=local&readPreference=secondary&retryWrites=false',
    );
    expect(options.writeConcern).toMatchObject({ w: 'majority', journal: true });
    expect(options.readConcern).toMatchObject({ level: 'majority' });
    expect(options.readPreference.mode).toBe('primary');
    expect(options.retryWrites).toBe(true);
  });
});
