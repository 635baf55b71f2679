import { Argument, Command } from 'commander';
import { createGroup, deleteGroup, listGroups } from '../../client/users.ts';
import { visible } from '../../process/text.ts';
import { groupUrn } from '../arguments.ts';
import { mayDelete } from '../ask.ts';
import type { Context } from '../context.ts';
import { help } from '../help.ts';
import { print, printJson } from '../output.ts';
import { printTable } from '../table.ts';

export function groupsCommand(context: Context): Command {
  return new Command('groups')
    .description('groups of users, to whom policies can grant')
    .addCommand(listCommand(context))
    .addCommand(createCommand(context))
    .addCommand(deleteCommand(context));
}

function listCommand(context: Context): Command {
  return new Command('list')
    .description('list groups')
    .addHelpText('after', help(['proplane groups list'], '--json prints the list as the server has it.'))
    .action(async () => {
      const groups = await listGroups(context.client());
      if (context.json) return printJson(groups);
      const rows = groups.map(({ name, members, description = '' }) => [name, String(members), description]);
      printTable(['NAME', 'MEMBERS', 'DESCRIPTION'], rows);
    });
}

function createCommand(context: Context): Command {
  return new Command('create')
    .description('make a group')
    .argument('<name>', 'for good')
    .option('--description <text>', 'who is in it')
    .addHelpText(
      'after',
      help(
        ['proplane groups create finance --description "Controlling and accounting"'],
        '`proplane users add-to-group` puts users into it. --json prints the group.',
      ),
    )
    .action(async (name: string, options: { description?: string }) => {
      const group = await createGroup(context.client(), { name, ...options });
      if (context.json) printJson(group);
      else print(visible(`Made the group ${group.name}`));
    });
}

function deleteCommand(context: Context): Command {
  return new Command('delete')
    .description('delete a group; its members stay')
    .addArgument(new Argument('<group>', 'by name or URN').argParser(groupUrn))
    .option('-y, --yes', 'do not ask')
    .addHelpText('after', help(['proplane groups delete finance'], 'A terminal is asked first.'))
    .action(async (urn: string, { yes }: { yes?: boolean }) => {
      if (!(await mayDelete(`Delete ${urn}? What policies grant to it, its members hold no more.`, yes))) return;
      await deleteGroup(context.client(), urn);
      if (context.json) printJson({ urn });
      else print(visible(`Deleted the group ${urn}`));
    });
}
