import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { NDJSON } from '../../../model/export-line.ts';
import { importSessionSchema, type ShownImport } from '../../../model/wire/import-session.ts';
import { CatalogError } from '../../catalog/errors.ts';
import type { CatalogParts } from '../../catalog/parts.ts';
import { acceptText } from '../../request/bodies.ts';
import { contextOf, onlyReads } from '../../request/context.ts';
import { errorResponses } from '../../request/errors.ts';
import { type ImportSession, refuseWhileImporting } from '../../transfer/import-session.ts';
import { exportCatalogue, importLines, importState } from '../../use-cases/transfer.ts';
import { typed } from '../typed-routes.ts';

const exportQuery = z.object({
  after: z.string().optional().describe('To go on with one that was cut: <kind>:<id> of the last line that arrived'),
  lines: z.coerce.number().int().min(1).optional().describe('Goes with after: how many lines arrived'),
});

const importQuery = z.object({
  id: z.string().describe('Id of the export, from its header'),
  before: z.coerce.number().int().min(0).describe('How many lines of the export stand before these'),
});

const linesSchema: z.ZodType = z.string().describe('Lines of an export, each a JSON object; see docs/moving.md');

/** Moving a catalogue between servers. */
export async function transferRoutes(untyped: FastifyInstance, parts: CatalogParts): Promise<void> {
  const server = typed(untyped);
  const describe = <More extends object, Success>(summary: string, more: More, success: Success) => ({
    schema: { tags: ['Operations'], summary, ...more, response: { 200: success, ...errorResponses } },
  });
  const stream = {
    description: 'A header, a line for each thing, an end',
    content: { [NDJSON]: { schema: linesSchema } },
  };
  server.get(
    '/export',
    describe('The whole catalogue as it is stored', { querystring: exportQuery }, stream),
    async (request, reply) => {
      const { after, lines } = request.query;
      if ((after === undefined) !== (lines === undefined))
        throw new CatalogError('malformed', 'after and lines go together');
      const place = after === undefined || lines === undefined ? undefined : { after, lines };
      const lineTexts = await exportCatalogue(contextOf(parts, request), place);
      return reply.type(NDJSON).send(Readable.from(lineTexts, { objectMode: false }));
    },
  );
  server.get('/import', describe('How far the import is', {}, importSessionSchema), async (request) =>
    shown(await importState(contextOf(parts, request))),
  );
  await server.register((lines, _options, done) => {
    acceptText(lines, NDJSON);
    typed(lines).post(
      '/import',
      describe(
        'Store lines of an export in an empty catalogue',
        { querystring: importQuery, consumes: [NDJSON], body: linesSchema },
        importSessionSchema,
      ),
      async (request) => {
        if (typeof request.body !== 'string')
          throw new CatalogError('malformed', `lines are needed as the body, as ${NDJSON}`);
        return shown(await importLines(contextOf(parts, request), { ...request.query, text: request.body }));
      },
    );
    done();
  });
}

/** Refuses what these routes write while an import is under way. */
export function refuseWritesWhileImporting(server: FastifyInstance, parts: CatalogParts): void {
  server.addHook('onRequest', async (request) => {
    if (!onlyReads(request)) await refuseWhileImporting(parts);
  });
}

function shown(session: ImportSession | undefined): ShownImport {
  return session ?? { state: 'none', lines: 0 };
}
