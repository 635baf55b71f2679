import type { Command } from 'commander';
import { createProgram } from '../cli/program.ts';
import { GENERATED } from './table.ts';

const WIDTH = 110;

/** The help of every command. */
export function commandLinePage(): string {
  let text = '';
  const program = createProgram({
    writeOut: (part) => {
      text += part;
    },
    getOutHelpWidth: () => WIDTH,
    getOutHasColors: () => false,
  });
  const sections = commandsOf(program, '').map(([path, command]) => {
    text = '';
    command.outputHelp();
    return `## ${path}\n\n\`\`\`\n${text.trimEnd()}\n\`\`\``;
  });
  return `${GENERATED}
# Command line

What \`--help\` says about each command. How they are used is told in [command line](../command-line.md).

${sections.join('\n\n')}
`;
}

/** Every command that help shows, groups before what is in them. */
function commandsOf(command: Command, prefix: string): [string, Command][] {
  const path = `${prefix}${command.name()}`;
  const inside = command.createHelp().visibleCommands(command);
  const shown = inside.filter((one) => one.name() !== 'help');
  return [[path, command], ...shown.flatMap((one) => commandsOf(one, `${path} `))];
}
