/**
 * Names of the columns that hold the values of one field: `h_…` what is counted, `o_…` numbers in order. The collection
 * knows them by pattern, so a new field changes no schema. All but letters, digits and `-` is written as `_` and two hex
 * digits a byte: the engine reads many signs in a name as something else.
 */
export const COUNTED = 'h_';
export const ORDERED = 'o_';

export function columnOf(kind: typeof COUNTED | typeof ORDERED, field: string): string {
  const bytes = Array.from(Buffer.from(field), (byte) => {
    const character = String.fromCharCode(byte);
    return /[A-Za-z0-9-]/u.test(character) ? character : `_${byte.toString(16).padStart(2, '0')}`;
  });
  return kind + bytes.join('');
}

export function fieldOf(column: string): string {
  const escaped = column.slice(COUNTED.length).replaceAll('_', '%');
  return decodeURIComponent(escaped);
}
