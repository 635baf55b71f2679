import * as z from 'zod';
import { accessTokenSpec } from '../model/resource/access-token.ts';
import { datasetPropertiesSpec } from '../model/resource/dataset-properties.ts';
import { accessTokenStatus, datasetPropertiesStatus, structuredPropertyStatus } from '../model/resource/status.ts';
import { structuredPropertySpec } from '../model/resource/structured-property.ts';
import { GENERATED, table } from './table.ts';

interface Shape {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly maxLength?: number;
  readonly maxItems?: number;
}

/** Every field of each kind of resource. */
export function resourcesPage(): string {
  const kinds = [
    ['StructuredProperty', structuredPropertySpec, structuredPropertyStatus],
    ['DatasetProperties', datasetPropertiesSpec, datasetPropertiesStatus],
    ['AccessToken', accessTokenSpec, accessTokenStatus],
  ] as const;
  const sections = kinds.map(([kind, specSchema, statusSchema]) => {
    const [spec, status] = [shapeOf(specSchema), shapeOf(statusSchema)];
    const wished = table(['field of spec', 'type', 'at most', 'default', 'meaning'], rows(spec, ''));
    const reported = table(
      ['field of status', 'type', 'meaning'],
      rows(status, '').map(([path = '', type = '', , , meaning = '']) => [path, type, meaning]),
    );
    return `## ${kind}\n\n${spec.description}.\n\n${wished}\n\n${status.description}; written by the operator:\n\n${reported}`;
  });
  return `${GENERATED}
# Fields of the resources

\`apiVersion: catalog.proplane.dev/v1alpha1\`. How resources behave is told in [resources](../resources.md).

${sections.join('\n\n')}
`;
}

/** With the parts that have a name of their own written out where they are used. */
function shapeOf(schema: z.ZodType): Shape {
  const { $defs, ...root } = z.toJSONSchema(schema, { io: 'input', reused: 'inline', unrepresentable: 'any' });
  const inlined = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inlined);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...own } = value as { readonly $ref?: string };
    const named = $ref === undefined ? {} : $defs?.[$ref.slice('#/$defs/'.length)];
    return Object.fromEntries(Object.entries({ ...named, ...own }).map(([key, part]) => [key, inlined(part)]));
  };
  return inlined(root) as Shape;
}

function rows(shape: Shape, prefix: string): string[][] {
  return Object.entries(shape.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const fallback = field.default === undefined ? '' : `\`${JSON.stringify(field.default)}\``;
    const standard = shape.required?.includes(name) && fallback === '' ? 'required' : fallback;
    const inner = field.items ?? field;
    return [
      [`\`${path}\``, typeOf(field), limitOf(field), standard, field.description ?? ''],
      ...rows(inner, `${path}${field.items ? '[]' : ''}.`),
    ];
  });
}

function typeOf(field: Shape): string {
  if (field.enum !== undefined) return field.enum.join(', ');
  if (field.items !== undefined) return `list of ${typeOf(field.items)}`;
  if (field.anyOf !== undefined) return [...new Set(field.anyOf.map(typeOf))].join(' or ');
  return [field.type ?? 'any'].flat().join(' or ');
}

/** Characters of a text, items of a list; of a value that may be either, both. */
function limitOf({ maxLength, maxItems, items, anyOf = [] }: Shape): string {
  const limits = [
    ...(maxItems === undefined ? [] : [`${maxItems} items`]),
    ...(maxLength === undefined ? [] : [`${maxLength} characters`]),
    ...[...(items === undefined ? [] : [items]), ...anyOf].map(limitOf),
  ];
  return [...new Set(limits.flatMap((limit) => limit.split(', ')))].filter((limit) => limit !== '').join(', ');
}
