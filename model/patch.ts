import * as z from 'zod';
import { MAX_CHANGES } from './limits.ts';
import {
  type ArrayKeys,
  child,
  fromNode,
  isSame,
  KeyedArray,
  keyFieldOf,
  type Node,
  put,
  remove,
  toNode,
} from './patch-nodes.ts';
import { sentList } from './sent-list.ts';
import { type Checked, checkShape, isObject, refused } from './shape.ts';
import { type Violation, violation } from './violation.ts';

/**
 * JSON Patch (RFC 6902) as the reference catalogue understands it: arrays that have primary keys are addressed by key
 * instead of position. `add` of a present key replaces the element in place, of a new one appends it; `remove` of what is
 * not there does nothing; missing parents of a path are made.
 */

const OPERATIONS = ['add', 'remove', 'replace', 'test'] as const;

/** Unknown members are ignored, as the RFC says. */
export const patchOperationSchema = z
  .object({
    op: z
      .string()
      .meta({ enum: OPERATIONS })
      .transform((op) => op.toLowerCase())
      .pipe(z.enum(OPERATIONS, { error: `must be one of ${OPERATIONS.join(', ')}` }))
      .describe('In any case'),
    path: z
      .string()
      .regex(/^(?:$|\/)/u, 'a JSON pointer is empty or starts with /')
      // A body that has such a key is refused as well.
      .regex(/^(?!.*\/__proto__(?:\/|$))/su, '__proto__ is not allowed')
      .describe('JSON pointer; in a keyed array the token after its name is the key'),
    value: z.unknown().optional().describe('For add, replace and test; ignored by remove'),
  })
  .meta({ id: 'PatchOperation', description: 'One operation of a JSON patch' });

export const patchSchema = z
  .strictObject({
    patch: sentList(patchOperationSchema).max(MAX_CHANGES),
    arrayPrimaryKeys: z
      .record(z.string(), sentList(z.string()).min(1))
      .optional()
      .describe('For each array of the aspect: the fields whose values identify an element'),
    forceGenericPatch: z.boolean().optional().describe('Accepted; every patch is generic'),
  })
  .meta({ id: 'Patch', description: 'A JSON patch with keyed arrays' });

export type PatchOperation = z.output<typeof patchOperationSchema>;
export type Patch = z.output<typeof patchSchema>;

const MAX_TOKENS = 100;
/** Elements that one patch moves up or down in lists: each insertion before others moves those behind it. */
const MAX_MOVED = 50_000_000;

/** What a path addresses: `properties`, then the key, then what is inside the element. */
export interface ResolvedOperation extends PatchOperation {
  readonly tokens: readonly string[];
}

/** Reads a patch body; an array alone is a patch without further fields. */
export function parsePatch(body: unknown): Checked<Patch> {
  return checkShape(patchSchema, Array.isArray(body) ? { patch: body } : body);
}

/** Tokens of a path by RFC 6901. A `~` that starts no escape stands for itself. */
export function pointerTokens(path: string): string[] {
  return path === '' ? [] : path.replace(/^\//u, '').split('/').map(unescapeToken);
}

export function escapeToken(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1');
}

/**
 * Tokens of a path into the `structuredProperties` aspect: `/properties/<urn>`, where the URN may hold unescaped
 * slashes, may be followed by one empty token (an empty attribution source, as the reference's SDK sends it), and may be
 * followed by `/values` and what is inside the values.
 */
export function assignmentTokens(path: string): string[] {
  const inside = /^\/?properties\/(.+)$/su.exec(path)?.[1];
  if (inside === undefined) return pointerTokens(path);
  const values = /^(.+?)\/values((?:\/(?:\d+|-)(?:\/(?:string|double))?)?)$/su.exec(inside);
  const urn = (values?.[1] ?? inside).replace(/\/$/u, '');
  const rest = values === null ? [] : ['values', ...pointerTokens(values[2] ?? '')];
  return ['properties', unescapeToken(urn), ...rest];
}

/**
 * Applies operations to an aspect. The aspect is not changed.
 * @returns the patched copy, or the rule that an operation breaks.
 */
export function applyPatch(
  aspect: Readonly<Record<string, unknown>>,
  operations: readonly ResolvedOperation[],
  arrayKeys: ArrayKeys,
): Checked<Record<string, unknown>> {
  let root: Node = toNode(aspect, arrayKeys);
  let moved = 0;
  for (const [index, operation] of operations.entries()) {
    const path = `patch[${index}]`;
    if (operation.tokens.length > MAX_TOKENS) {
      return refused(violation('invalid-patch', `${path}.path`, `it has more than ${MAX_TOKENS} steps`));
    }
    const problem = checkOperation(operation);
    if (problem !== undefined) return refused(violation('invalid-patch', `${path}.value`, problem));
    if (operation.tokens.length === 0) {
      if (operation.op === 'remove')
        return refused(violation('invalid-patch', `${path}.path`, 'the whole aspect cannot be removed by a patch'));
      if (operation.op !== 'test') root = toNode(operation.value, arrayKeys);
      else if (!isSame(root, operation.value))
        return refused(violation('failed-test', path, 'the test of the whole aspect failed'));
      continue;
    }
    const node = parentOf(root, operation, arrayKeys, path);
    if (node === undefined) continue;
    if ('code' in node) return refused(node);
    moved += movedBy(operation, node);
    if (moved > MAX_MOVED) {
      return refused(
        violation('invalid-patch', path, `more than ${MAX_MOVED} elements of lists were moved: put in whole lists`),
      );
    }
    const failure = applyTo(node, operation, arrayKeys, path);
    if (failure !== undefined) return refused(failure);
  }
  return { ok: true, value: fromNode(root) as Record<string, unknown> };
}

function checkOperation(operation: ResolvedOperation): string | undefined {
  if (operation.op === 'remove') return undefined;
  if (operation.value === undefined) return `operation ${operation.op} needs a value`;
  if (operation.tokens.length === 0 && !isObject(operation.value)) {
    return 'an aspect is an object';
  }
  return undefined;
}

/** What holds the last step of a path; `undefined` where there is nothing to remove. Missing parents are made. */
function parentOf(
  root: Node,
  operation: ResolvedOperation,
  arrayKeys: ArrayKeys,
  path: string,
): Holder | Violation | undefined {
  let node = root;
  for (const [depth, token] of operation.tokens.slice(0, -1).entries()) {
    let next = child(node, token);
    if (next === undefined) {
      if (operation.op === 'remove') return undefined;
      if (operation.op !== 'add')
        return violation('invalid-patch', `${path}.path`, `there is nothing at ${operation.path}`);
      next = emptyParent(token, depth, operation.tokens, arrayKeys);
      const problem = problemAt(path, put(node, token, next));
      if (problem !== undefined) return problem;
    }
    node = next;
  }
  return { node };
}

interface Holder {
  readonly node: Node;
}

function movedBy({ op, tokens }: ResolvedOperation, { node }: Holder): number {
  if (!Array.isArray(node) || (op !== 'add' && op !== 'remove')) return 0;
  return Math.max(0, node.length - Number(tokens.at(-1))) || 0;
}

function applyTo(
  { node }: Holder,
  operation: ResolvedOperation,
  arrayKeys: ArrayKeys,
  path: string,
): Violation | undefined {
  const last = operation.tokens.at(-1) as string;
  const present = child(node, last);
  const name = operation.tokens.length === 1 ? last : undefined;
  if (operation.op === 'test') {
    if (present !== undefined && isSame(present, operation.value)) return undefined;
    return violation('failed-test', path, `the test of ${operation.path} failed`);
  }
  const value = toNode(operation.value, arrayKeys, name);
  switch (operation.op) {
    case 'remove':
      remove(node, last);
      return undefined;
    case 'replace':
      if (present === undefined)
        return violation('invalid-patch', `${path}.path`, `there is nothing at ${operation.path} to replace`);
      if (Array.isArray(node)) node[Number(last)] = value;
      else return problemAt(path, put(node, last, value));
      return undefined;
    default:
      return problemAt(path, put(node, last, value));
  }
}

function problemAt(path: string, problem: string | undefined): Violation | undefined {
  return problem === undefined ? undefined : violation('invalid-patch', path, problem);
}

function emptyParent(token: string, depth: number, tokens: readonly string[], arrayKeys: ArrayKeys): Node {
  const keyField = depth === 0 ? keyFieldOf(token, arrayKeys) : undefined;
  if (keyField !== undefined) return new KeyedArray(keyField);
  const following = tokens[depth + 1];
  return following === '-' || following === '0' ? [] : new Map();
}

function unescapeToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}
