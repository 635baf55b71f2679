import type { RootCommand } from '@bomb.sh/tab';
import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import { plain, visible } from '../../process/text.ts';
import type { Context } from '../context.ts';
import { type DefinedProperty, listProperties } from '../defined-property.ts';
import { help } from '../help.ts';
import { print } from '../output.ts';

/** Tells a shell to complete names of files by itself. */
const FILES = ':0';
const FILE_OPTIONS = ['-f', '--file', '-o', '--output', '--to-file', '--against'];

const TEXT = `The script asks \`proplane\`, which therefore has to be on the PATH, at each press of the tab key. Names of properties
come from the server, if it answers within a second. Bash needs the package bash-completion.`;

/** Adds `completion`, and the hidden command that its scripts call. All other commands have to be there already. */
export function completionCommand(context: Context, program: Command): void {
  const completions = tab(program, { completionCommandName: 'completion' });
  for (const command of completions.commands.values()) {
    // The library knows the options of the whole program only before a command.
    for (const [name, option] of completions.options) command.options.set(name, option);
  }
  for (const command of program.commands) {
    const known = completions.commands.get(command.name());
    for (const alias of command.aliases()) if (known !== undefined) completions.commands.set(alias, known);
  }
  const added = (name: string) => program.commands.find((command) => command.name() === name);
  added('completion')
    ?.description('print a script that completes commands in a shell')
    .hook('preAction', printWithoutReadonly)
    .addHelpText(
      'after',
      help(
        ['source <(proplane completion bash)', 'proplane completion fish > ~/.config/fish/completions/proplane.fish'],
        TEXT,
      ),
    );
  added('complete')?.hook('preAction', async (_program, { args: words }) => {
    if (isFile(program, words)) {
      print(FILES);
      process.exit();
    }
    // The line may say which server is meant.
    program.parseOptions(words);
    if (words.at(-2) === '--urn') await addProperties(context, completions, words);
  });
}

function isFile(program: Command, words: readonly string[]): boolean {
  const [current = '', previous = ''] = words.toReversed();
  if (FILE_OPTIONS.includes(previous)) return true;
  if (current.startsWith('-') || previous.startsWith('-')) return false;
  // An option at the end may lack its value.
  const { operands } = program.parseOptions([...words, '']);
  return previous === 'import' || (operands[0] === 'plan' && previous !== '');
}

/** The library's script for Bash declares constants, which a shell that reads it again complains about. */
function printWithoutReadonly(): void {
  const { log } = console;
  console.log = (script: string) => log(script.replace(/^readonly /gmu, ''));
}

/** The library asks for values without waiting, so they have to be there before. */
async function addProperties(context: Context, completions: RootCommand, words: readonly string[]): Promise<void> {
  for (const [path, command] of completions.commands) {
    const option = command.options.get('urn');
    const isMeant = path.split(' ').every((word) => words.includes(word));
    if (option === undefined || !isMeant || path.startsWith('dataset')) continue;
    const properties = await knownProperties(context);
    const takesName = path.startsWith('properties');
    option.handler = (add) => {
      for (const { urn, definition } of properties) {
        const name = takesName ? definition.qualifiedName : urn;
        // A shell types what is completed.
        if (visible(name) === name) add(name, plain(definition.displayName ?? ''));
      }
    };
  }
}

/** Whoever presses the tab key does not wait longer. */
const TIMEOUT = 1_000;

/** All properties as far as the server tells them in time; none otherwise, without a word. */
async function knownProperties(context: Context): Promise<DefinedProperty[]> {
  try {
    return await listProperties(context.client({ timeoutMs: TIMEOUT }), true);
  } catch {
    return [];
  }
}
