/** One rule that an input breaks, and where. Checks return all of them; nothing is thrown half-way. */
export interface Violation {
  /** Where in the input, dotted, such as `properties[2].values[0]`; empty for the input as a whole. */
  readonly path: string;
  /** A sentence for a person; some fragments are what clients of the reference catalogue match on. */
  readonly message: string;
}

export function violation(path: string, message: string): Violation {
  return { path, message };
}

/** All violations as one text, each with its place, in the order in which they were found. */
export function describeViolations(violations: readonly Violation[]): string {
  return violations.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
}

/** Puts a prefix before the path of each violation. */
export function within(prefix: string, violations: readonly Violation[]): Violation[] {
  return violations.map(({ path, message }) => {
    const joint = path === '' || path.startsWith('[') ? '' : '.';
    return { path: `${prefix}${joint}${path}`, message };
  });
}
