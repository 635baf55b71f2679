import { Command } from 'commander';
import { definitionEntry, shownDefinition } from '../../model/cli-file/print-properties-file.ts';
import { entityTypesOfDefinition, valueTypeOfDefinition } from '../../model/definition.ts';
import type { ParsedUrn } from '../../model/urn.ts';
import { counted, visible } from '../../process/text.ts';
import { propertyUrn } from '../arguments.ts';
import type { Context } from '../context.ts';
import { type DefinedProperty, listProperties, readProperty } from '../defined-property.ts';
import { help } from '../help.ts';
import { print, printJson, remark } from '../output.ts';
import { reportOutcomes } from '../report-outcomes.ts';
import { printTable } from '../table.ts';
import { upsertProperties } from '../upsert.ts';
import { writeText, yamlText } from '../write-yaml.ts';

export function propertiesCommand(context: Context): Command {
  return new Command('properties')
    .description('definitions of structured properties')
    .addCommand(upsertCommand(context))
    .addCommand(getCommand(context))
    .addCommand(listCommand(context));
}

function upsertCommand(context: Context): Command {
  return new Command('upsert')
    .description('create or update the definitions of a file')
    .requiredOption('-f, --file <yaml>', 'definition file, a YAML list of properties')
    .addHelpText(
      'after',
      help(
        ['proplane properties upsert -f properties.yaml'],
        'A definition that the server refuses does not keep the others from being sent; the exit code is 1 then.\n--json prints a list of {urn, error?, violations?}.',
      ),
    )
    .action(({ file }: { file: string }) =>
      reportOutcomes(context, upsertProperties(context.client(), file), (urn) => `Created structured property ${urn}`),
    );
}

function getCommand(context: Context): Command {
  return new Command('get')
    .description('print a definition as JSON')
    .requiredOption('--urn <urn>', 'URN of the property, or its qualified name', propertyUrn)
    .addHelpText(
      'after',
      help([
        'proplane properties get --urn com.thistlequay.privacy.retentionDays',
        'proplane properties get --urn urn:li:structuredProperty:com.thistlequay.privacy.retentionDays | jq .type',
      ]),
    )
    .action(async ({ urn }: { urn: ParsedUrn }) => {
      const property = await readProperty(context.client(), urn);
      if (property === undefined) throw new Error(`Structured property ${urn.urn} does not exist`);
      printJson(shownDefinition(property.definition));
      if (property.removed) remark(`It is soft deleted: \`proplane undelete --urn ${visible(urn.urn)}\` restores it`);
    });
}

interface ListOptions {
  readonly toFile?: string;
  readonly details?: boolean;
  readonly includeRemoved?: boolean;
}

function listCommand(context: Context): Command {
  return new Command('list')
    .description('list all definitions')
    .option('--details', 'print each definition in full, in the form of the definition file')
    .option('--to-file <yaml>', 'write them to a file that `proplane properties upsert -f` reads')
    .option('--include-removed', 'soft-deleted ones too')
    .addHelpText(
      'after',
      help(
        [
          'proplane properties list',
          'proplane properties list --to-file properties.yaml',
          "proplane properties list --json | jq -r '.[] | select(.removed | not) | .urn'",
        ],
        'A definition that was written a moment ago can be missing: the list comes from the search index.\n--json prints a list of what `properties get` prints, each with `removed`.',
      ),
    )
    .action(async ({ toFile, details, includeRemoved = false }: ListOptions) => {
      const properties = await listProperties(context.client(), includeRemoved);
      const entries = properties.map(({ definition }) => definitionEntry(definition));
      if (toFile !== undefined) {
        writeText(toFile, yamlText(entries));
        remark(`Wrote ${toFile}: ${counted(properties.length, 'definition')}`);
      } else if (context.json) {
        printJson(properties.map(({ definition, removed }) => ({ ...shownDefinition(definition), removed })));
      } else if (details && properties.length > 0) print(yamlText(entries).trimEnd());
      else printProperties(properties);
    });
}

function printProperties(properties: readonly DefinedProperty[]): void {
  const rows = properties.map(({ definition, removed }) => [
    definition.qualifiedName,
    valueTypeOfDefinition(definition),
    definition.cardinality ?? 'SINGLE',
    definition.version ?? '',
    removed ? ({ text: 'removed', colour: 'yellow' } as const) : ({ text: 'active', colour: 'green' } as const),
    entityTypesOfDefinition(definition).join(', '),
  ]);
  printTable(['QUALIFIED NAME', 'TYPE', 'CARDINALITY', 'VERSION', 'STATE', 'ENTITY TYPES'], rows);
}
