import { StoreError } from './errors.ts';
import type { Store } from './port.ts';

/** How the store is, as the calls to it have shown. */
export class StoreHealth {
  #writes = 'ok';

  /** `ok`, or why nothing can be written. */
  get writes(): string {
    return this.#writes;
  }

  /** The same store; what its calls show is noted here. */
  watch(store: Store): Store {
    return {
      entities: this.#watched(store.entities),
      records: this.#watched(store.records),
      fences: this.#watched(store.fences),
      ping: () => store.ping(),
      close: () => store.close(),
    };
  }

  #watched<T extends object>(target: T): T {
    return new Proxy(target, {
      get: (_, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        const isWrite = WRITES.has(String(name));
        return async (...given: unknown[]) => {
          try {
            const outcome: unknown = await member.apply(target, given);
            if (isWrite && hasWritten(outcome)) this.#writes = 'ok';
            return outcome;
          } catch (error) {
            if (error instanceof StoreError && error.code === 'unwritable') this.#writes = error.message;
            throw error;
          }
        };
      },
    });
  }
}

/** Methods of the port whose outcome says whether anything was written. */
const WRITES: ReadonlySet<string> = new Set(['insert', 'replace', 'put', 'delete', 'purge']);

/** What found nothing to write says nothing about the disk. */
function hasWritten(outcome: unknown): boolean {
  return outcome === true || typeof outcome === 'string' || (typeof outcome === 'number' && outcome > 0);
}
