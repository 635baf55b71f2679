import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { MAX_ANSWER_BYTES } from '../../model/limits.ts';
import { CatalogError } from '../catalog/errors.ts';
import type { CatalogParts } from '../catalog/parts.ts';

const MIB = 1024 * 1024;
/** What all large answers together may hold, in bytes: the one that is made, and those that their readers have not taken. */
const ALL = 25 * MAX_ANSWER_BYTES;
/** What one may hold while it is made: more than half of all, so that they are made one after the other. */
const WHILE_MADE = 13 * MAX_ANSWER_BYTES;
/** Answers up to this many bytes are not counted. */
const SMALL = MIB;
/** More that wait for their turn are refused at once. */
const MAX_WAITING = 32;

declare module 'fastify' {
  interface FastifyRequest {
    heldAnswer: HeldAnswer;
  }
}

/**
 * Large answers wait for their turn, until the deadline of their request, so that many at a time have the memory. Who does
 * not read one within another `REQUEST_TIMEOUT_S` is cut off.
 */
export function limitAnswers(server: FastifyInstance, { settings, monotonic }: CatalogParts): void {
  const memory = new AnswerMemory(ALL, MAX_WAITING);
  server.decorateRequest('heldAnswer', null as never);
  server.addHook('onRequest', async (request, reply) => {
    request.heldAnswer = new HeldAnswer(memory, reply, () => request.deadline - monotonic());
  });
  server.addHook('onSend', async ({ heldAnswer }: FastifyRequest, reply, payload) => {
    const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload);
    // There is none before a route was found. What is read while it is sent is not held.
    const bytes = isWhole ? payload.length : Number(reply.getHeader('content-length') ?? 0);
    await heldAnswer?.ready(bytes, settings.requestTimeout);
    return payload;
  });
}

/** What one request holds of the memory for answers. */
export class HeldAnswer {
  readonly #memory: AnswerMemory;
  readonly #reply: FastifyReply;
  readonly #timeLeft: () => number;
  #bytes = 0;
  #admission: Promise<void> | undefined;
  #leaving: AbortController | undefined;

  /** @param timeLeft of the request, in ms. */
  constructor(memory: AnswerMemory, reply: FastifyReply, timeLeft: () => number) {
    this.#memory = memory;
    this.#reply = reply;
    this.#timeLeft = timeLeft;
  }

  /** Before a large answer is made. @throws CatalogError `unavailable` when its turn does not come. */
  admit(): Promise<void> {
    this.#admission ??= this.#take(WHILE_MADE);
    return this.#admission;
  }

  /** When it is made: it holds its own bytes until they are read. @throws CatalogError as `admit`. */
  async ready(bytes: number, timeToRead: number): Promise<void> {
    if (bytes <= SMALL) return this.#give(this.#bytes);
    if (this.#bytes > bytes) this.#give(this.#bytes - bytes);
    else await this.#take(bytes - this.#bytes);
    const { raw } = this.#reply;
    const cut = setTimeout(() => raw.destroy(), timeToRead).unref();
    raw.once('close', () => clearTimeout(cut));
  }

  async #take(bytes: number): Promise<void> {
    if (this.#leaving === undefined) {
      const leaving = new AbortController();
      this.#leaving = leaving;
      this.#reply.raw.once('close', () => {
        leaving.abort();
        this.#give(this.#bytes);
      });
    }
    // whole milliseconds are asked for
    const tooLate = AbortSignal.timeout(Math.max(0, Math.ceil(this.#timeLeft())));
    await this.#memory.take(bytes, AbortSignal.any([this.#leaving.signal, tooLate]));
    this.#bytes += bytes;
    if (this.#leaving.signal.aborted) this.#give(this.#bytes);
  }

  #give(bytes: number): void {
    this.#bytes -= bytes;
    this.#memory.give(bytes);
  }
}

interface Waiting {
  readonly bytes: number;
  readonly begin: () => void;
}

/** So many bytes, given to those who ask in the order in which they ask. */
export class AnswerMemory {
  #free: number;
  readonly #maxWaiting: number;
  readonly #waiting = new Set<Waiting>();

  constructor(bytes: number, maxWaiting: number) {
    this.#free = bytes;
    this.#maxWaiting = maxWaiting;
  }

  /** @throws CatalogError `unavailable` when too many wait already, or when `signal` ends the waiting. */
  async take(bytes: number, signal: AbortSignal): Promise<void> {
    if (this.#waiting.size === 0 && bytes <= this.#free) {
      this.#free -= bytes;
      return;
    }
    if (this.#waiting.size >= this.#maxWaiting) throw tooMany();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { bytes, begin: resolve };
    this.#waiting.add(waiting);
    const leave = () => {
      if (!this.#waiting.delete(waiting)) return;
      this.#next();
      reject(tooMany());
    };
    signal.addEventListener('abort', leave);
    if (signal.aborted) leave();
    await promise.finally(() => signal.removeEventListener('abort', leave));
  }

  give(bytes: number): void {
    this.#free += bytes;
    this.#next();
  }

  #next(): void {
    for (const waiting of this.#waiting) {
      if (waiting.bytes > this.#free) return;
      this.#waiting.delete(waiting);
      this.#free -= waiting.bytes;
      waiting.begin();
    }
  }
}

function tooMany(): CatalogError {
  return new CatalogError('unavailable', 'Too many large answers are asked for at this time: ask again, or for less');
}
