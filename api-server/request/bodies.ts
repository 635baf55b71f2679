import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type * as z from 'zod';
import { excessOf, measureJson, unusable } from '../../model/json-measure.ts';
import { checkShape } from '../../model/shape.ts';
import { CatalogError, valid } from '../catalog/errors.ts';

/** What decoders put in the place of bytes that are no UTF-8. */
const REPLACEMENT = Buffer.from('\uFFFD');

/**
 * JSON under both of its names, and nothing else. No body at all is no error, because clients send the content type with
 * every request.
 */
export function acceptJson(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    ['application/json', 'application/json-patch+json'],
    { parseAs: 'buffer' },
    (request, body, done) => {
      if (body.length === 0) return done(null, undefined);
      const text = textOf(body as Buffer);
      if (text instanceof Error) return done(text);
      const measure = measureJson(text);
      const problem = unusable(measure);
      if (problem !== undefined) return done(new SyntaxError(problem));
      const excess = excessOf(measure);
      if (excess !== undefined) return done(new CatalogError('too-large', `The body has ${excess}: send it in parts`));
      void parse(request, text, (error, value) => (error === null ? done(null, value) : done(malformed(text, error))));
    },
  );
}

/** Text of one content type, and nothing else. */
export function acceptText(server: FastifyInstance, contentType: string): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(contentType, { parseAs: 'buffer' }, (_request, body, done) => {
    const text = textOf(body as Buffer);
    if (text instanceof Error) done(text);
    else done(null, text);
  });
}

/** The request's body, checked against a schema. @throws CatalogError `invalid` with every violated rule. */
export function checkedBody<S extends z.ZodType>(schema: S, request: FastifyRequest): z.output<S> {
  return valid(checkShape(schema, request.body));
}

/** What is no UTF-8 is refused: it would be stored as something else than what was sent. */
function textOf(body: Buffer): string | SyntaxError {
  const text = body.toString();
  if (isUtf8(body)) return text;
  let offset = 0;
  for (const valid of text.split('\uFFFD')) {
    offset += Buffer.byteLength(valid);
    if (!REPLACEMENT.equals(body.subarray(offset, offset + REPLACEMENT.length))) break;
    offset += REPLACEMENT.length;
  }
  return new SyntaxError(`the body is no UTF-8: byte ${offset} (from 0) is not part of a character`);
}

/** The parser of the framework does not say where the mistake is; the language's own does. */
function malformed(body: string, error: Error): Error {
  try {
    JSON.parse(body);
    return new SyntaxError('keys such as __proto__ are not allowed', { cause: error });
  } catch (detail) {
    return detail instanceof SyntaxError ? detail : error;
  }
}
