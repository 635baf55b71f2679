/** Limits that more than one door keeps. What they are for, and what is answered beyond them: docs/limits.md. */

/** Objects and lists inside one another in what is sent; what people write has a dozen. */
export const MAX_JSON_DEPTH = 200;

/** A body, in bytes; clients of the reference catalogue send up to 15 MiB. */
export const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** The request line and the headers together, in bytes: a query and a URN stand there, percent-encoded. */
export const MAX_HEAD_BYTES = 128 * 1024;

/** Path and query of a request, in bytes, so that what is too long is told apart: by 414, and headers by 431. */
export const MAX_TARGET_BYTES = 112 * 1024;

/**
 * Bytes of entities, as JSON, with which an answer ends: the page there, or the request, which is told to ask for less. The
 * entity that reaches them is still in it.
 */
export const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** Names of entity types, and of aspects, that a request may ask for. There are fewer of both. */
export const MAX_NAMES = 100;
