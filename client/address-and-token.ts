/** What keeps an address or a token from being used. No answer repeats what it is about: both can hold secrets. */

/** @returns what is wrong with the address of a server, if anything. */
export function addressProblem(host: string): string | undefined {
  const isAddress = /^https?:\/\/[^/]/u.test(host) && URL.canParse(host);
  const url = isAddress ? new URL(host) : undefined;
  const hasCredentials = url === undefined ? host.includes('@') : url.username !== '' || url.password !== '';
  if (hasCredentials) return 'the address of a server has no name and password in it: give a token instead';
  return isAddress ? undefined : `${JSON.stringify(host)} is no address of a server, such as http://127.0.0.1:8080`;
}

/** @returns what is wrong with a token, if anything. */
export function tokenProblem(token: string): string | undefined {
  return /^[\u0021-\u007E]*$/u.test(token)
    ? undefined
    : 'the token has characters that none can have: spaces, line ends, or others than ASCII';
}
