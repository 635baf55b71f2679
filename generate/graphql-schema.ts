import { buildSchema, printSchema } from 'graphql';
import { SCHEMA_TEXT } from '../api-server/graphql/register.ts';

/** The GraphQL schema as introspection shows it. */
export function graphqlSchema(): string {
  return `# Written by \`make generate\`; change the code that it comes from.\n\n${printSchema(buildSchema(SCHEMA_TEXT))}\n`;
}
