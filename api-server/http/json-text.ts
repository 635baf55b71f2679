import type { FastifyReply } from 'fastify';

/**
 * Answers that are put together of texts. An entity becomes its text as soon as it was read, so that of many large ones
 * only one at a time is there in both forms, and no long list is turned into text in one go.
 */
export type JsonText = string;

export function listText(items: readonly JsonText[]): JsonText {
  return `[${items.join(',')}]`;
}

/** @param members absent ones are left out. */
export function objectText(members: Readonly<Record<string, JsonText | undefined>>): JsonText {
  const present = Object.entries(members).flatMap(([name, text]) =>
    text === undefined ? [] : [`${JSON.stringify(name)}:${text}`],
  );
  return `{${present.join(',')}}`;
}

export function sendText(reply: FastifyReply, text: JsonText): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(text);
}
