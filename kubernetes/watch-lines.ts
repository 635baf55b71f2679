/** No object of the Kubernetes API comes near: etcd takes 1.5 MiB. */
const LONGEST_LINE = 16 * 1024 * 1024;
const LINE_FEED = 0x0a;

/**
 * The lines of a stream of bytes, wherever its chunks begin and end.
 * @throws Error for a line that is too long, that is no UTF-8, or that the end of the stream cuts.
 */
export async function* watchLines(
  chunks: AsyncIterable<Uint8Array>,
  longest = LONGEST_LINE,
): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let begun: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
      yield decoder.decode(Buffer.concat([...begun, chunk.subarray(from, end)]));
      begun = [];
      length = 0;
      from = end + 1;
    }
    if (from === chunk.length) continue;
    begun.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > longest) throw new Error(`a line is longer than ${longest} bytes`);
  }
  if (length > 0) throw new Error('the stream ended inside a line');
}
