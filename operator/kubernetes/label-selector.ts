/** What the labels of an object must be like, as `kubectl get --selector` reads it: all of the requirements. */
export type LabelSelector = readonly LabelRequirement[];

export type LabelRequirement =
  | { readonly key: string; readonly is: 'in' | 'notin'; readonly values: ReadonlySet<string> }
  | { readonly key: string; readonly is: 'present' | 'absent' };

type Labels = Readonly<Record<string, string>>;

/** Source: apimachinery, util/validation: IsQualifiedName, IsValidLabelValue. */
const NAME = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/u;
const PREFIX = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/u;
const LONGEST_PREFIX = 253;

/**
 * Reads `a=b,c!=d,e in (x,y),f notin (z),g,!h`; an empty text selects everything.
 * @throws Error that names the place.
 */
export function parseLabelSelector(text: string): LabelSelector {
  const reader = new Reader(text);
  const requirements: LabelRequirement[] = [];
  if (reader.next.text === '') return requirements;
  for (;;) {
    requirements.push(readRequirement(reader));
    if (reader.next.text === '') return requirements;
    reader.take(',', '"," or the end');
  }
}

/** A label that an object does not have is neither equal to anything nor in any list, so `!=` and `notin` hold. */
export function matchesLabels(selector: LabelSelector, labels: Labels = {}): boolean {
  return selector.every((requirement) => meets(labels, requirement));
}

function meets(labels: Labels, requirement: LabelRequirement): boolean {
  const value = Object.hasOwn(labels, requirement.key) ? labels[requirement.key] : undefined;
  switch (requirement.is) {
    case 'present':
      return value !== undefined;
    case 'absent':
      return value === undefined;
    case 'in':
      return value !== undefined && requirement.values.has(value);
    case 'notin':
      return value === undefined || !requirement.values.has(value);
  }
}

function readRequirement(reader: Reader): LabelRequirement {
  if (reader.skip('!')) return { key: readKey(reader), is: 'absent' };
  const key = readKey(reader);
  if (reader.skip('=') || reader.skip('==')) return { key, is: 'in', values: new Set([readValue(reader)]) };
  if (reader.skip('!=')) return { key, is: 'notin', values: new Set([readValue(reader)]) };
  if (reader.skip('in')) return { key, is: 'in', values: readValues(reader) };
  if (reader.skip('notin')) return { key, is: 'notin', values: readValues(reader) };
  if (reader.next.text === '' || reader.next.text === ',') return { key, is: 'present' };
  throw reader.expected('"=", "!=", "in", "notin", "," or the end');
}

function readKey(reader: Reader): string {
  const { text } = reader.next;
  const parts = text.split('/');
  const [name = '', prefix] = parts.toReversed();
  const hasGoodPrefix = prefix === undefined || (prefix.length <= LONGEST_PREFIX && PREFIX.test(prefix));
  if (parts.length > 2 || !NAME.test(name) || !hasGoodPrefix) throw reader.expected('the key of a label');
  return reader.take(text);
}

function readValues(reader: Reader): Set<string> {
  reader.take('(', '"("');
  if (reader.next.text === ')') throw reader.expected('a value');
  const values = new Set<string>();
  do values.add(readValue(reader));
  while (reader.skip(','));
  reader.take(')', '"," or ")"');
  return values;
}

/** Nothing is a value too: the empty one. */
function readValue(reader: Reader): string {
  const { text } = reader.next;
  if (text === '' || text === ',' || text === ')') return '';
  if (!NAME.test(text)) throw reader.expected('the value of a label');
  return reader.take(text);
}

interface Token {
  /** Empty at the end. */
  readonly text: string;
  /** From 1. */
  readonly place: number;
}

class Reader {
  readonly #tokens: Token[];
  #at = 0;

  constructor(text: string) {
    const found = text.matchAll(/==|!=|[=!(),]|[^\s=!(),]+/gu);
    this.#tokens = Array.from(found, (match) => ({ text: match[0], place: match.index + 1 }));
    this.#tokens.push({ text: '', place: text.length + 1 });
  }

  get next(): Token {
    return this.#tokens[this.#at] as Token;
  }

  skip(text: string): boolean {
    if (this.next.text !== text) return false;
    this.#at += 1;
    return true;
  }

  take(text: string, what = text): string {
    if (!this.skip(text)) throw this.expected(what);
    return text;
  }

  expected(what: string): Error {
    const { text, place } = this.next;
    const found = text === '' ? 'the end' : `"${text}"`;
    return new Error(`label selector, character ${place}: expected ${what}, found ${found}`);
  }
}
