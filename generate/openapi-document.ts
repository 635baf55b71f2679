import { pino } from 'pino';
import type { CatalogParts } from '../api-server/catalog/parts.ts';
import { createServer } from '../api-server/create-server.ts';

/** The OpenAPI document as the server serves it. Its routes are registered, none is called. */
export async function openApiDocument(): Promise<string> {
  const settings = { namespaceWord: 'datahub', entityTypesCheck: 'enforce', requestTimeout: 30_000 };
  const parts = { log: pino({ level: 'silent' }), settings } as unknown as CatalogParts;
  const server = await createServer(parts, '0.0.0');
  await server.ready();
  const document = server.swagger();
  await server.close();
  return `${JSON.stringify(document, null, 2)}\n`;
}
