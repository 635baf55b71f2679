import { Argument, Command, InvalidArgumentError } from 'commander';
import { confirmDeletions, listHeldDeletions, listResources, readResource } from '../../client/resource-records.ts';
import type { HeldDeletions, ResourceName, ResourceRecord } from '../../model/wire/resource-record.ts';
import { age, counted } from '../../process/text.ts';
import { canAsk, confirmed } from '../ask.ts';
import type { Context } from '../context.ts';
import { addDefaultCommand } from '../default-command.ts';
import { help } from '../help.ts';
import { print, printJson, remark } from '../output.ts';
import { stateOf } from '../resource-record.ts';
import { type Cell, printTable } from '../table.ts';
import { yamlText } from '../write-yaml.ts';

const COLOURS = { Ready: 'green', Stalled: 'red', Paused: 'cyan', Waiting: 'yellow', Unknown: 'yellow' } as const;

export function resourcesCommand(context: Context): Command {
  const group = new Command('resources').description('what operators report about manifests');
  return addDefaultCommand(group, listCommand(context))
    .addCommand(getCommand(context))
    .addCommand(confirmCommand(context));
}

function listCommand(context: Context): Command {
  return new Command('list')
    .description('list all resources with their state; what `resources` alone does')
    .option('--source <name>', 'only of this source')
    .addHelpText(
      'after',
      help(
        ['proplane resources', "proplane resources --json | jq -r '.[] | .name'"],
        '--json prints the list as the server has it.',
      ),
    )
    .action(async ({ source }: { source?: string }) => {
      const resources = await listResources(context.client(), source);
      if (context.json) printJson(resources);
      else printTable(['KIND', 'NAME', 'STATE', 'REASON', 'AGE', 'MESSAGE'], resources.map(row));
    });
}

function getCommand(context: Context): Command {
  return new Command('get')
    .description('print what is reported about one resource')
    .addArgument(new Argument('<resource>', '<kind>/<namespace>/<name>').argParser(resourceName))
    .option('--source <name>', 'of this source')
    .addHelpText('after', help(['proplane resources get DatasetProperties/payments/refund-issued']))
    .action(async (resource: ResourceName, { source }: { source?: string }) => {
      const record = await readResource(context.client(), resource, source);
      if (context.json) printJson(record);
      else print(yamlText({ ...record, created: new Date(record.created).toISOString() }).trimEnd());
    });
}

const CONFIRM_TEXT = `A folder source that misses very many manifests at once deletes nothing before somebody confirms. Shows what would be
deleted and asks. Where nobody can be asked, nothing is confirmed without --yes. Only what was shown is confirmed.
--json prints the sets that were confirmed.`;

function confirmCommand(context: Context): Command {
  return new Command('confirm-deletions')
    .description('let the deletions happen that an operator holds back')
    .option('--source <name>', 'only of this source')
    .option('-y, --yes', 'do not ask')
    .addHelpText(
      'after',
      help(
        ['proplane resources confirm-deletions', 'proplane resources confirm-deletions --source directory --yes'],
        CONFIRM_TEXT,
      ),
    )
    .action(async ({ source, yes }: { source?: string; yes?: boolean }) => {
      const client = context.client();
      const held = (await listHeldDeletions(client, source)).filter((one) => !one.confirmed);
      const done: HeldDeletions[] = [];
      for (const one of held) {
        remark(describe(one));
        if (!yes && !canAsk())
          throw new Error('Nothing was confirmed: nobody can be asked here. Add --yes to confirm it');
        if (!yes && !(await confirmed(`Let ${counted(one.resources.length, 'deletion')} of ${one.source} happen?`)))
          return;
        const now = await confirmDeletions(client, one);
        if (now.length === 0) throw new Error(`What ${one.source} holds back has changed meanwhile: look again`);
        for (const each of now) done.push(each);
        if (!context.json) print(`Confirmed ${counted(one.resources.length, 'deletion')} of ${one.source}`);
      }
      if (context.json) printJson(done);
      else if (held.length === 0) print('No deletion is held back');
    });
}

function resourceName(text: string): ResourceName {
  const [kind, namespace, name, ...rest] = text.split('/');
  if (!kind || !namespace || !name || rest.length > 0)
    throw new InvalidArgumentError('<kind>/<namespace>/<name> is needed.');
  return { kind, namespace, name };
}

function row(record: ResourceRecord): (string | Cell)[] {
  const { state, reason, message } = stateOf(record);
  const name = `${record.namespace}/${record.name}`;
  return [
    record.kind,
    name,
    { text: state, colour: COLOURS[state] },
    reason,
    age(Date.now() - record.created),
    message,
  ];
}

function describe({ source, reason, resources }: HeldDeletions): string {
  const lines = resources.map(({ kind, namespace, name }) => `  ${kind} ${namespace}/${name}`);
  return [
    `${source} holds back ${counted(resources.length, 'deletion')}${reason === '' ? '' : `: ${reason}`}`,
    ...lines,
  ].join('\n');
}
