import { Argument, Command, Option } from 'commander';
import { cancelJob, listJobs, readJob } from '../../client/jobs.ts';
import { JOB_KINDS, JOB_STATES, type ShownJob } from '../../model/wire/job.ts';
import { age } from '../../process/text.ts';
import { seconds } from '../arguments.ts';
import type { Context } from '../context.ts';
import { addDefaultCommand } from '../default-command.ts';
import { followJob, requireDone } from '../follow-job.ts';
import { help } from '../help.ts';
import { print, printJson } from '../output.ts';
import { Patience } from '../patience.ts';
import { createProgress, noProgress } from '../progress.ts';
import { type Cell, printTable } from '../table.ts';
import { yamlText } from '../write-yaml.ts';

export function jobsCommand(context: Context): Command {
  const group = new Command('jobs').description('long work: what it is, and how far');
  return addDefaultCommand(group, listCommand(context))
    .addCommand(getCommand(context))
    .addCommand(followCommand(context))
    .addCommand(cancelCommand(context));
}

function listCommand(context: Context): Command {
  return new Command('list')
    .description('list jobs, the newest first; what `jobs` alone does')
    .addOption(new Option('--kind <kind>', 'only of this kind').choices(JOB_KINDS))
    .addOption(new Option('--state <state>', 'only in this state').choices(JOB_STATES))
    .addHelpText(
      'after',
      help(
        ['proplane jobs', 'proplane jobs list --kind cascade --state running'],
        'Jobs are kept for a day after their end.\n--json prints the list as the server has it; times are milliseconds since 1970.',
      ),
    )
    .action(async (filter: { kind?: string; state?: string }) => {
      const jobs = await listJobs(context.client(), filter);
      if (context.json) printJson(jobs);
      else printTable(['ID', 'STATE', 'PROGRESS', 'AGE', 'SUBJECT'], jobs.map(row));
    });
}

function getCommand(context: Context): Command {
  return new Command('get')
    .description('print one job')
    .addArgument(jobId())
    .addHelpText('after', help(['proplane jobs get system-update', 'proplane jobs get system-update --json']))
    .action(async (id: string) => {
      const job = await readJob(context.client(), id);
      if (context.json) printJson(job);
      else print(yamlText(readable(job)).trimEnd());
    });
}

function followCommand(context: Context): Command {
  return new Command('follow')
    .description('show how far a job is until it ends')
    .addArgument(jobId())
    .option('--timeout <seconds>', 'how long the server may be away before it is given up', seconds, 300)
    .addHelpText(
      'after',
      help(
        ['proplane jobs follow system-update'],
        'A bar in a terminal, plain lines elsewhere. The exit code is 1 when the job failed or was cancelled. Ctrl-C ends the\nfollowing, not the job. --json prints the job at its end.',
      ),
    )
    .action(async (id: string, { timeout }: { timeout: number }) => {
      const progress = context.json ? noProgress : createProgress(process.stderr, 'entities', context.clock);
      const options = { clock: context.clock, progress, patience: timeout * 1000 };
      const client = context.client();
      const job = await followJob(client, await readJob(client, id), new Patience(options), options);
      if (context.json) printJson(job);
      requireDone(job, `The job ${id}`);
      if (!context.json) print(`${id} is done: ${job.processed} of ${job.total} entities`);
    });
}

function cancelCommand(context: Context): Command {
  return new Command('cancel')
    .description('cancel a system update; other kinds cannot be cancelled')
    .addArgument(jobId())
    .addHelpText('after', help(['proplane jobs cancel system-update']))
    .action(async (id: string) => {
      const job = await cancelJob(context.client(), id);
      if (context.json) printJson(job);
      else print(`${id} is ${job.state}`);
    });
}

function jobId(): Argument {
  return new Argument('<id>', 'as `proplane jobs` shows it');
}

function row(job: ShownJob): (string | Cell)[] {
  const progress = `${job.processed} of ${job.total}`;
  const text = job.error === undefined ? job.subject : `${job.subject} (${job.error})`;
  return [job.id, stateCell(job.state), progress, age(Date.now() - job.created), text];
}

function stateCell(state: string): Cell {
  if (state === 'done') return { text: state, colour: 'green' };
  return { text: state, colour: state === 'failed' ? 'red' : 'yellow' };
}

/** Times as people read them. */
function readable(job: ShownJob): object {
  const entries = Object.entries(job).map(([name, value]) => {
    return [name, ['created', 'started', 'ended'].includes(name) ? new Date(value as number).toISOString() : value];
  });
  return Object.fromEntries(entries);
}
