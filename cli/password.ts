import { text } from 'node:stream/consumers';
import { askSecret, canAsk } from './ask.ts';

/** Where a secret comes from: nothing that other processes of the machine can see, unless the caller says so. */

/** @returns so many lines of standard input. @throws Error when there are others. */
export async function secretLines(names: readonly string[]): Promise<string[]> {
  const lines = (await text(process.stdin)).replace(/\r?\n$/u, '').split(/\r?\n/u);
  if (lines.length === names.length && lines.every((line) => line !== '')) return lines;
  const wanted = names.map((name, at) => (names.length === 1 ? name : `${name} in line ${at + 1}`)).join(' and ');
  throw new Error(`Standard input has to have ${wanted}, and nothing else`);
}

/** Asks for secrets, one after the other. @throws Error where nobody can be asked. */
export async function askSecrets(names: readonly string[]): Promise<string[]> {
  if (!canAsk())
    throw new Error('Nobody can be asked for a password here. Send it to standard input: --password-stdin');
  const given: string[] = [];
  for (const name of names) given.push(await askSecret(`${name.charAt(0).toUpperCase()}${name.slice(1)}:`));
  return given;
}

/** A password that nobody knows yet: on a terminal it is typed twice. */
export async function newPassword(fromInput: boolean, before: readonly string[] = []): Promise<string[]> {
  const names = [...before, 'the new password'];
  if (fromInput) return secretLines(names);
  const given = await askSecrets([...names, 'the new password again']);
  const again = given.pop();
  if (given.at(-1) !== again) throw new Error('Nothing was done: the two new passwords differ');
  return given;
}
