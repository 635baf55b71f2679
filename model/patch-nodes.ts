import { isObject } from './shape.ts';

/** A document while it is patched: its keyed arrays are addressed by key, and nothing in it has a prototype. */

/** Array name to the field that identifies its elements; `''` means that the elements are strings, their own keys. */
export type ArrayKeys = Readonly<Record<string, string>>;

/** A keyed array while it is patched: insertion order is the order of the array. */
export class KeyedArray {
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
export type Node = null | string | number | boolean | Node[] | Map<string, Node> | KeyedArray;

export function toNode(value: unknown, arrayKeys: ArrayKeys, name?: string): Node {
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

export function fromNode(node: Node): unknown {
  if (node instanceof KeyedArray) return [...node.elements.values()].map(fromNode);
  if (Array.isArray(node)) return node.map(fromNode);
  if (node instanceof Map) return Object.fromEntries([...node].map(([key, inner]) => [key, fromNode(inner)]));
  return node;
}

export function keyFieldOf(name: string | undefined, arrayKeys: ArrayKeys): string | undefined {
  return name !== undefined && Object.hasOwn(arrayKeys, name) ? arrayKeys[name] : undefined;
}

/** Looks at no more than there is in `value`: a patch may test a large document thousands of times. */
export function isSame(node: Node, value: unknown): boolean {
  if (node instanceof KeyedArray || Array.isArray(node)) {
    const elements = Array.isArray(node) ? node : node.elements;
    if (!Array.isArray(value) || sizeOf(elements) !== value.length) return false;
    let index = 0;
    for (const element of elements.values()) if (!isSame(element, value[index++])) return false;
    return true;
  }
  if (!(node instanceof Map)) return node === value;
  if (!isObject(value) || Object.keys(value).length !== node.size) return false;
  return Object.entries(value).every(([key, inner]) => node.has(key) && isSame(node.get(key) ?? null, inner));
}

function sizeOf(elements: Node[] | KeyedArray['elements']): number {
  return Array.isArray(elements) ? elements.length : elements.size;
}

function keyOf(element: unknown, keyField: string): string {
  const key = keyField === '' ? element : (element as Record<string, unknown> | null)?.[keyField];
  return typeof key === 'string' ? key : key === undefined ? '' : JSON.stringify(key);
}

export function child(node: Node, token: string): Node | undefined {
  if (node instanceof KeyedArray) return node.elements.get(token);
  if (node instanceof Map) return node.get(token);
  if (Array.isArray(node)) return /^(?:0|[1-9]\d*)$/u.test(token) ? node[Number(token)] : undefined;
  return undefined;
}

/** @returns what is in the way, if anything. */
export function put(node: Node, token: string, value: Node): string | undefined {
  if (node instanceof KeyedArray) return node.put(token, value);
  if (node instanceof Map) node.set(token, value);
  else if (Array.isArray(node) && token === '-') node.push(value);
  else if (Array.isArray(node) && /^(?:0|[1-9]\d*)$/u.test(token) && Number(token) <= node.length) {
    node.splice(Number(token), 0, value);
  } else return `there is nothing that could hold "${token}"`;
  return undefined;
}

export function remove(node: Node, token: string): void {
  if (node instanceof KeyedArray) node.remove(token);
  else if (node instanceof Map) node.delete(token);
  else if (Array.isArray(node) && child(node, token) !== undefined) node.splice(Number(token), 1);
}
