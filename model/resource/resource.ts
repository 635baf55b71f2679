import * as z from 'zod';
import { type AccessTokenSpec, accessTokenSpec } from './access-token.ts';
import { type DatasetPropertiesSpec, datasetPropertiesSpec } from './dataset-properties.ts';
import { API_VERSION, type ResourceId, type ResourceKind } from './identity.ts';
import { metadataSchema } from './metadata.ts';
import { type StructuredPropertySpec, structuredPropertySpec } from './structured-property.ts';

function manifest<K extends ResourceKind, S extends z.ZodType>(kind: K, spec: S, description: string) {
  return z
    .strictObject({
      apiVersion: z.literal(API_VERSION).describe('Version of the shape'),
      kind: z.literal(kind).describe('Kind of the resource'),
      metadata: metadataSchema.describe('What the resource is called'),
      spec,
      status: z.unknown().optional().describe('Written by the operator; ignored in a manifest'),
    })
    .meta({ id: kind, description });
}

/** The manifest of each kind: the one statement of its shape. */
export const MANIFEST_SCHEMAS = {
  StructuredProperty: manifest('StructuredProperty', structuredPropertySpec, 'Defines a structured property'),
  DatasetProperties: manifest('DatasetProperties', datasetPropertiesSpec, 'Puts values of properties on datasets'),
  AccessToken: manifest('AccessToken', accessTokenSpec, 'Keeps an access token in a Secret'),
} as const;

interface ResourceOf<K extends ResourceKind, S> {
  readonly id: ResourceId & { readonly kind: K };
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: S;
}

export type StructuredPropertyResource = ResourceOf<'StructuredProperty', StructuredPropertySpec>;
export type DatasetPropertiesResource = ResourceOf<'DatasetProperties', DatasetPropertiesSpec>;
export type AccessTokenResource = ResourceOf<'AccessToken', AccessTokenSpec>;
/** Such as own a part of the catalogue, by owner marks. */
export type OwningResource = StructuredPropertyResource | DatasetPropertiesResource;
/** A checked resource: see {@link isStructuredProperty}. */
export type Resource = OwningResource | AccessTokenResource;

export function isStructuredProperty(resource: Resource): resource is StructuredPropertyResource {
  return resource.id.kind === 'StructuredProperty';
}

export function isDatasetProperties(resource: Resource): resource is DatasetPropertiesResource {
  return resource.id.kind === 'DatasetProperties';
}

export function isAccessToken(resource: Resource): resource is AccessTokenResource {
  return resource.id.kind === 'AccessToken';
}
