import { describe } from '@jest/globals';
import { durabilityContract } from './store/durability.ts';
import { fenceContract } from './store/fences.ts';
import type { OpenStore } from './store/fixture.ts';
import { holderContract } from './store/holders.ts';
import { jsonContract } from './store/json.ts';
import { listContract } from './store/lists.ts';
import { outboxContract } from './store/outbox.ts';
import { recordContract } from './store/records.ts';
import { writeContract } from './store/writes.ts';

/** What every adapter of the store port has to do; `open` gives an empty store each time. */
export function storeContract(name: string, open: OpenStore): void {
  describe(name, () => {
    writeContract(open);
    jsonContract(open);
    listContract(open);
    outboxContract(open);
    holderContract(open);
    recordContract(open);
    fenceContract(open);
    durabilityContract(open);
  });
}
