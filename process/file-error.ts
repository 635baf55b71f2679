/** A file that cannot be used; the message names it, the line where it can, and every violated rule. */
export class FileError extends Error {}
