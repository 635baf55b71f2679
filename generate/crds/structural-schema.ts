import * as z from 'zod';
import { re2Pattern } from './re2.ts';

/** A schema as a CRD has it: one type a place, nothing by reference, every field spelt out. */
export interface StructuralSchema {
  readonly description?: string;
  readonly type?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, StructuralSchema>>;
  readonly items?: StructuralSchema;
  readonly [keyword: string]: unknown;
}

type JsonSchema = Readonly<Record<string, unknown>>;

/** Taken over as they are. What is in none of these lists is an error: it would be lost. */
const KEPT = [
  'type',
  'format',
  'default',
  'enum',
  'required',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-validations',
] as const;

/** Unknown fields are pruned, not refused; kubectl tells of them. */
const DROPPED = ['$schema', '$defs', 'additionalProperties', 'id'];

/** The schema of what is written, before defaults are filled in. */
export function structuralSchema(schema: z.ZodType): StructuralSchema {
  const { $defs = {}, ...root } = z.toJSONSchema(schema, { io: 'input', reused: 'inline' }) as JsonSchema;
  return structural(root, $defs as Record<string, JsonSchema>);
}

function structural(schema: JsonSchema, definitions: Readonly<Record<string, JsonSchema>>): StructuralSchema {
  const { $ref, ...own } = schema;
  if (typeof $ref === 'string') {
    const meant = definitions[$ref.slice('#/$defs/'.length)];
    return structural({ ...meant, ...own }, definitions);
  }
  const inner = (one: unknown) => structural(one as JsonSchema, definitions);
  const { description, properties, items, anyOf, pattern, minimum, maximum, ...rest } = own;
  const kept = KEPT.filter((keyword) => keyword in rest);
  const unknown = Object.keys(rest).filter((keyword) => ![...KEPT, ...DROPPED].includes(keyword));
  if (unknown.length > 0) throw new Error(`${unknown.join(', ')}: a CRD cannot say this, or we do not know how`);
  return {
    ...(description === undefined ? {} : { description: sentence(String(description)) }),
    ...Object.fromEntries(kept.map((keyword) => [keyword, rest[keyword]])),
    ...(rest.type === 'integer' ? { format: 'int64' } : {}),
    ...bounds(minimum, maximum),
    ...(pattern === undefined ? {} : { pattern: re2Pattern(String(pattern)) }),
    ...(anyOf === undefined ? {} : untyped((anyOf as JsonSchema[]).map(inner))),
    ...(items === undefined ? {} : { items: inner(items) }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties as Record<string, unknown>).map(([name, one]) => [name, inner(one)]),
          ),
        }),
  };
}

/** What zod says of every integer, that it can be a double, is left out. */
function bounds(minimum: unknown, maximum: unknown): object {
  return {
    ...(minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? {} : { minimum }),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }),
  };
}

/** One of several types cannot be said. Bounds can: each is asked only of what it fits, a text or a list. */
function untyped(alternatives: readonly StructuralSchema[]): StructuralSchema {
  const constraints = alternatives.map(({ type: _type, ...constraint }) => constraint);
  return Object.assign({ 'x-kubernetes-preserve-unknown-fields': true }, ...constraints);
}

/** Descriptions of the model are half sentences; `kubectl explain` shows them alone. */
function sentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}
