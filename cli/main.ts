#!/usr/bin/env node
import { Command } from 'commander';
import { createHttpClient } from '../client/http-client.ts';
import { readEnvironment } from '../process/read-environment.ts';
import { exportToFile, exportToStream } from './export.ts';
import { importFile } from './import.ts';
import { createProgress, noProgress } from './progress.ts';
import { describeOutcome, runSystemUpdate, systemUpdateEnvironment } from './system-update.ts';
import { type Outcome, upsertDatasets, upsertProperties } from './upsert.ts';

const program = new Command('proplane')
  .description('Typed, versioned metadata for data assets')
  .option('--host <url>', 'address of the server', process.env.PROPLANE_HOST || 'http://127.0.0.1:8080')
  .option('--token <token>', 'access token', process.env.PROPLANE_TOKEN)
  .showHelpAfterError();

program
  .command('properties')
  .description('definitions of structured properties')
  .command('upsert')
  .description('create or update the definitions of a file')
  .requiredOption('-f, --file <yaml>', 'definition file')
  .action(({ file }: { file: string }) =>
    report(upsertProperties(client(), file), (urn) => `Created structured property ${urn}`),
  );

program
  .command('dataset')
  .description('datasets and their structured properties')
  .command('upsert')
  .description('create or update the datasets of a file')
  .requiredOption('-f, --file <yaml>', 'dataset file')
  .action(({ file }: { file: string }) =>
    report(upsertDatasets(client(), file), (urn) => `Update succeeded for urn ${urn}.`),
  );

program
  .command('system-update')
  .description('rebuild the search index with fields of only what remains, and wait for the end')
  .option('--timeout <seconds>', 'how long the server may be away before it is given up', Number, 300)
  .option('--json', 'print the job as JSON at the end')
  .addHelpText(
    'after',
    '\nDoes it when SEARCH_INDEX_BUILDER_MAPPINGS_REINDEX and ENABLE_STRUCTURED_PROPERTIES_SYSTEM_UPDATE are both true.',
  )
  .action(async ({ timeout, json }: { timeout: number; json?: boolean }) => {
    if (!readEnvironment(systemUpdateEnvironment, process.env).reindexes) {
      console.log(
        'Nothing to do: set SEARCH_INDEX_BUILDER_MAPPINGS_REINDEX=true and ENABLE_STRUCTURED_PROPERTIES_SYSTEM_UPDATE=true to rebuild the search index',
      );
      return;
    }
    const progress = json ? noProgress : createProgress(process.stdout, 'entities');
    const job = await runSystemUpdate(client(), { progress, patience: timeout * 1000 });
    console.log(json ? JSON.stringify(job, null, 2) : describeOutcome(job).join('\n'));
  });

program
  .command('export')
  .description('write the whole catalogue to a file, or go on where that was cut')
  .option('-o, --output <file>', 'standard output when absent')
  .option('--timeout <seconds>', 'how long the server may be away before it is given up', Number, 300)
  .action(async ({ output, timeout }: { output?: string; timeout: number }) => {
    if (output === undefined && process.stdout.isTTY) {
      throw new Error('An export is no reading for people: name a file with -o, or pipe it somewhere');
    }
    const options = { progress: createProgress(process.stderr, 'lines'), patience: timeout * 1000 };
    const lines =
      output === undefined
        ? await exportToStream(client(), process.stdout, options)
        : await exportToFile(client(), output, options);
    console.error(`Exported to ${output ?? 'standard output'}: ${lines} lines`);
  });

program
  .command('import')
  .description('load an export into an empty catalogue, or go on where that was cut')
  .argument('<file>', 'what `proplane export` wrote')
  .option('--timeout <seconds>', 'how long the server may be away before it is given up', Number, 300)
  .action(async (file: string, { timeout }: { timeout: number }) => {
    const options = { progress: createProgress(process.stderr, 'lines'), patience: timeout * 1000 };
    const { lines, already } = await importFile(client(), file, options);
    console.error(
      already
        ? `${file} was imported already: ${lines} lines. To import it again, begin with an empty store`
        : `Imported ${file}: ${lines} lines. The search index follows by itself`,
    );
  });

try {
  await program.parseAsync();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

function client() {
  const { host, token } = program.opts<{ host: string; token?: string }>();
  return createHttpClient({ host, ...(token === undefined ? {} : { token }) });
}

/** A line for each thing that was sent; the exit code is 1 when one was refused. */
async function report(sent: Promise<Outcome[]>, success: (urn: string) => string): Promise<void> {
  for (const { urn, error } of await sent) {
    if (error === undefined) console.log(success(urn));
    else {
      console.error(`Update failed for ${urn}: ${error}`);
      process.exitCode = 1;
    }
  }
}
