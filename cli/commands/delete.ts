import { Command } from 'commander';
import type { ParsedUrn } from '../../model/urn.ts';
import type { ShownJob } from '../../model/wire/job.ts';
import { counted, visible } from '../../process/text.ts';
import { seconds, urn as urnArgument } from '../arguments.ts';
import { mayDelete } from '../ask.ts';
import type { Context } from '../context.ts';
import { followJob, requireDone } from '../follow-job.ts';
import { help } from '../help.ts';
import { print, printJson, remark } from '../output.ts';
import { Patience } from '../patience.ts';
import { createProgress, noProgress } from '../progress.ts';
import { hardDelete, type Standing, setRemoved, standingOf } from '../removal.ts';

const TEXT = `Without --hard it is soft deleted: hidden, with all that it has, until \`proplane undelete\`. With --hard it is removed
for good; the values of a property are hidden everywhere at once and removed by a job. A terminal is asked before a hard
deletion; when it would not see the question, since standard error is redirected, --yes is needed. Soft-deleting what does not exist is an error; hard-deleting it is none.
--json prints {urn, deleted: "soft", "hard" or "nothing", holders?, job?}.`;

interface DeleteOptions {
  readonly urn: ParsedUrn;
  readonly hard?: boolean;
  readonly yes?: boolean;
  readonly force?: boolean;
  readonly wait?: boolean;
  readonly timeout: number;
}

export function deleteCommand(context: Context): Command {
  return new Command('delete')
    .description('delete an entity: a property, a dataset, or another')
    .requiredOption('--urn <urn>', 'URN of what to delete', urnArgument)
    .option('--hard', 'for good')
    .option('-y, --yes', 'do not ask')
    .option('-f, --force', 'the same as --yes')
    .option('--wait', 'after a hard deletion: follow the job that removes what is left of it')
    .option('--timeout <seconds>', 'with --wait: how long the server may be away before it is given up', seconds, 300)
    .addHelpText(
      'after',
      help(
        [
          'proplane delete --urn urn:li:structuredProperty:com.thistlequay.finance.costCentre',
          'proplane delete --urn urn:li:structuredProperty:com.thistlequay.finance.costCentre --hard --wait',
        ],
        TEXT,
      ),
    )
    .action((options: DeleteOptions) => (options.hard ? deleteHard(context, options) : deleteSoft(context, options)));
}

async function deleteSoft(context: Context, { urn }: DeleteOptions): Promise<void> {
  const client = context.client();
  const standing = await standingOf(client, urn);
  if (standing === undefined) throw new Error(`${visible(urn.urn)} does not exist: nothing was deleted`);
  const { holders, removed } = standing;
  if (!removed) await setRemoved(client, standing, true);
  if (context.json) printJson({ urn: urn.urn, deleted: removed ? 'nothing' : 'soft', holders });
  else if (removed) print(`${visible(urn.urn)} was soft deleted already`);
  else
    print(
      `Soft deleted ${visible(urn.urn)}${hidden(holders)}\n\`proplane undelete --urn '${visible(urn.urn)}'\` restores it`,
    );
}

async function deleteHard(context: Context, options: DeleteOptions): Promise<void> {
  const { urn } = options;
  const client = context.client();
  const standing = await standingOf(client, urn);
  if (standing === undefined) {
    if (context.json) printJson({ urn: urn.urn, deleted: 'nothing' });
    else print(`There was nothing at ${visible(urn.urn)}`);
    return;
  }
  const isSure = options.yes === true || options.force === true;
  if (!(await mayDelete(`${question(urn, standing)} This cannot be undone.`, isSure))) return;
  const job = await hardDelete(client, urn);
  const { holders } = standing;
  if (!context.json) print(`Hard deleted ${visible(urn.urn)}${hidden(holders)}`);
  const ended = job !== undefined && options.wait ? await follow(context, job, options.timeout) : job;
  if (context.json) printJson({ urn: urn.urn, deleted: 'hard', holders, job: ended });
  else if (ended !== undefined && ended === job)
    remark(`\`proplane jobs follow ${visible(job.id)}\` shows how far its removal is`);
  else if (ended !== undefined) print(`Removed from ${counted(ended.processed, 'entity', 'entities')}`);
}

async function follow(context: Context, job: ShownJob, timeout: number): Promise<ShownJob> {
  const progress = context.json ? noProgress : createProgress(process.stderr, 'entities', context.clock);
  const options = { clock: context.clock, progress, patience: timeout * 1000 };
  const ended = await followJob(context.client(), job, new Patience(options), options);
  requireDone(ended, `The job ${job.id}`);
  return ended;
}

function question({ urn }: ParsedUrn, { holders }: Standing): string {
  const held =
    holders === undefined
      ? ''
      : ` ${counted(holders, 'entity', 'entities')} ${holders === 1 ? 'has' : 'have'} a value of it.`;
  return `Hard delete ${urn}?${held}`;
}

function hidden(holders: number | undefined): string {
  return !holders ? '' : `: its values on ${counted(holders, 'entity', 'entities')} are hidden`;
}
