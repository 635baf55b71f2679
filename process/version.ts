import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The release, from package.json, which lies one folder further up from dist/. */
export const VERSION: string = readVersion();

function readVersion(): string {
  for (const path of ['../package.json', '../../package.json']) {
    try {
      return (require(path) as { version: string }).version;
    } catch {
      // Not here: the sources and dist/ lie at different depths.
    }
  }
  return '0.0.0';
}
