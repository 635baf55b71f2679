import { Command } from 'commander';
import { listAudit } from '../../client/access.ts';
import type { AuditEntry } from '../../model/wire/access.ts';
import { count, userUrn } from '../arguments.ts';
import type { Context } from '../context.ts';
import { help } from '../help.ts';
import { printJsonArray } from '../output.ts';
import { type Cell, printTable } from '../table.ts';

const TEXT = `Logins, tokens, changes of policies, users and groups, and requests that were refused. It needs the privilege View Audit
Log. --json prints the list as the server has it; times are milliseconds since 1970.`;

interface AuditOptions {
  readonly actor?: string;
  readonly action?: string;
  readonly limit: number;
}

export function auditCommand(context: Context): Command {
  return new Command('audit')
    .description('what happened that is about access, the newest first')
    .option('--actor <user>', 'only what this user did, by name or URN', userUrn)
    .option('--action <action>', 'only of this kind, such as logIn')
    .option('--limit <n>', 'at most so many', count, 100)
    .addHelpText(
      'after',
      help(
        [
          'proplane audit --actor jane',
          'proplane audit --limit 1000 --json | jq \'.[] | select(.outcome == "refused")\'',
        ],
        TEXT,
      ),
    )
    .action(async (options: AuditOptions) => {
      const entries = listAudit(context.client(), options);
      if (context.json) return printJsonArray(entries);
      const rows = (await Array.fromAsync(entries)).map(row);
      printTable(['AT', 'OUTCOME', 'ACTOR', 'ACTION', 'SUBJECT', 'ADDRESS', 'DETAIL'], rows);
    });
}

function row({ at, outcome, actor, action, subject = '', address = '', detail = '' }: AuditEntry): (string | Cell)[] {
  const colour = outcome === 'ok' ? 'green' : 'red';
  return [new Date(at).toISOString(), { text: outcome, colour }, actor, action, subject, address, detail];
}
