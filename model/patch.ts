import * as z from 'zod';
import { canonicalJson } from './canonical-json.ts';
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
    patch: z.array(patchOperationSchema),
    arrayPrimaryKeys: z
      .record(z.string(), z.array(z.string()).min(1))
      .optional()
      .describe('For each array of the aspect: the fields whose values identify an element'),
    forceGenericPatch: z.boolean().optional().describe('Accepted; every patch is generic'),
  })
  .meta({ id: 'Patch', description: 'A JSON patch with keyed arrays' });

export type PatchOperation = z.output<typeof patchOperationSchema>;
export type Patch = z.output<typeof patchSchema>;

/** Array name to the field that identifies its elements; `''` means that the elements are strings, their own keys. */
export type ArrayKeys = Readonly<Record<string, string>>;

const MAX_TOKENS = 100;

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
      const value = toNode(operation.value, arrayKeys);
      if (operation.op !== 'test') root = value;
      else if (!isSame(root, value))
        return refused(violation('failed-test', path, 'the test of the whole aspect failed'));
      continue;
    }
    const failure = applyOne(root, operation, arrayKeys, path);
    if (failure !== undefined) return refused(failure);
  }
  return { ok: true, value: fromNode(root) as Record<string, unknown> };
}

/** A keyed array while it is patched: insertion order is the order of the array. */
class KeyedArray {
  readonly keyField: string;
  readonly elements = new Map<string | symbol, Node>();
  /** Further elements of a key, which a patch must not lose because it cannot address them. */
  readonly #repeated = new Map<string, symbol[]>();
  constructor(keyField: string) {
    this.keyField = keyField;
  }
  /** Takes an element as it is, also when its key is there already. */
  append(key: string, element: Node): void {
    if (!this.elements.has(key)) {
      this.elements.set(key, element);
      return;
    }
    const place = Symbol(key);
    this.elements.set(place, element);
    const repeated = this.#repeated.get(key);
    if (repeated === undefined) this.#repeated.set(key, [place]);
    else repeated.push(place);
  }
  /** @returns what is wrong with the element, if anything. */
  put(key: string, element: Node): string | undefined {
    if (this.keyField !== '' && element instanceof Map) {
      // A new element knows its key from the path alone, so that a patch of a deep path makes a whole element.
      if (!element.has(this.keyField)) element.set(this.keyField, key);
      const own = element.get(this.keyField);
      if (own !== key) return `the value's ${this.keyField} ${JSON.stringify(own)} is not the one in the path`;
    }
    this.#forgetRepeated(key);
    this.elements.set(key, element);
    return undefined;
  }
  remove(key: string): void {
    this.#forgetRepeated(key);
    this.elements.delete(key);
  }
  #forgetRepeated(key: string): void {
    for (const place of this.#repeated.get(key) ?? []) this.elements.delete(place);
    this.#repeated.delete(key);
  }
}

/** JSON with objects as maps: a map keeps the order of keys such as "10" and has no prototype to pollute. */
type Node = null | string | number | boolean | Node[] | Map<string, Node> | KeyedArray;

function toNode(value: unknown, arrayKeys: ArrayKeys, name?: string): Node {
  if (Array.isArray(value)) {
    const keyField = keyFieldOf(name, arrayKeys);
    if (keyField === undefined) return value.map((element) => toNode(element, {}));
    const keyed = new KeyedArray(keyField);
    for (const element of value) keyed.append(keyOf(element, keyField), toNode(element, {}));
    return keyed;
  }
  if (typeof value === 'object' && value !== null) {
    return new Map(Object.entries(value).map(([key, inner]) => [key, toNode(inner, arrayKeys, key)]));
  }
  return value as Node;
}

function fromNode(node: Node): unknown {
  if (node instanceof KeyedArray) return [...node.elements.values()].map(fromNode);
  if (Array.isArray(node)) return node.map(fromNode);
  if (node instanceof Map) return Object.fromEntries([...node].map(([key, inner]) => [key, fromNode(inner)]));
  return node;
}

function keyFieldOf(name: string | undefined, arrayKeys: ArrayKeys): string | undefined {
  return name !== undefined && Object.hasOwn(arrayKeys, name) ? arrayKeys[name] : undefined;
}

function isSame(one: Node, other: Node): boolean {
  return canonicalJson(fromNode(one)) === canonicalJson(fromNode(other));
}

function keyOf(element: unknown, keyField: string): string {
  const key = keyField === '' ? element : (element as Record<string, unknown> | null)?.[keyField];
  return typeof key === 'string' ? key : key === undefined ? '' : JSON.stringify(key);
}

function checkOperation(operation: ResolvedOperation): string | undefined {
  if (operation.op === 'remove') return undefined;
  if (operation.value === undefined) return `operation ${operation.op} needs a value`;
  if (operation.tokens.length === 0 && !isObject(operation.value)) {
    return 'an aspect is an object';
  }
  return undefined;
}

function applyOne(root: Node, operation: ResolvedOperation, arrayKeys: ArrayKeys, path: string): Violation | undefined {
  let node = root;
  const parents = operation.tokens.slice(0, -1);
  const last = operation.tokens.at(-1) as string;
  for (const [depth, token] of parents.entries()) {
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
  const present = child(node, last);
  const name = operation.tokens.length === 1 ? last : undefined;
  const value = toNode(operation.value, arrayKeys, name);
  switch (operation.op) {
    case 'remove':
      remove(node, last);
      return undefined;
    case 'test':
      if (present !== undefined && isSame(present, value)) return undefined;
      return violation('failed-test', path, `the test of ${operation.path} failed`);
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

function child(node: Node, token: string): Node | undefined {
  if (node instanceof KeyedArray) return node.elements.get(token);
  if (node instanceof Map) return node.get(token);
  if (Array.isArray(node)) return /^(?:0|[1-9]\d*)$/u.test(token) ? node[Number(token)] : undefined;
  return undefined;
}

/** @returns what is in the way, if anything. */
function put(node: Node, token: string, value: Node): string | undefined {
  if (node instanceof KeyedArray) return node.put(token, value);
  if (node instanceof Map) node.set(token, value);
  else if (Array.isArray(node) && token === '-') node.push(value);
  else if (Array.isArray(node) && /^(?:0|[1-9]\d*)$/u.test(token) && Number(token) <= node.length) {
    node.splice(Number(token), 0, value);
  } else return `there is nothing that could hold "${token}"`;
  return undefined;
}

function remove(node: Node, token: string): void {
  if (node instanceof KeyedArray) node.remove(token);
  else if (node instanceof Map) node.delete(token);
  else if (Array.isArray(node) && child(node, token) !== undefined) node.splice(Number(token), 1);
}

function unescapeToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}
