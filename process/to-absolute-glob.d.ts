declare module '@dsherret/to-absolute-glob' {
  /** Makes a glob absolute; a leading `!` stays in front. */
  function toAbsoluteGlob(glob: string, options?: { cwd?: string; root?: string }): string;
  export = toAbsoluteGlob;
}
