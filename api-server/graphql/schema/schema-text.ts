import { entitySchema } from './entities.ts';
import { SEARCH_SCHEMA } from './search.ts';
import { STRUCTURED_PROPERTY_SCHEMA } from './structured-properties.ts';

/** The whole schema, in the schema language. */
export const SCHEMA_TEXT = [entitySchema(), SEARCH_SCHEMA, STRUCTURED_PROPERTY_SCHEMA].join('\n');
