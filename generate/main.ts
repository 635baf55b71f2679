import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { configurationPage } from './configuration-page.ts';
import { CRD_FILES, SNAPSHOTS } from './crds/file-names.ts';
import { errorsPage } from './errors-page.ts';
import { graphqlSchema } from './graphql-schema.ts';
import { interfaceCoveragePage } from './interface-coverage-page.ts';
import { openApiDocument } from './openapi-document.ts';

/** Files that come out of the model and the code. `--check` writes nothing and fails when one is stale. */
const FILES: Readonly<Record<string, () => string | Promise<string>>> = {
  'docs/reference/openapi.json': openApiDocument,
  'docs/reference/schema.graphql': graphqlSchema,
  'docs/reference/configuration.md': configurationPage,
  'docs/reference/errors.md': errorsPage,
  'docs/reference/interface-coverage.md': interfaceCoveragePage,
  // Loaded last: the OpenAPI document has every schema that a loaded module names, in the order in which they load.
  'docs/reference/resources.md': async () => (await import('./resources-page.ts')).resourcesPage(),
  'docs/reference/command-line.md': async () => (await import('./command-line-page.ts')).commandLinePage(),
  ...each(CRD_FILES, 'crds/', async (file) => (await import('./crds/manifests.ts')).crdFile(file)),
  ...each(SNAPSHOTS, 'test/crds/snapshot/', async (file) => (await import('./crds/snapshot.ts')).crdSnapshot(file)),
};

const root = join(import.meta.dirname, '..');
const check = process.argv.includes('--check');
const stale: string[] = [];

for (const [path, generate] of Object.entries(FILES)) {
  const file = join(root, path);
  const content = await generate();
  if (existsSync(file) && readFileSync(file, 'utf8') === content) continue;
  stale.push(relative(root, file));
  if (check) continue;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

if (check && stale.length > 0) {
  console.error(`stale: ${stale.join(', ')}; run make generate and commit what it writes`);
  process.exitCode = 1;
} else {
  console.log(stale.length === 0 ? 'generated files are fresh' : `written: ${stale.join(', ')}`);
}

function each(files: readonly string[], folder: string, generate: (file: string) => Promise<string>) {
  return Object.fromEntries(files.map((file) => [`${folder}${file}`, () => generate(file)]));
}
