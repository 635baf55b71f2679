/** Loaded before each test file: random tests repeat what they did with `PROPLANE_TEST_SEED`, when it is set. */

const seed = process.env.PROPLANE_TEST_SEED;
if (seed !== undefined) {
  // Most test files do without it.
  const { configureGlobal } = await import('fast-check');
  configureGlobal({ seed: Number(seed) });
}

export {};
