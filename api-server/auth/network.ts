import { isIPv6 } from 'node:net';

/** How much of an IPv6 address a household has to itself, in groups of 16 bits. */
const GROUPS = 4;

/** Whom an address is counted for: itself; of IPv6 its network of 64 bits, for one client has as many addresses as it likes. */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%');
  const mapped = /^::ffff:([\d.]+)$/iu.exec(plain)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(plain)) return plain.slice(0, 100);
  const [before = '', after = ''] = plain.split('::');
  const first = groupsOf(before);
  const zeros = Math.max(0, 8 - first.length - groupsOf(after).length);
  const all = plain.includes('::') ? [...first, ...Array.from({ length: zeros }, () => 0), ...groupsOf(after)] : first;
  return all
    .slice(0, GROUPS)
    .map((group) => group.toString(16))
    .join(':');
}

function groupsOf(text: string): number[] {
  return text === ''
    ? []
    : text.split(':').flatMap((group) => (group.includes('.') ? [0, 0] : [Number.parseInt(group, 16)]));
}
