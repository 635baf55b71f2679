import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build, type Plugin, type Rolldown } from 'vite';

/** How much script all pages may be together, gzipped, in bytes. */
const MAX_SCRIPT = 250_000;

const ROOT = join(import.meta.dirname, 'pages');
const OUTPUT = join(import.meta.dirname, 'dist');

/** React Aria speaks thirty languages; the pages speak English alone, so what it says of its own has to be that too. */
const inEnglish: Plugin = {
  name: 'in-english',
  enforce: 'pre',
  resolveId(source, importer) {
    const english = source.replace(/(\/intl\/.*\/)[a-z]{2}-[A-Z]{2}\.mjs$/u, '$1en-US.mjs');
    return english === source ? undefined : this.resolve(english, importer);
  },
};

/**
 * Builds the pages to `frontend/dist/`: hashed files, of which only index.html is found by name. Nothing is in line and
 * nothing comes from elsewhere, so the strictest policy for contents holds.
 */
const { output } = (await build({
  root: ROOT,
  configFile: false,
  envDir: false,
  logLevel: 'warn',
  plugins: [inEnglish],
  build: {
    outDir: OUTPUT,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // What has light-dark(), by which both themes are written.
    target: ['chrome123', 'firefox128', 'safari18'],
    reportCompressedSize: false,
    rolldownOptions: {
      // "use client" says something to servers that render pages, of which there is none.
      onLog: (level, log, handle) => log.code === 'MODULE_LEVEL_DIRECTIVE' || handle(level, log),
    },
  },
})) as Rolldown.RolldownOutput;

const chunks = output.filter((file) => file.type === 'chunk');
const sizes = chunks.map(({ fileName, code }) => ({ fileName, size: gzipSync(code, { level: 9 }).length }));
const total = sizes.reduce((sum, { size }) => sum + size, 0);
const largest = sizes.toSorted((one, other) => other.size - one.size).slice(0, 5);
for (const { fileName, size } of largest) report(fileName, size);
report(`script in all, of ${sizes.length} files; at most ${MAX_SCRIPT / 1000} kB`, total);

const problems = [
  ...(total > MAX_SCRIPT ? [`The script of the pages has ${total} bytes gzipped, more than ${MAX_SCRIPT}.`] : []),
  ...chunks
    .flatMap(({ moduleIds }) => moduleIds)
    .filter((id) => id.includes('/node_modules/zod/'))
    .slice(0, 1)
    .map((id) => `The pages may take types of schemas only; ${id} is in their script.`),
  ...inlineOf(await readFile(join(OUTPUT, 'index.html'), 'utf8')),
];
if (problems.length === 0) await compressAll();
else {
  // What must not be served is not left behind.
  await rm(OUTPUT, { recursive: true });
  for (const problem of problems) console.error(problem);
  process.exitCode = 1;
}

function report(what: string, bytes: number): void {
  console.log(`${(bytes / 1000).toFixed(1).padStart(7)} kB  ${what}`);
}

/** Beside each file, as it is sent to browsers that can read it. */
async function compressAll(): Promise<void> {
  for (const entry of await readdir(OUTPUT, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const content = await readFile(path);
    await writeFile(`${path}.gz`, gzipSync(content, { level: 9 }));
    await writeFile(`${path}.br`, brotliCompressSync(content));
  }
}

/** What the policy for contents would keep from running. */
function inlineOf(html: string): string[] {
  return /<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/iu.test(html)
    ? ['index.html has script or style in it.']
    : [];
}
