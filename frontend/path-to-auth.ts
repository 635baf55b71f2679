/** How many layers of percent-encoding are looked through: some server and some proxy may each take one off. */
const LAYERS = 3;

/**
 * Whether a path may lead to the `/auth` routes of the API server, for anybody between us and it who decodes, cleans or
 * folds paths, each in their own way: what could be taken for one is none that is forwarded. A URN in a path may look
 * odd and has to pass, but none begins a path.
 */
export function mayLeadToAuth(path: string): boolean {
  let text = path;
  for (let layer = 0; layer < LAYERS; layer++) text = decoded(text);
  const given = text
    .toLowerCase()
    .split(/[/\\]+/u)
    .map((segment) => segment.replace(/[;?#\0].*$/su, '').trim())
    .filter((segment) => segment !== '' && segment !== '.');
  const folded: string[] = [];
  for (const segment of given) {
    if (segment === '..') folded.pop();
    else folded.push(segment);
  }
  return [given, folded].some(beginsWithAuth);
}

/** What the API server, or somebody before it, takes off the beginning of a path. */
const TAKEN_OFF = ['api', 'gms', '..'];

function beginsWithAuth(segments: readonly string[]): boolean {
  return segments.find((segment) => !TAKEN_OFF.includes(segment)) === 'auth';
}

function decoded(text: string): string {
  return text
    .replace(/%(?:25)+/gu, '%')
    .replace(/%([0-9a-f]{2})/giu, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
