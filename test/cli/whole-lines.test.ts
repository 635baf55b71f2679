import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { wholeLines } from '../../cli/whole-lines.ts';

/** The text in parts of these lengths, in turn. */
async function* inParts(text: string, lengths: readonly number[]): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let start = 0, turn = 0; start < bytes.length; turn += 1) {
    const end = start + (lengths[turn % lengths.length] ?? 1);
    yield bytes.subarray(start, end);
    start = end;
  }
}

describe('whole lines', () => {
  it('are those that a newline ends, wherever the stream is cut into parts', async () => {
    const piece = fc.constantFrom('a', 'é', '😀', '\u2028', '\r', '\n', '\n\n');
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece),
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }),
        async (...given) => {
          const [pieces, lengths] = given;
          const text = pieces.join('');
          const lines = (await Array.fromAsync(wholeLines(inParts(text, lengths)))).map(String);
          expect(lines).toEqual(text.split(/(?<=\n)/u).filter((line) => line.endsWith('\n')));
        },
      ),
    );
  });
});
