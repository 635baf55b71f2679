import { readMe } from '../client/access.ts';
import { type AccessToken, listAccessTokens, revokeAccessToken } from '../client/access-tokens.ts';
import { counted, visible } from '../process/text.ts';
import { asksUnseen, canAsk, confirmed } from './ask.ts';
import type { Context } from './context.ts';
import { print, printJson, remark } from './output.ts';

interface RevokeOptions {
  /** Names mean everybody's tokens. */
  readonly all?: boolean;
  readonly yes?: boolean;
}

/** An id, as the server makes them: also of a token that one may not list. */
const ID = /^[A-Za-z0-9+/]{43}=$/u;

/**
 * Revokes tokens by id or by name, none when one of the words means nothing.
 * @throws Error for a word that means nothing, or for a name of several when nobody can be asked; AnyHttpError.
 */
export async function revokeTokens(context: Context, words: readonly string[], options: RevokeOptions): Promise<void> {
  const client = context.client();
  const filter = options.all ? {} : { ownerUrn: (await readMe(client)).actor };
  const known = await listAccessTokens(client, filter);
  const meant = new Map<string, string>();
  for (const word of words) {
    const tokens = tokensOf(known, word);
    if (tokens.length > 1 && !options.yes && !(await areAllMeant(word, tokens))) return;
    if (tokens.length === 0 && !ID.test(word)) throw new Error(`There is no token ${visible(word)}`);
    if (tokens.length === 0) meant.set(word, word);
    for (const { id, name } of tokens) meant.set(id, name);
  }
  const revoked: string[] = [];
  for (const [id, name] of meant) {
    if (await revokeAccessToken(client, id)) revoked.push(id);
    else throw new Error(`There is no token ${visible(name)}`);
    if (!context.json) print(visible(`Revoked ${name}`));
  }
  if (context.json) printJson(revoked);
}

function tokensOf(known: readonly AccessToken[], word: string): readonly AccessToken[] {
  const byId = known.filter(({ id }) => id === word);
  return byId.length > 0 ? byId : known.filter(({ name }) => name === word);
}

async function areAllMeant(name: string, tokens: readonly AccessToken[]): Promise<boolean> {
  const count = counted(tokens.length, 'token');
  remark([visible(`${count} have the name ${name}:`), ...tokens.map(described)].join('\n'));
  if (canAsk()) return confirmed(`Revoke all ${tokens.length}?`);
  const why = asksUnseen() ? 'the question would not be seen' : 'nobody can be asked here';
  throw new Error(`Nothing was revoked: ${why}. Name them by id, or add --yes to revoke all ${tokens.length}`);
}

function described({ id, actorUrn, createdAt }: AccessToken): string {
  return visible(`  ${id}, made ${new Date(createdAt).toISOString()}, acts as ${actorUrn}`);
}
