import { Command } from 'commander';
import { listEntityPages } from '../../client/entities.ts';
import type { Entity } from '../../client/entity.ts';
import { keyAspectOf, type ParsedUrn, parseUrn } from '../../model/urn.ts';
import { visible } from '../../process/text.ts';
import { count, datasetUrn } from '../arguments.ts';
import { ABOUT_SCHEMAS_ANYWHERE, SCHEMAS_ANYWHERE } from '../avro-schema.ts';
import type { Context } from '../context.ts';
import { help } from '../help.ts';
import { print, printJson, printJsonArray, remark } from '../output.ts';
import { printedDataset } from '../printed-dataset.ts';
import { reportOutcomes } from '../report-outcomes.ts';
import { table } from '../table.ts';
import { upsertDatasets } from '../upsert.ts';
import { writeText, yamlText } from '../write-yaml.ts';

const EXAMPLE = 'urn:li:dataset:(urn:li:dataPlatform:postgres,shop.public.order,PROD)';

export function datasetCommand(context: Context): Command {
  return new Command('dataset')
    .description('datasets and their structured properties')
    .addCommand(upsertCommand(context))
    .addCommand(getCommand(context))
    .addCommand(listCommand(context));
}

function upsertCommand(context: Context): Command {
  return new Command('upsert')
    .description('create or update the datasets of a file')
    .requiredOption('-f, --file <yaml>', 'dataset file, a YAML list of datasets (and dataFlows, by URN)')
    .option(SCHEMAS_ANYWHERE, ABOUT_SCHEMAS_ANYWHERE)
    .addHelpText(
      'after',
      help(
        ['proplane dataset upsert -f datasets.yaml'],
        'What an entry names is replaced whole, such as its structured properties or its free properties; what it does not name\nstays as it is. An entity is written whole, or not at all.\nA dataset that the server refuses does not keep the others from being sent; the exit code is 1 then.\n--json prints a list of {urn, error?, violations?}.',
      ),
    )
    .action(({ file, schemaFilesAnywhere: anywhere = false }: { file: string; schemaFilesAnywhere?: boolean }) =>
      reportOutcomes(
        context,
        upsertDatasets(context.client(), file, { anywhere }),
        (urn) => `Update succeeded for urn ${urn}.`,
      ),
    );
}

function getCommand(context: Context): Command {
  return new Command('get')
    .description('print a dataset with its properties, in the form of the dataset file')
    .requiredOption('--urn <urn>', 'URN of a dataset or dataFlow', datasetUrn)
    .option('--to-file <yaml>', 'write it to a file that `proplane dataset upsert -f` reads')
    .addHelpText(
      'after',
      help(
        [`proplane dataset get --urn '${EXAMPLE}'`, `proplane dataset get --urn '${EXAMPLE}' --to-file order.yaml`],
        'What the dataset file has no place for, such as tags, is named on standard error.\n--json prints the one entry, with its URN.',
      ),
    )
    .action(async ({ urn, toFile }: { urn: ParsedUrn; toFile?: string }) => {
      const dataset = await printedDataset(context.client(), urn);
      if (dataset === undefined) throw new Error(`${urn.urn} does not exist`);
      if (toFile !== undefined) {
        writeText(toFile, yamlText([dataset.entry]));
        remark(`Wrote ${toFile}`);
      } else if (context.json) printJson({ urn: urn.urn, ...dataset.entry });
      else print(yamlText([dataset.entry]).trimEnd());
      if (dataset.missing.length > 0)
        remark(visible(`Not, or not wholly, in this form: ${dataset.missing.join(', ')}`));
      if (dataset.removed) remark(`It is soft deleted: \`proplane undelete --urn '${visible(urn.urn)}'\` restores it`);
    });
}

interface ListOptions {
  readonly query?: string;
  readonly limit?: number;
  readonly details?: boolean;
  readonly includeRemoved?: boolean;
}

function listCommand(context: Context): Command {
  return new Command('list')
    .description('list datasets, a URN a line')
    .option('--query <query>', 'only what it finds; the syntax of docs/search.md')
    .option('--limit <n>', 'at most so many', count)
    .option('--details', 'a table with platform, environment, state and name')
    .option('--include-removed', 'soft-deleted ones too')
    .addHelpText(
      'after',
      help(
        [
          'proplane dataset list --query platform:postgres --details',
          "proplane dataset list --query 'structuredProperties.com_thistlequay_privacy_retentionDays:>=365'",
          "proplane dataset list --json | jq -r '.[].name'",
        ],
        '--json prints one list of {urn, platform, name, env, removed}, which is written as the pages arrive.',
      ),
    )
    .action(async ({ details, ...options }: ListOptions) => {
      const aspects = ['datasetKey', 'status'];
      const pages = listEntityPages(context.client(), 'dataset', { ...options, aspects });
      if (context.json) await printJsonArray(shownDatasets(pages));
      else if (details) await printTables(pages);
      else await printUrns(pages);
    });
}

async function* shownDatasets(pages: AsyncIterable<Entity[]>) {
  for await (const page of pages) yield* page.map(shownDataset);
}

function shownDataset(entity: Entity) {
  const { platform = '', name, origin } = keyAspectOf(parseUrn(entity.urn));
  const short = platform.slice('urn:li:dataPlatform:'.length);
  return { urn: entity.urn, platform: short, name, env: origin, removed: entity.removed };
}

async function printUrns(pages: AsyncIterable<Entity[]>): Promise<void> {
  let count = 0;
  for await (const page of pages) {
    for (const { urn } of page) print(visible(urn));
    count += page.length;
  }
  if (count === 0) remark('none');
}

/** A page at a time, each with columns as wide as it needs; the head is above the first. */
async function printTables(pages: AsyncIterable<Entity[]>): Promise<void> {
  let above = 0;
  for await (const page of pages) {
    if (page.length === 0) continue;
    const rows = page.map(shownDataset).map(({ platform, env, removed, name = '' }) => {
      return [platform, env ?? '', removed ? 'removed' : 'active', name];
    });
    print(table(['PLATFORM', 'ENV', 'STATE', 'NAME'], rows).split('\n').slice(above).join('\n'));
    above = 1;
  }
  if (above === 0) remark('none');
}
