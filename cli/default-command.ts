import { Command } from 'commander';

/**
 * Adds what a group does without a further word. Another word than a command's is refused as such: commander would take
 * it for an argument of the default command.
 */
export function addDefaultCommand(group: Command, command: Command): Command {
  return group.addCommand(command, { isDefault: true }).hook('preSubcommand', () => {
    const [word = '-'] = group.args;
    const isKnown = group.commands.some((one) => one.name() === word || one.aliases().includes(word));
    if (isKnown || word.startsWith('-')) return;
    const strict = new Command(group.name()).copyInheritedSettings(group);
    for (const one of group.commands) strict.addCommand(one);
    strict.parse([word], { from: 'user' });
  });
}
