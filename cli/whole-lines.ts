const NEWLINE = 0x0a;

/**
 * The lines of a stream, each with its newline; a last one without a newline was cut and is left out. Only a newline ends
 * a line: the language's own reader of lines also stops at U+2028, which JSON has in texts.
 */
export async function* wholeLines(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let begun: Uint8Array[] = [];
  for await (const part of stream) {
    let start = 0;
    for (let end = part.indexOf(NEWLINE); end >= 0; end = part.indexOf(NEWLINE, start)) {
      yield Buffer.concat([...begun, part.subarray(start, end + 1)]);
      begun = [];
      start = end + 1;
    }
    if (start < part.length) begun.push(part.subarray(start));
  }
}
