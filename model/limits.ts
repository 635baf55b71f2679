/** Limits that more than one door keeps. What they are for, and what is answered beyond them: docs/limits.md. */

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

/** Entities of one batch, and operations of one patch. Each takes longer than a value does. */
export const MAX_CHANGES = 20_000;

/** Violated rules that are told one by one; the others are counted: a list can have as many as it has elements. */
export const MAX_VIOLATIONS = 100;

/**
 * Objects and lists inside one another in one aspect; what people write has a dozen. The same at every door, so that what
 * came in by one goes out and in again by all.
 */
export const MAX_ASPECT_DEPTH = 200;

/** Levels that a body, or a line of an export, has around an aspect. */
export const MAX_WRAPPING_DEPTH = 20;

/**
 * Values (objects, lists, texts, numbers, …) in the JSON of one body, and in one entity. Every check looks at each, so it
 * is what bounds the time of a request, more than bytes do. 15 MiB of column descriptions have about 500,000.
 */
export const MAX_JSON_VALUES = 500_000;

/**
 * A URN of a new entity, in bytes of UTF-8. The reference catalogue has 512; paths of nested fields are longer. It fits into
 * a path percent-encoded, and into a scroll id. Older releases had no limit, so whatever is stored can be read and deleted.
 */
export const MAX_URN_BYTES = 8192;

/**
 * Different names of members in the JSON of one body, and in one entity. A name costs about as much as ten values
 * wherever it is read, because each is kept once for the whole process.
 */
export const MAX_JSON_NAMES = 50_000;

/**
 * Characters (UTF-16 code units) of a query string, and of one value or field name in a filter. Who looks for a longer text
 * has pasted a document.
 */
export const MAX_SEARCH_TEXT = 16_384;

/**
 * Characters of a text that the search index knows; the rest of a longer one is not searched. More than MAX_SEARCH_TEXT, so
 * that no text that is looked for equals the beginning of a longer one.
 */
export const MAX_INDEXED_TEXT = 32_768;

/**
 * Values of one entity that the search index knows, each word of its names and descriptions being one: some tenths of a
 * second of writing, for which others wait.
 */
export const MAX_INDEXED_VALUES = 10_000;

/** Characters of these values together. */
export const MAX_INDEXED_CHARACTERS = 1_000_000;

/** Resources, jobs, or fences on a page. */
export const MAX_LISTED = 10_000;

/** Resources that one body names: those that a source has seen, and those whose deletions it holds back. */
export const MAX_NAMED_RESOURCES = 50_000;

/** Access tokens that one user has made; each new one takes a look at all there are. */
export const MAX_TOKENS_OF_OWNER = 5_000;

/** Groups of one user that an OpenID provider names; more are left out. */
export const MAX_PROVIDED_GROUPS = 200;

/** Entries of the audit log; the oldest go first. */
export const MAX_AUDIT_ENTRIES = 100_000;

/** How long an entry of the audit log stays. */
export const AUDIT_DAYS = 90;

/** Policies that are stored; those of defaults and files come on top. Each request looks at all of them. */
export const MAX_POLICIES = 1_000;

/** Characters of a name that an operator gives: of a source, a kind, a namespace, a resource. Kubernetes has 253. */
export const MAX_NAME_LENGTH = 512;

/** Characters of the JSON of a status that an operator reports; an ordinary one has 1,000. */
export const MAX_STATUS_LENGTH = 256 * 1024;
