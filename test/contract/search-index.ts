import { describe } from '@jest/globals';
import { aggregateContract } from './search/aggregate.ts';
import { changeContract } from './search/changes.ts';
import { conditionSizeContract } from './search/condition-size.ts';
import { conditionContract } from './search/conditions.ts';
import { costContract } from './search/costs.ts';
import type { OpenIndex } from './search/fixture.ts';
import { numberContract } from './search/numbers.ts';
import { pageContract } from './search/pages.ts';
import { rebuildContract } from './search/rebuild.ts';
import { stringContract } from './search/strings.ts';

/** What every adapter of the search port has to do; `open` gives an empty index each time. */
export function searchIndexContract(name: string, open: OpenIndex): void {
  describe(name, () => {
    conditionContract(open);
    stringContract(open);
    numberContract(open);
    conditionSizeContract(open);
    pageContract(open);
    changeContract(open);
    aggregateContract(open);
    rebuildContract(open);
    costContract(open);
  });
}
