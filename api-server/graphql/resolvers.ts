import { entityResolvers, readOne } from './entity-resolvers.ts';
import { mutationResolvers } from './mutations.ts';
import { LENIENT_SCALARS } from './scalars.ts';
import { searchResolvers } from './search-resolvers.ts';
import { structuredPropertyResolvers } from './structured-properties.ts';

/** The resolvers of the whole schema, by type and field. */
export function resolvers() {
  const { Query: searches } = searchResolvers;
  const { Query: reads, ...entityTypes } = entityResolvers;
  const types: Record<string, Record<string, unknown>> = { ...entityTypes };
  for (const [typeName, fields] of Object.entries(structuredPropertyResolvers)) {
    types[typeName] = { ...types[typeName], ...fields };
  }
  return {
    ...LENIENT_SCALARS,
    ...types,
    ...mutationResolvers,
    Query: { ...reads, ...searches, structuredProperty: readOne('structuredProperty') },
  };
}
