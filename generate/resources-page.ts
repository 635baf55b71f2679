import * as z from 'zod';
import { datasetPropertiesSpec } from '../model/resource/dataset-properties.ts';
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
}

/** Every field of both kinds of resource. */
export function resourcesPage(): string {
  const kinds = [
    ['StructuredProperty', structuredPropertySpec],
    ['DatasetProperties', datasetPropertiesSpec],
  ] as const;
  const sections = kinds.map(([kind, schema]) => {
    const { $defs } = z.toJSONSchema(schema, { io: 'input', reused: 'inline', unrepresentable: 'any' });
    const shape = ($defs?.[`${kind}Spec`] ?? {}) as Shape;
    return `## ${kind}\n\n${shape.description}.\n\n${table(['field of spec', 'type', 'default', 'meaning'], rows(shape, ''))}`;
  });
  return `${GENERATED}
# Fields of the resources

\`apiVersion: catalog.proplane.dev/v1alpha1\`. How resources behave is told in [resources](../resources.md).

${sections.join('\n\n')}
`;
}

function rows(shape: Shape, prefix: string): string[][] {
  return Object.entries(shape.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const fallback = field.default === undefined ? '' : `\`${JSON.stringify(field.default)}\``;
    const standard = shape.required?.includes(name) && fallback === '' ? 'required' : fallback;
    const inner = field.items ?? field;
    return [
      [`\`${path}\``, typeOf(field), standard, field.description ?? ''],
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
