import { Command, Option } from 'commander';
import { readMe } from '../../client/access.ts';
import { type AccessToken, createAccessToken, listAccessTokens, readAccessToken } from '../../client/access-tokens.ts';
import { TOKEN_DURATIONS, type TokenDuration } from '../../model/access/token-duration.ts';
import { age, visible } from '../../process/text.ts';
import { userUrn } from '../arguments.ts';
import type { Context } from '../context.ts';
import { help } from '../help.ts';
import { print, printJson, remark } from '../output.ts';
import { revokeTokens } from '../revoke-tokens.ts';
import { type Cell, printTable } from '../table.ts';
import { yamlText } from '../write-yaml.ts';

export function tokenCommand(context: Context): Command {
  return new Command('token')
    .description('personal access tokens')
    .addCommand(createCommand(context))
    .addCommand(listCommand(context))
    .addCommand(revokeCommand(context))
    .addCommand(showCommand(context));
}

const CREATE_TEXT = `The token alone goes to standard output; it is shown this once, and kept nowhere. It may do what the user may do for
whom it acts. A token for somebody else needs the privilege Manage All Access Tokens.
--json prints {accessToken, metadata}.`;

interface CreateOptions {
  readonly name: string;
  readonly duration: TokenDuration;
  readonly for?: string;
  readonly description?: string;
}

function createCommand(context: Context): Command {
  return new Command('create')
    .description('make a token and print it')
    .requiredOption('--name <name>', 'for people, to tell it from others')
    .addOption(new Option('--duration <duration>', 'how long it lives').choices(TOKEN_DURATIONS).default('ONE_MONTH'))
    .option('--for <user>', 'it acts as this user, by name or URN; as oneself when absent', userUrn)
    .option('--description <text>', 'what it is for')
    .addHelpText(
      'after',
      help(
        [
          'proplane token create --name laptop',
          'TOKEN=$(proplane token create --name nightly-load --duration THREE_MONTHS --for loader)',
        ],
        CREATE_TEXT,
      ),
    )
    .action(async ({ for: user, ...rest }: CreateOptions) => {
      const client = context.client();
      const actorUrn = user ?? (await readMe(client)).actor;
      const created = await createAccessToken(client, { actorUrn, ...rest });
      if (context.json) return printJson(created);
      const { metadata } = created;
      remark(
        visible(
          `${metadata.name} acts as ${metadata.actorUrn} and ends: ${timeOf(metadata.expiresAt)}. It is not shown again:`,
        ),
      );
      print(created.accessToken);
    });
}

interface ListOptions {
  readonly all?: boolean;
  readonly expired?: boolean;
}

function listCommand(context: Context): Command {
  return new Command('list')
    .description('list tokens that one has made')
    .option('--all', 'those of everybody; needs the privilege Manage All Access Tokens')
    .option('--expired', 'only those that have expired')
    .addHelpText(
      'after',
      help(
        ['proplane token list', "proplane token list --all --expired --json | jq -r '.[].id'"],
        '--json prints the list as the server has it; times are milliseconds since 1970.',
      ),
    )
    .action(async ({ all, expired }: ListOptions) => {
      const client = context.client();
      const now = context.clock.now();
      const found = await listAccessTokens(client, all ? {} : { ownerUrn: (await readMe(client)).actor });
      const tokens = expired ? found.filter((token) => hasExpired(token, now)) : found;
      if (context.json) return printJson(tokens);
      printTable(
        ['ID', 'NAME', 'ACTS AS', 'MADE BY', 'AGE', 'LAST USED', 'ENDS', 'DESCRIPTION'],
        tokens.map((token) => row(token, now)),
      );
    });
}

const REVOKE_TEXT = `Whoever uses it is refused from then on. A name means one's own tokens, with --all those of everybody; when several
have it, a terminal is asked whether all of them are meant, and elsewhere --yes is needed.
--json prints a list of the ids that were revoked.`;

function revokeCommand(context: Context): Command {
  return new Command('revoke')
    .description('take tokens back')
    .argument('<token...>', 'ids or names, as `proplane token list` shows them')
    .option('--all', 'also of others, by name; needs the privilege Manage All Access Tokens')
    .option('-y, --yes', 'do not ask')
    .addHelpText(
      'after',
      help(['proplane token revoke laptop', 'proplane token revoke nightly-load --all --yes'], REVOKE_TEXT),
    )
    .action((words: string[], options: { all?: boolean; yes?: boolean }) => revokeTokens(context, words, options));
}

function showCommand(context: Context): Command {
  return new Command('show')
    .description('print what is known of the token in use')
    .addHelpText('after', help(['proplane token show', 'proplane token show --json | jq .expiresAt']))
    .action(async () => {
      const { token, host } = context.settings();
      if (token === undefined) throw new Error(`No token is set for ${host}: \`proplane init\` sets one`);
      const metadata = await readAccessToken(context.client(), token);
      if (context.json) printJson(metadata);
      else print(yamlText(readable(metadata)).trimEnd());
    });
}

function row(token: AccessToken, now: number): (string | Cell)[] {
  const { id, name, actorUrn, ownerUrn, createdAt, expiresAt, lastUsedAt, description } = token;
  const end = hasExpired(token, now) ? ({ text: 'expired', colour: 'red' } as const) : timeOf(expiresAt);
  return [id, name, actorUrn, ownerUrn, age(now - createdAt), timeOf(lastUsedAt), end, description ?? ''];
}

function hasExpired({ expiresAt }: AccessToken, now: number): boolean {
  return typeof expiresAt === 'number' && expiresAt <= now;
}

/** As people read it. */
function timeOf(time: number | null | undefined): string {
  return typeof time === 'number' ? new Date(time).toISOString() : 'never';
}

function readable({ createdAt, expiresAt, lastUsedAt, ...token }: AccessToken): object {
  const times = { createdAt, expiresAt, lastUsedAt };
  return { ...token, ...Object.fromEntries(Object.entries(times).map(([name, time]) => [name, timeOf(time)])) };
}
