import { Argument, Command, InvalidArgumentError } from 'commander';
import { confirmDeletions, listHeldDeletions, listResources, readResource } from '../../client/resource-records.ts';
import type { HeldDeletions, ResourceName, ResourceRecord } from '../../model/wire/resource-record.ts';
import { age, counted, visible } from '../../process/text.ts';
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
deleted and asks; all that is held, or the resources that are named. Where nobody can be asked, nothing is confirmed
without --yes. Only what was shown is confirmed. --json prints what was confirmed.`;

function confirmCommand(context: Context): Command {
  return new Command('confirm-deletions')
    .description('let the deletions happen that an operator holds back')
    .addArgument(
      new Argument('[resource...]', 'only these: <kind>/<namespace>/<name>').argParser(
        (text: string, before: ResourceName[] = []) => [...before, resourceName(text)],
      ),
    )
    .option('--source <name>', 'only of this source')
    .option('-y, --yes', 'do not ask')
    .addHelpText(
      'after',
      help(
        [
          'proplane resources confirm-deletions',
          'proplane resources confirm-deletions --source directory --yes',
          'proplane resources confirm-deletions StructuredProperty/payments/tier',
        ],
        CONFIRM_TEXT,
      ),
    )
    .action(async (named: ResourceName[], { source, yes }: { source?: string; yes?: boolean }) => {
      const client = context.client();
      const held = (await listHeldDeletions(client, source)).flatMap((one) => unconfirmed(one, named));
      requireHeld(named, held);
      const done: HeldDeletions[] = [];
      for (const one of held) {
        remark(describe(one));
        if (!yes && !canAsk())
          throw new Error('Nothing was confirmed: nobody can be asked here. Add --yes to confirm it');
        if (!yes && !(await confirmed(`Let ${counted(one.resources.length, 'deletion')} of ${one.source} happen?`)))
          return;
        const now = await confirmDeletions(client, { source: one.source, resources: one.resources.map(nameOf) });
        for (const each of now) done.push(each);
        if (now[0]?.resources.length !== one.resources.length)
          throw new Error(`What ${one.source} holds back has changed meanwhile: look again`);
        if (!context.json) print(visible(`Confirmed ${counted(one.resources.length, 'deletion')} of ${one.source}`));
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

/** What of a set waits for somebody, as far as it is meant. */
function unconfirmed(held: HeldDeletions, named: readonly ResourceName[]): HeldDeletions[] {
  const isMeant = (one: ResourceName): boolean => named.length === 0 || named.some((name) => isSame(name, one));
  const resources = held.resources.filter((one) => !one.confirmed && isMeant(one));
  return resources.length === 0 ? [] : [{ ...held, resources }];
}

function requireHeld(named: readonly ResourceName[], held: readonly HeldDeletions[]): void {
  const all = held.flatMap(({ resources }) => resources);
  const others = named.filter((name) => !all.some((one) => isSame(name, one)));
  if (others.length > 0) throw new Error(`Not held back: ${others.map(shownName).join(', ')}`);
}

function isSame(one: ResourceName, other: ResourceName): boolean {
  return shownName(one) === shownName(other);
}

function nameOf({ kind, namespace, name }: ResourceName): ResourceName {
  return { kind, namespace, name };
}

function shownName({ kind, namespace, name }: ResourceName): string {
  return `${kind} ${namespace}/${name}`;
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

function describe({ source, resources }: HeldDeletions): string {
  const groups = [...Map.groupBy(resources, ({ reason }) => reason)];
  const lines = groups.flatMap(([reason, group]) => [
    ...(reason === '' ? [] : [visible(`  ${reason}:`)]),
    ...group.map((one) => visible(`  ${shownName(one)}`)),
  ]);
  return [visible(`${source} holds back ${counted(resources.length, 'deletion')}`), ...lines].join('\n');
}
