import { Command, Option } from 'commander';
import { TOKEN_DURATIONS, type TokenDuration } from '../../model/access/token-duration.ts';
import { askSecret, askText, canAsk } from '../ask.ts';
import { type ConfigFile, writeConfigFile } from '../config-file.ts';
import type { Context } from '../context.ts';
import { help } from '../help.ts';
import { findFrontend, tokenByPassword } from '../log-in.ts';
import { print, printJson, remark } from '../output.ts';
import { askSecrets, secretLines } from '../password.ts';
import { serverProblem } from '../server-problem.ts';
import { checkedHost, checkedToken, DEFAULT_HOST } from '../settings.ts';

const TEXT = `Writes ~/.proplane/config.yaml, readable by its owner only, then tries the server. What is not given as an option is
asked for. The file is written also when the server does not answer. An empty token means a server without
authentication. Behind a frontend the address ends in /api/gms.
With --user it logs in at a frontend, makes an access token there and keeps that; the password is not kept. \`proplane
token revoke\` takes the token back.
--json prints {file, host, hasToken, answers, problem?}.`;

interface InitOptions {
  readonly user?: string;
  readonly password?: string;
  readonly passwordStdin?: boolean;
  readonly tokenDuration: TokenDuration;
}

export function initCommand(context: Context): Command {
  return new Command('init')
    .description('set which server is meant, and as whom')
    .option('--user <name>', 'log in with this name instead of giving a token')
    .addOption(
      new Option('--password <password>', 'with --user; other processes can see it').conflicts('passwordStdin'),
    )
    .option('--password-stdin', 'with --user: the password is read from standard input')
    .addOption(
      new Option('--token-duration <duration>', 'with --user: how long the access token lives')
        .choices(TOKEN_DURATIONS)
        .default('ONE_MONTH'),
    )
    .addHelpText(
      'after',
      help(
        [
          'proplane init',
          'proplane init --host http://127.0.0.1:8080 --token "$TOKEN"',
          'proplane init --host https://catalogue.example.com/api/gms --token ""',
          'proplane init --host https://catalogue.example.com/api/gms --user jane',
        ],
        TEXT,
      ),
    )
    .action(async (options: InitOptions) => {
      const config = options.user === undefined ? await withToken(context, options) : await withUser(context, options);
      const { host, token = '' } = config;
      const file = writeConfigFile(config);
      if (!context.json) print(`Wrote ${file}: ${host}, ${token === '' ? 'without a token' : 'with a token'}`);
      const problem = await serverProblem({ host, token });
      if (context.json) printJson({ file, host, hasToken: token !== '', answers: problem === undefined, problem });
      else if (problem === undefined) print(`Proplane answers at ${host}`);
      else remark(`But: ${problem}`);
      for (const name of ['PROPLANE_HOST', 'PROPLANE_TOKEN', 'PROPLANE_TOKEN_FILE'])
        if (process.env[name]) remark(`${name} is set, and wins over the file`);
    });
}

type Config = ConfigFile & { readonly host: string };

async function withToken(context: Context, { password, passwordStdin }: InitOptions): Promise<Config> {
  if (password !== undefined || passwordStdin) throw new Error('A password is of a user: give --user <name> as well');
  const given = context.options;
  const missing = [
    ...(given.host === undefined ? ['--host <url>'] : []),
    ...(given.token === undefined ? ['--token <token> (or --token "" for a server without authentication)'] : []),
  ];
  if (!canAsk()) requireNone(missing);
  const host = await hostOf(context);
  const token = checkedToken(given.token ?? (await askSecret('Access token (empty for none):')), '--token');
  return { host, ...(token === '' ? {} : { token }) };
}

async function withUser(context: Context, options: InitOptions): Promise<Config> {
  const { user = '', password, passwordStdin, tokenDuration: duration } = options;
  const given = context.options;
  if (given.token !== undefined) throw new Error('Give either --token or --user, not both');
  const missing = [
    ...(given.host === undefined ? ['--host <url>'] : []),
    ...(password === undefined && !passwordStdin ? ['--password-stdin'] : []),
  ];
  if (!canAsk()) requireNone(missing);
  const frontend = await findFrontend(await hostOf(context));
  const { host } = frontend;
  if (!frontend.authEnabled) {
    remark('The server has authentication off: no token is needed');
    return { host };
  }
  const names = [`the password of ${user}`];
  const [typed = ''] =
    password !== undefined ? [password] : await (passwordStdin ? secretLines(names) : askSecrets(names));
  const { clock } = context;
  return { host, token: await tokenByPassword(frontend, { username: user, password: typed }, { clock, duration }) };
}

async function hostOf({ options }: Context): Promise<string> {
  const proposed = process.env.PROPLANE_HOST || DEFAULT_HOST;
  return checkedHost(options.host ?? (await askText('Address of the server:', proposed)), '--host');
}

function requireNone(missing: readonly string[]): void {
  if (missing.length === 0) return;
  throw new Error(`Nobody can be asked here, since this is no terminal. Give ${missing.join(' and ')}`);
}
