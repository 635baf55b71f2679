import { Command } from 'commander';
import { seconds } from '../arguments.ts';
import type { Context } from '../context.ts';
import { exportToFile, exportToStream } from '../export.ts';
import { help } from '../help.ts';
import { printJson, remark } from '../output.ts';
import { createProgress, noProgress } from '../progress.ts';

export function exportCommand(context: Context): Command {
  return new Command('export')
    .description('write the whole catalogue to a file, or go on where that was cut')
    .option('-o, --output <file>', 'standard output when absent')
    .option('--timeout <seconds>', 'how long the server may be away before it is given up', seconds, 300)
    .addHelpText(
      'after',
      help(
        ['proplane export -o catalogue.ndjson', 'proplane export | gzip > catalogue.ndjson.gz'],
        'The file is lines of JSON; docs/moving.md tells how to use it.\n--json prints {file, lines} when the export goes to a file.',
      ),
    )
    .action(async ({ output, timeout }: { output?: string; timeout: number }) => {
      if (output === undefined && process.stdout.isTTY) {
        throw new Error('An export is no reading for people: name a file with -o, or pipe it somewhere');
      }
      const isQuiet = context.json && output !== undefined;
      const progress = isQuiet ? noProgress : createProgress(process.stderr, 'lines', context.clock);
      const options = { clock: context.clock, progress, patience: timeout * 1000 };
      const lines =
        output === undefined
          ? await exportToStream(context.client(), process.stdout, options)
          : await exportToFile(context.client(), output, options);
      if (isQuiet) printJson({ file: output, lines });
      else remark(`Exported to ${output ?? 'standard output'}: ${lines} lines`);
    });
}
