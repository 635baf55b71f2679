import { Command } from 'commander';
import { seconds } from '../arguments.ts';
import type { Context } from '../context.ts';
import { help } from '../help.ts';
import { importFile } from '../import.ts';
import { remark } from '../output.ts';
import { createProgress } from '../progress.ts';

export function importCommand(context: Context): Command {
  return new Command('import')
    .description('load an export into an empty catalogue, or go on where that was cut')
    .argument('<file>', 'what `proplane export` wrote')
    .option('--timeout <seconds>', 'how long the server may be away before it is given up', seconds, 300)
    .addHelpText('after', help(['proplane --host http://127.0.0.1:8081 import catalogue.ndjson']))
    .action(async (file: string, { timeout }: { timeout: number }) => {
      const options = { progress: createProgress(process.stderr, 'lines'), patience: timeout * 1000 };
      const { lines, already } = await importFile(context.client(), file, options);
      remark(
        already
          ? `${file} was imported already: ${lines} lines. To import it again, begin with an empty store`
          : `Imported ${file}: ${lines} lines. The search index follows by itself`,
      );
    });
}
