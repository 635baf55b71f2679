import { Command } from 'commander';
import { readMe } from '../../client/access.ts';
import type { Context } from '../context.ts';
import { help } from '../help.ts';
import { print, printJson, remark } from '../output.ts';
import { yamlText } from '../write-yaml.ts';

const TEXT = `\`by\` says how it was shown: by a token, a session, a ServiceAccount, or not at all. Of the privileges those are named that
are held as such; what policies grant on single entities is not among them.
--json prints what the server answers.`;

export function whoamiCommand(context: Context): Command {
  return new Command('whoami')
    .description('as whom the server takes you, and what you may do')
    .addHelpText('after', help(['proplane whoami', 'proplane whoami --json | jq -r .actor'], TEXT))
    .action(async () => {
      const client = context.client();
      const me = await readMe(client);
      if (context.json) return printJson(me);
      print(yamlText({ server: client.host, ...me }).trimEnd());
      if (!me.authEnabled) remark('Authentication is off: everybody may do everything');
    });
}
