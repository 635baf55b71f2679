export interface LoginSearch {
  /** A page of ours, to go to afterwards. */
  readonly from?: string;
}

/** Anybody can make a link to the log-in page: what leads to another server is left out. */
export function parseLoginSearch({ from }: Readonly<Record<string, unknown>>): LoginSearch {
  return typeof from === 'string' && /^\/(?![/\\])/u.test(from) ? { from } : {};
}
