import { createServerBase } from '../plan/catalogue/server-base.ts';
import type { FilesOptions } from '../plan/files/file-set.ts';
import { readFolderFiles } from '../plan/files/folder-files.ts';
import { checkGlobs } from '../plan/files/given-globs.ts';
import type { ReadSchema } from '../plan/files/parse-cli-file.ts';
import { type Inputs, readInputs } from '../plan/files/read-inputs.ts';
import { readRevisionFiles } from '../plan/files/revision-files.ts';
import { baseOfFiles, makePlan } from '../plan/make-plan.ts';
import type { Plan } from '../plan/plan-shape.ts';
import { printMarkdown } from '../plan/print/markdown.ts';
import { printText } from '../plan/print/text.ts';
import { quotedVisibly } from '../process/text.ts';
import { readAvroSchema } from './avro-schema.ts';
import type { Context } from './context.ts';
import { coloured } from './output.ts';
import { createProgress, type Progress } from './progress.ts';

/** A plan that takes longer than this says how far it is, in ms. */
const QUIET_TIME = 1000;

export interface PlanFlags {
  readonly source: string;
  readonly against?: string[];
  readonly againstRevision?: string;
  readonly format: 'text' | 'markdown' | 'json';
  readonly schemaFilesAnywhere?: boolean;
}

/** What applying the files would do. The server is asked only for a plan against it. */
export async function planOf(globs: string[], flags: PlanFlags, context: Context): Promise<Plan> {
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
  const { clock } = context;
  const begun = clock.monotonic();
  try {
    await http.send({ method: 'GET', path: '/ready' });
    return await makePlan({
      base: createServerBase(http, source),
      against: context.settings().host,
      source,
      inputs,
      onProgress: (processed, total) => {
        if (!process.stderr.isTTY || clock.monotonic() - begun < QUIET_TIME) return;
        progress ??= createProgress(process.stderr, 'reads', clock);
        progress.show({ state: 'reading', processed, total, note: '' });
      },
    });
  } finally {
    progress?.end();
    http.close();
  }
}

export function printed(plan: Plan, format: PlanFlags['format']): string {
  if (format === 'json') return quotedVisibly(JSON.stringify(plan, null, 2));
  if (format === 'markdown') return printMarkdown(plan).trimEnd();
  return printText(plan, coloured);
}
