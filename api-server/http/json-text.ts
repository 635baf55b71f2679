import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/**
 * Answers that are put together of texts. An entity becomes its text as soon as it was read, so that of many large ones
 * only one at a time is there in both forms, and no long list is turned into text in one go. Large texts are bytes, as
 * they are sent.
 */
export type JsonText = string | Buffer;

/** Texts that are one when they are put behind one another. */
export type JsonTexts = readonly JsonText[];

/** Characters up to which putting texts together costs nothing. */
const SMALL = 64 * 1024;

export function textOf(value: unknown): JsonText {
  const text = JSON.stringify(value);
  return text.length > SMALL ? Buffer.from(text) : text;
}

export function listText(items: readonly JsonText[]): JsonTexts {
  return ['[', ...items.flatMap((item, index) => (index === 0 ? [item] : [',', item])), ']'];
}

/** @param members absent ones are left out. */
export function objectText(members: Readonly<Record<string, JsonTexts | '' | undefined>>): JsonTexts {
  const present = Object.entries(members).flatMap(([name, value]) => (value ? [{ name, value }] : []));
  const texts = present.flatMap(({ name, value }, index) => [
    `${index === 0 ? '' : ','}${JSON.stringify(name)}:`,
    ...value,
  ]);
  return ['{', ...texts, '}'];
}

export function sendText(reply: FastifyReply, texts: JsonTexts): FastifyReply {
  reply.type('application/json; charset=utf-8');
  const parts = joined(texts);
  const [only, ...more] = parts;
  if (only === undefined || more.length === 0) return reply.send(only ?? '');
  reply.header('content-length', String(parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0)));
  return reply.send(Readable.from(parts, { objectMode: false }));
}

/** The small ones between the large ones put together. */
function joined(texts: JsonTexts): JsonText[] {
  const parts: JsonText[] = [];
  let small: string[] = [];
  const flush = () => {
    if (small.length > 0) parts.push(small.join(''));
    small = [];
  };
  for (const text of texts) {
    if (typeof text === 'string') small.push(text);
    else {
      flush();
      parts.push(text);
    }
  }
  flush();
  return parts;
}
