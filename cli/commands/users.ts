import { Argument, Command } from 'commander';
import { readMe } from '../../client/access.ts';
import { changeUser, createUser, deleteUser, listUsers, setPassword } from '../../client/users.ts';
import type { Account, AccountChange } from '../../model/wire/access.ts';
import { visible } from '../../process/text.ts';
import { groupUrn, userUrn } from '../arguments.ts';
import { mayDelete } from '../ask.ts';
import type { Context } from '../context.ts';
import { help } from '../help.ts';
import { print, printJson } from '../output.ts';
import { newPassword } from '../password.ts';
import { type Cell, printTable } from '../table.ts';

const JSON_TEXT = '--json prints a list of the users as they are then; times are milliseconds since 1970.';

export function usersCommand(context: Context): Command {
  return new Command('users')
    .description('who can log in, and what roles and groups they have')
    .addCommand(listCommand(context))
    .addCommand(createCommand(context))
    .addCommand(
      stateCommand(context, {
        name: 'suspend',
        description: 'keep users from logging in, and their tokens from being used',
        state: 'SUSPENDED',
        done: 'Suspended',
      }),
    )
    .addCommand(
      stateCommand(context, { name: 'activate', description: 'undo `suspend`', state: 'ACTIVE', done: 'Activated' }),
    )
    .addCommand(deleteCommand(context))
    .addCommand(setPasswordCommand(context))
    .addCommand(setRolesCommand(context))
    .addCommand(addToGroupCommand(context))
    .addCommand(removeFromGroupCommand(context));
}

function listCommand(context: Context): Command {
  return new Command('list')
    .description('list users')
    .option('--query <text>', 'only those in whose names or addresses this stands')
    .addHelpText('after', help(['proplane users list', 'proplane users list --query jane --json'], JSON_TEXT))
    .action(async ({ query }: { query?: string }) => {
      const users = await listUsers(context.client(), query);
      if (context.json) return printJson(users);
      printTable(['USER', 'STATE', 'ROLES', 'GROUPS', 'LAST LOG-IN', 'NAME'], users.map(row));
    });
}

interface CreateOptions {
  readonly displayName?: string;
  readonly email?: string;
  readonly role?: string[];
  readonly group?: string[];
  readonly password: boolean;
  readonly passwordStdin?: boolean;
}

function createCommand(context: Context): Command {
  return new Command('create')
    .description('make a user; the password is asked for')
    .argument('<name>', 'by which the user logs in')
    .option('--display-name <name>', 'for people')
    .option('--email <address>', 'of the user')
    .option('--role <role...>', 'such as Admin, Editor or Reader')
    .option('--group <group...>', 'by name or URN', groupUrns)
    .option('--password-stdin', 'the password is read from standard input')
    .option('--no-password', 'without one: for log-in by OpenID Connect, and for programs')
    .addHelpText(
      'after',
      help(
        [
          'proplane users create jane --display-name "Jane Doe" --role Editor',
          'proplane users create loader --no-password --role Editor',
        ],
        '--json prints the user.',
      ),
    )
    .action(async (username: string, { role, group, password, passwordStdin, ...rest }: CreateOptions) => {
      const [typed] = password ? await newPassword(passwordStdin === true) : [];
      const user = await createUser(context.client(), {
        username,
        ...rest,
        ...(typed === undefined ? {} : { password: typed }),
        ...(role === undefined ? {} : { roles: role }),
        ...(group === undefined ? {} : { groups: group }),
      });
      if (context.json) printJson(user);
      else print(visible(`Made the user ${user.username}`));
    });
}

interface StateCommand {
  readonly name: string;
  readonly description: string;
  readonly state: 'ACTIVE' | 'SUSPENDED';
  readonly done: string;
}

function stateCommand(context: Context, { name, description, state, done }: StateCommand): Command {
  return new Command(name)
    .description(description)
    .addArgument(users())
    .addHelpText('after', help([`proplane users ${name} jane`], JSON_TEXT))
    .action((urns: string[]) => change(context, urns, () => ({ state }), done));
}

function deleteCommand(context: Context): Command {
  return new Command('delete')
    .description('delete users; their tokens are good no more')
    .addArgument(users())
    .option('-y, --yes', 'do not ask')
    .addHelpText(
      'after',
      help(['proplane users delete jane'], 'A terminal is asked first. --json prints a list of the URNs.'),
    )
    .action(async (urns: string[], { yes }: { yes?: boolean }) => {
      if (!(await mayDelete(`Delete ${urns.map(nameOf).join(', ')}? This cannot be undone.`, yes))) return;
      for (const urn of urns) {
        await deleteUser(context.client(), urn);
        if (!context.json) print(visible(`Deleted the user ${nameOf(urn)}`));
      }
      if (context.json) printJson(urns);
    });
}

const PASSWORD_TEXT = `Without a name it is the own one, and the present password is asked for as well. With --password-stdin each stands in a line
of its own, the present one first.`;

function setPasswordCommand(context: Context): Command {
  return new Command('set-password')
    .description('give a user another password')
    .addArgument(new Argument('[user]', 'by name or URN; oneself when absent').argParser(userUrn))
    .option('--password-stdin', 'read from standard input')
    .addHelpText('after', help(['proplane users set-password', 'proplane users set-password jane'], PASSWORD_TEXT))
    .action(async (named: string | undefined, { passwordStdin = false }: { passwordStdin?: boolean }) => {
      const client = context.client();
      const { actor } = await readMe(client);
      const urn = named ?? actor;
      const given = await newPassword(passwordStdin, urn === actor ? ['the present password'] : []);
      const [password = '', oldPassword] = given.toReversed();
      await setPassword(client, urn, { password, ...(oldPassword === undefined ? {} : { oldPassword }) });
      if (context.json) printJson({ urn });
      else print(visible(`${nameOf(urn)} has another password now`));
    });
}

function setRolesCommand(context: Context): Command {
  return new Command('set-roles')
    .description('say which roles a user has; without any, none')
    .addArgument(new Argument('<user>', 'by name or URN').argParser(userUrn))
    .argument('[role...]', 'such as Admin, Editor or Reader')
    .addHelpText('after', help(['proplane users set-roles jane Editor', 'proplane users set-roles jane'], JSON_TEXT))
    .action((urn: string, roles: string[]) => change(context, [urn], () => ({ roles }), 'Changed the roles of'));
}

function addToGroupCommand(context: Context): Command {
  return new Command('add-to-group')
    .description('put users into a group')
    .addArgument(group())
    .addArgument(users())
    .addHelpText('after', help(['proplane users add-to-group finance jane joe'], JSON_TEXT))
    .action((to: string, urns: string[]) => {
      return changeGroups(context, urns, (groups) => [...new Set([...groups, to])], `Added to ${nameOf(to)}:`);
    });
}

function removeFromGroupCommand(context: Context): Command {
  return new Command('remove-from-group')
    .description('take users out of a group')
    .addArgument(group())
    .addArgument(users())
    .addHelpText('after', help(['proplane users remove-from-group finance jane'], JSON_TEXT))
    .action((from: string, urns: string[]) => {
      return changeGroups(
        context,
        urns,
        (groups) => groups.filter((one) => one !== from),
        `Removed from ${nameOf(from)}:`,
      );
    });
}

async function changeGroups(
  context: Context,
  urns: readonly string[],
  next: (groups: readonly string[]) => string[],
  done: string,
): Promise<void> {
  const known = new Map((await listUsers(context.client())).map((user) => [user.urn, user]));
  const missing = urns.filter((urn) => !known.has(urn));
  if (missing.length > 0) throw new Error(`There is no user ${visible(missing.map(nameOf).join(', '))}`);
  await change(context, urns, (urn) => ({ groups: next(known.get(urn)?.groups ?? []) }), done);
}

async function change(
  context: Context,
  urns: readonly string[],
  to: (urn: string) => AccountChange,
  done: string,
): Promise<void> {
  const client = context.client();
  const changed: Account[] = [];
  for (const urn of urns) {
    changed.push(await changeUser(client, urn, to(urn)));
    if (!context.json) print(visible(`${done} ${nameOf(urn)}`));
  }
  if (context.json) printJson(changed);
}

function users(): Argument {
  return new Argument('<user...>', 'by name or URN').argParser((text: string, before: string[] = []) => [
    ...before,
    userUrn(text),
  ]);
}

function group(): Argument {
  return new Argument('<group>', 'by name or URN').argParser(groupUrn);
}

function groupUrns(text: string, before: string[] = []): string[] {
  return [...before, groupUrn(text)];
}

function row({ username, state, roles, groups, lastLogin, displayName = '' }: Account): (string | Cell)[] {
  const colour = state === 'ACTIVE' ? 'green' : 'red';
  return [
    username,
    { text: state.toLowerCase(), colour },
    roles.join(', '),
    groups.map(nameOf).join(', '),
    lastLogin === undefined ? 'never' : new Date(lastLogin).toISOString(),
    displayName,
  ];
}

function nameOf(urn: string): string {
  return urn.replace(/^urn:li:\w+:/u, '');
}
