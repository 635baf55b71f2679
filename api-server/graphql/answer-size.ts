/** Bytes of a value, as JSON, more or less; it stops counting beyond `most`. Aliases may repeat one long text many times. */
export function sizeUpTo(most: number, data: unknown): number {
  let size = 0;
  const left: unknown[] = [data];
  while (left.length > 0 && size <= most) {
    const value = left.pop();
    if (typeof value === 'string') size += value.length;
    else if (typeof value === 'object' && value !== null) {
      for (const [name, one] of Object.entries(value)) {
        size += name.length;
        left.push(one);
      }
    } else size += 4;
  }
  return size;
}
