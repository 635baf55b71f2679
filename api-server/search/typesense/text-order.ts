/** Both bounds inclusive. */
export type Range = readonly [from: bigint, to: bigint];

const CHUNK = 4;
const LAST_CHUNK = 0xffff_ffffn;
/** FNV-1a, because there are many and a collision only costs time. */
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * How ranges of texts are asked of an engine that has ranges of integers only. The UTF-8 bytes of a text, with its end as
 * the lowest one, are cut into chunks of four. Each chunk is written as one integer: above, 31 bits of a hash of all that is
 * before the chunk; below, the chunk itself. So "the same up to here, then greater" is one range of integers, and
 * "greater than this text" is one such range for each chunk of it, however much the texts have in common at the start.
 *
 * Only the first `levels` chunks are written, and hashes can collide: whoever asks compares the texts that come back. A
 * text that is in a range of texts is never missed.
 */
export function textPath(text: string, levels: number): bigint[] {
  return chunksOf(text, levels).map(({ before, chunk }) => before + chunk);
}

/** Finds the texts from this one on, in code-point order. */
export function rangesFrom(text: string, levels: number): Range[] {
  return chunksOf(text, levels)
    .map(({ before, chunk, isLast }): Range => [before + chunk + (isLast ? 0n : 1n), before + LAST_CHUNK])
    .filter(([from, to]) => from <= to);
}

/** Finds the texts up to this one. */
export function rangesTo(text: string, levels: number): Range[] {
  return chunksOf(text, levels)
    .map(({ before, chunk, isLast }): Range => [before, before + chunk - (isLast ? 0n : 1n)])
    .filter(([from, to]) => from <= to);
}

/** Finds the texts that start with this one. */
export function rangesOfPrefix(prefix: string, levels: number): Range[] {
  const chunks = chunksOf(prefix, levels);
  const known = Math.min(CHUNK, Buffer.byteLength(prefix) - (chunks.length - 1) * CHUNK);
  const open = (1n << BigInt(8 * (CHUNK - known))) - 1n;
  return chunks.slice(-1).map(({ before, chunk }) => [before + chunk, before + chunk + open]);
}

function chunksOf(text: string, levels: number): { before: bigint; chunk: bigint; isLast: boolean }[] {
  const bytes = Buffer.from(text);
  const count = Math.min(levels, Math.floor(bytes.length / CHUNK) + 1);
  const padded = Buffer.alloc(count * CHUNK);
  // no byte of UTF-8 is 255; so an end is told from a zero
  for (const [at, byte] of bytes.subarray(0, padded.length).entries()) padded[at] = byte + 1;
  let hash = FNV_OFFSET;
  return Array.from({ length: count }, (_, level) => {
    const at = level * CHUNK;
    const before = BigInt(hash >>> 1) << 32n;
    for (const byte of padded.subarray(at, at + CHUNK)) hash = Math.imul(hash ^ byte, FNV_PRIME);
    return { before, chunk: BigInt(padded.readUInt32BE(at)), isLast: level === count - 1 };
  });
}

/** Code-point order, which is that of the UTF-8 bytes. */
export function compareTexts(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
