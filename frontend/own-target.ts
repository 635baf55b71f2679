/** Stands for ours, whatever name a browser knows it by. */
const OWN = 'http://own.invalid';

/** At the beginning a second slash names a host; browsers take `\` for one, and leave out tabs and line ends. */
const OF_A_HOST = /^\/+(?:[/\\]|%2f|%5c|%0|%1)/iu;

/** Where a log-in leads: the given path of ours with its query; `/` for what is none, or could be taken for another host. */
export function ownTarget(given: unknown): string {
  if (typeof given !== 'string' || !/^\/[^\s\\\p{Cc}]*$/u.test(given)) return '/';
  const url = URL.parse(given, OWN);
  if (url?.origin !== OWN) return '/';
  const target = `${url.pathname}${url.search}${url.hash}`;
  return OF_A_HOST.test(given) || OF_A_HOST.test(target) ? '/' : target;
}
