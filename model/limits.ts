/** Limits that more than one door keeps. What they are for, and what is answered beyond them: docs/limits.md. */

/** Objects and lists inside one another in what is sent; what people write has a dozen. */
export const MAX_JSON_DEPTH = 200;
