import { Command } from 'commander';
import { seconds } from '../arguments.ts';
import type { Context } from '../context.ts';
import { help } from '../help.ts';
import { importFile } from '../import.ts';
import { printJson, remark } from '../output.ts';
import { createProgress, noProgress } from '../progress.ts';

export function importCommand(context: Context): Command {
  return new Command('import')
    .description('load an export into an empty catalogue, or go on where that was cut')
    .argument('<file>', 'what `proplane export` wrote')
    .option('--timeout <seconds>', 'how long the server may be away before it is given up', seconds, 300)
    .addHelpText(
      'after',
      help(
        ['proplane --host http://127.0.0.1:8081 import catalogue.ndjson'],
        '--json prints {file, lines, already}; already: nothing was left to import.',
      ),
    )
    .action(async (file: string, { timeout }: { timeout: number }) => {
      const progress = context.json ? noProgress : createProgress(process.stderr, 'lines', context.clock);
      const options = { clock: context.clock, progress, patience: timeout * 1000 };
      const { lines, already } = await importFile(context.client(), file, options);
      if (context.json) printJson({ file, lines, already });
      else if (already)
        remark(`${file} was imported already: ${lines} lines. To import it again, begin with an empty store`);
      else remark(`Imported ${file}: ${lines} lines. The search index follows by itself`);
    });
}
