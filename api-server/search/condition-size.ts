import { SearchError } from './errors.ts';
import { MAX_CONDITION_NODES, type SearchCondition } from './port.ts';

/** @throws {SearchError} `too-large` when a condition has more than MAX_CONDITION_NODES nodes. */
export function checkConditionSize(condition: SearchCondition): void {
  // no recursion: what is too large may be too deep as well
  const waiting = [condition];
  for (let nodes = 1; ; nodes++) {
    const node = waiting.pop();
    if (node === undefined) return;
    if (nodes > MAX_CONDITION_NODES) {
      throw new SearchError('too-large', `The query has more than ${MAX_CONDITION_NODES} conditions`);
    }
    if (node.kind === 'not') waiting.push(node.of);
    else if (node.kind === 'and' || node.kind === 'or') for (const operand of node.of) waiting.push(operand);
  }
}
