#!/usr/bin/env node
import { Command } from 'commander';
import { createHttpClient } from '../client/http-client.ts';
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
