import { Command } from 'commander';
import { askSecret, askText, canAsk } from '../ask.ts';
import { writeConfigFile } from '../config-file.ts';
import type { Context } from '../context.ts';
import { help } from '../help.ts';
import { print, printJson, remark } from '../output.ts';
import { serverProblem } from '../server-problem.ts';
import { checkedHost, checkedToken, DEFAULT_HOST } from '../settings.ts';

const TEXT = `Writes ~/.proplane/config.yaml, readable by its owner only, then tries the server. What is not given as an option is
asked for. The file is written also when the server does not answer. An empty token means a server without
authentication. Behind a frontend the address ends in /api/gms.
--json prints {file, host, hasToken, answers, problem?}.`;

export function initCommand(context: Context): Command {
  return new Command('init')
    .description('set which server is meant, and as whom')
    .addHelpText(
      'after',
      help(
        [
          'proplane init',
          'proplane init --host http://127.0.0.1:8080 --token "$TOKEN"',
          'proplane init --host https://catalogue.example.com/api/gms --token ""',
        ],
        TEXT,
      ),
    )
    .action(async () => {
      const given = context.options;
      if (!canAsk()) requireAll(given);
      const proposed = process.env.PROPLANE_HOST || DEFAULT_HOST;
      const host = checkedHost(given.host ?? (await askText('Address of the server:', proposed)), '--host');
      const token = checkedToken(given.token ?? (await askSecret('Access token (empty for none):')), '--token');
      const file = writeConfigFile({ host, ...(token === '' ? {} : { token }) });
      if (!context.json) print(`Wrote ${file}: ${host}, ${token === '' ? 'without a token' : 'with a token'}`);
      const problem = await serverProblem({ host, token });
      if (context.json) printJson({ file, host, hasToken: token !== '', answers: problem === undefined, problem });
      else if (problem === undefined) print(`Proplane answers at ${host}`);
      else remark(`But: ${problem}`);
      for (const name of ['PROPLANE_HOST', 'PROPLANE_TOKEN'])
        if (process.env[name]) remark(`${name} is set, and wins over the file`);
    });
}

function requireAll(given: { readonly host?: string; readonly token?: string }): void {
  const missing = [
    ...(given.host === undefined ? ['--host <url>'] : []),
    ...(given.token === undefined ? ['--token <token> (or --token "" for a server without authentication)'] : []),
  ];
  if (missing.length > 0) {
    throw new Error(`Nobody can be asked here, since this is no terminal. Give ${missing.join(' and ')}`);
  }
}
