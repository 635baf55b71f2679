import { Command, Option } from 'commander';
import { ABOUT_SCHEMAS_ANYWHERE, SCHEMAS_ANYWHERE } from '../avro-schema.ts';
import type { Context } from '../context.ts';
import { help } from '../help.ts';
import { print } from '../output.ts';
import type { PlanFlags } from '../plan.ts';

const HELP = `Globs are those of the operator (MANIFESTS), in quotes: what is ours and in none of the files counts as deleted.
Files of "properties upsert" and "dataset upsert" are known by their shape; they never delete anything.

Exit codes: 0 nothing to do; 2 changes; 3 a breaking change without a greater version; 1 an error, also beside others.
Without a server at hand compare with files, by --against or --against-revision.`;

const EXAMPLES = [
  "proplane plan 'resources/**/*.yaml'",
  "proplane plan 'resources/**/*.yaml' --against-revision origin/main --format markdown",
];

/** `proplane plan`. What makes plans is loaded when one is wanted: it is half of the command line. */
export function planCommand(context: Context): Command {
  return new Command('plan')
    .description('show what applying files would create, change, break or delete; nothing is written')
    .argument('<globs...>', 'manifests, or files of the command line; a leading ! excludes')
    .option('--source <name>', "name of the operator's source", process.env.SOURCE_NAME || 'directory')
    .addOption(
      new Option('--against <globs...>', 'compare with other files instead of a server').conflicts('againstRevision'),
    )
    .option('--against-revision <revision>', 'compare with the same globs in a git revision instead of a server')
    .option(SCHEMAS_ANYWHERE, ABOUT_SCHEMAS_ANYWHERE)
    .addOption(new Option('--format <format>', 'how to print it').choices(['text', 'markdown', 'json']).default('text'))
    .addHelpText('after', help(EXAMPLES, HELP))
    .action(async (globs: string[], flags: PlanFlags) => {
      const { planOf, printed } = await import('../plan.ts');
      const plan = await planOf(globs, flags, context);
      print(printed(plan, context.json ? 'json' : flags.format));
      process.exitCode = plan.exitCode;
    });
}
