import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { plainPage, wantsPage } from './plain-page.ts';

/** Where the build puts the pages, seen from the sources, and from their translation in `dist/`. */
const PLACES = ['dist', '../../frontend/dist'].map((path) => join(import.meta.dirname, path));

export const PAGES_FOLDER = PLACES.find(hasPages) ?? '';

/** Nothing but what the build made, from here: no script and no style in the page itself, no other host. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Paths of interfaces, and of files: what is not there has no page either. */
const NO_PAGES = /^\/+(?:api|openapi|assets)(?:[/\\%]|$)/iu;

const A_YEAR = 31_536_000_000;

/**
 * The pages: one `index.html` for every address that a person can go to, and what it loads. To be added last, because it
 * answers whatever nothing else does.
 */
export async function servePages(server: FastifyInstance, folder: string): Promise<void> {
  const isBuilt = hasPages(folder);
  if (isBuilt) {
    await server.register(fastifyStatic, { root: folder, serve: false, preCompressed: true, dotfiles: 'deny' });
    // The names of assets have a hash of what is in them.
    server.get<{ Params: { '*': string } }>('/assets/*', (request, reply) =>
      reply.sendFile(`assets/${request.params['*']}`, { immutable: true, maxAge: A_YEAR }),
    );
    for (const name of otherFiles(folder)) server.get(`/${name}`, (_request, reply) => reply.sendFile(name));
  }
  server.get('/*', (request, reply) => {
    const { url = '' } = request.raw;
    const isStart = /^\/(?:\?|$)/u.test(url);
    if (!isStart && (!wantsPage(request) || NO_PAGES.test(url.replace(/\?.*$/su, '')))) return reply.callNotFound();
    if (!isBuilt) return reply.code(503).type('text/html; charset=utf-8').send(NOT_BUILT);
    return reply
      .header('cache-control', 'no-cache')
      .header('content-security-policy', POLICY)
      .sendFile('index.html', { cacheControl: false });
  });
}

function hasPages(folder: string): boolean {
  return folder !== '' && existsSync(join(folder, 'index.html'));
}

/** An icon, for example. */
function otherFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'index.html' && !/^\.|\.(?:br|gz)$/u.test(entry.name))
    .map(({ name }) => name);
}

const NOT_BUILT = plainPage({
  title: 'The pages are not built',
  text: ['Run "npm run build-pages" in the folder of Proplane, then start it again. The API answers without them.'],
  link: { to: '/openapi/ui', text: 'Documentation of the API' },
});
