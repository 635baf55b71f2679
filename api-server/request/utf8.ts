import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { CatalogError } from '../catalog/errors.ts';

/** What comes in beside a body has to be UTF-8 too: it would be looked for, or stored, as something else. */

/** Whether bytes that are percent-encoded in a text are no UTF-8. A `%` that begins no escape stands for itself. */
export function hasBrokenEscapes(text: string): boolean {
  return (text.match(/(?:%[\da-f]{2})+/giu) ?? []).some((escapes) => {
    try {
      decodeURIComponent(escapes);
      return false;
    } catch {
      return true;
    }
  });
}

/** Queries whose escapes are no UTF-8: the framework reads them as texts that nobody sent. It refuses such paths itself. */
export function refuseBrokenQueries(server: FastifyInstance): void {
  server.addHook('onRequest', async ({ url }) => {
    const start = url.indexOf('?');
    if (start >= 0 && hasBrokenEscapes(url.slice(start))) throw new CatalogError('malformed', 'The query is no UTF-8.');
  });
}

/** The text of a header, of which the framework makes a character of each byte; `undefined` when it is no UTF-8. */
export function headerText(header: string): string | undefined {
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : undefined;
}
