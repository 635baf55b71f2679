import { Command, Option } from 'commander';
import { createServerBase } from '../../plan/catalogue/server-base.ts';
import type { FilesOptions } from '../../plan/files/file-set.ts';
import { readFolderFiles } from '../../plan/files/folder-files.ts';
import { checkGlobs } from '../../plan/files/given-globs.ts';
import type { ReadSchema } from '../../plan/files/parse-cli-file.ts';
import { type Inputs, readInputs } from '../../plan/files/read-inputs.ts';
import { readRevisionFiles } from '../../plan/files/revision-files.ts';
import { baseOfFiles, makePlan } from '../../plan/make-plan.ts';
import type { Plan } from '../../plan/plan-shape.ts';
import { printMarkdown } from '../../plan/print/markdown.ts';
import { printText } from '../../plan/print/text.ts';
import { quotedVisibly } from '../../process/text.ts';
import { ABOUT_SCHEMAS_ANYWHERE, readAvroSchema, SCHEMAS_ANYWHERE } from '../avro-schema.ts';
import type { Context } from '../context.ts';
import { help } from '../help.ts';
import { coloured, print } from '../output.ts';
import { createProgress, type Progress } from '../progress.ts';

/** A plan that takes longer than this says how far it is, in ms. */
const QUIET_TIME = 1000;

interface PlanFlags {
  readonly source: string;
  readonly against?: string[];
  readonly againstRevision?: string;
  readonly format: 'text' | 'markdown' | 'json';
  readonly schemaFilesAnywhere?: boolean;
}

const HELP = `Globs are those of the operator (MANIFESTS), in quotes: what is ours and in none of the files counts as deleted.
Files of "properties upsert" and "dataset upsert" are known by their shape; they never delete anything.

Exit codes: 0 nothing to do; 2 changes; 3 a breaking change without a greater version; 1 an error, also beside others.
Without a server at hand compare with files, by --against or --against-revision.`;

const EXAMPLES = [
  "proplane plan 'resources/**/*.yaml'",
  "proplane plan 'resources/**/*.yaml' --against-revision origin/main --format markdown",
];

/** `proplane plan`. The server is asked only for a plan against it. */
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
      const plan = await planOf(globs, flags, context);
      print(printed(plan, context.json ? 'json' : flags.format));
      process.exitCode = plan.exitCode;
    });
}

async function planOf(globs: string[], flags: PlanFlags, context: Context): Promise<Plan> {
  const { source, against, againstRevision, schemaFilesAnywhere: anywhere = false } = flags;
  const readSchema: ReadSchema = (file, datasetFile, place) => readAvroSchema(file, datasetFile, { anywhere, place });
  checkGlobs(globs);
  if (against !== undefined) checkGlobs(against);
  const options: FilesOptions = { globs, workingFolder: process.cwd() };
  const inputs = readInputs(await readFolderFiles(options), readSchema);
  if (againstRevision === undefined && against === undefined) return await planAgainstServer(inputs, source, context);
  const before =
    againstRevision === undefined
      ? readInputs(await readFolderFiles({ ...options, globs: against ?? [] }), readSchema)
      : readInputs(readRevisionFiles(againstRevision, options), readSchema);
  const { base, warnings } = await baseOfFiles(before, source, inputs);
  const name = againstRevision === undefined ? (against ?? []).join(' ') : `revision ${againstRevision}`;
  const plan = await makePlan({ base, against: name, source, inputs });
  return { ...plan, warnings: [...warnings, ...plan.warnings] };
}

async function planAgainstServer(inputs: Inputs, source: string, context: Context): Promise<Plan> {
  const http = context.client();
  let progress: Progress | undefined;
  const begun = Date.now();
  try {
    await http.send({ method: 'GET', path: '/ready' });
    return await makePlan({
      base: createServerBase(http, source),
      against: context.settings().host,
      source,
      inputs,
      onProgress: (processed, total) => {
        if (!process.stderr.isTTY || Date.now() - begun < QUIET_TIME) return;
        progress ??= createProgress(process.stderr, 'reads');
        progress.show({ state: 'reading', processed, total, note: '' });
      },
    });
  } finally {
    progress?.end();
    http.close();
  }
}

function printed(plan: Plan, format: PlanFlags['format']): string {
  if (format === 'json') return quotedVisibly(JSON.stringify(plan, null, 2));
  if (format === 'markdown') return printMarkdown(plan).trimEnd();
  return printText(plan, coloured);
}
