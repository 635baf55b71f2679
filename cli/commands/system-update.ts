import { Command } from 'commander';
import { readEnvironment } from '../../process/read-environment.ts';
import { seconds } from '../arguments.ts';
import type { Context } from '../context.ts';
import { help } from '../help.ts';
import { print, printJson } from '../output.ts';
import { createProgress, noProgress } from '../progress.ts';
import { describeOutcome, runSystemUpdate, systemUpdateEnvironment } from '../system-update.ts';

const TEXT = `Does it when SEARCH_INDEX_BUILDER_MAPPINGS_REINDEX and ENABLE_STRUCTURED_PROPERTIES_SYSTEM_UPDATE are both true. Joins
the system update that is under way, if there is one. The exit code is 1 when it failed or was cancelled. When the
command is ended, the job goes on. --json prints the job at its end, or
{reindexed: false, why} when there is nothing to do.`;

const NOTHING_TO_DO =
  'Nothing to do: set SEARCH_INDEX_BUILDER_MAPPINGS_REINDEX=true and ENABLE_STRUCTURED_PROPERTIES_SYSTEM_UPDATE=true to rebuild the search index';

export function systemUpdateCommand(context: Context): Command {
  return new Command('system-update')
    .description('rebuild the search index with fields of only what remains, and wait for the end')
    .option('--timeout <seconds>', 'how long the server may be away before it is given up', seconds, 300)
    .addHelpText(
      'after',
      help(
        [
          'export SEARCH_INDEX_BUILDER_MAPPINGS_REINDEX=true ENABLE_STRUCTURED_PROPERTIES_SYSTEM_UPDATE=true',
          'proplane system-update',
        ],
        TEXT,
      ),
    )
    .action(async ({ timeout }: { timeout: number }) => {
      if (!readEnvironment(systemUpdateEnvironment, process.env).reindexes) {
        if (context.json) printJson({ reindexed: false, why: NOTHING_TO_DO });
        else print(NOTHING_TO_DO);
        return;
      }
      const progress = context.json ? noProgress : createProgress(process.stderr, 'entities', context.clock);
      const job = await runSystemUpdate(context.client(), { clock: context.clock, progress, patience: timeout * 1000 });
      if (context.json) printJson(job);
      else print(describeOutcome(job).join('\n'));
    });
}
