/** Limits that more than one door keeps. What they are for, and what is answered beyond them: docs/limits.md. */

/** Objects and lists inside one another in what is sent; what people write has a dozen. */
export const MAX_JSON_DEPTH = 200;

/**
 * Bytes of entities, as JSON, with which an answer ends: the page there, or the request, which is told to ask for less. The
 * entity that reaches them is still in it.
 */
export const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** Names of entity types, and of aspects, that a request may ask for. There are fewer of both. */
export const MAX_NAMES = 100;
