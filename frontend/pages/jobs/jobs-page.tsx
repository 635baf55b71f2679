import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ShownJob } from '../../../model/wire/job.ts';
import { holds, useMe } from '../api/me.ts';
import { useChange } from '../api/use-change.ts';
import { EntityLink } from '../catalogue/entity-link.tsx';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { ConfirmDialog } from '../parts/dialog.tsx';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Loading } from '../parts/loading.tsx';
import { Moment } from '../parts/moment.tsx';
import { Page } from '../parts/page.tsx';
import { hasEnded, isCancellable, JOB_NAMES } from './job-progress.ts';
import { JobProgressBar } from './job-progress-bar.tsx';
import { cancelJob, jobsQuery, startSystemUpdate } from './jobs-query.ts';
import { SystemUpdateOutcome } from './system-update-outcome.tsx';

const STATE_KINDS: Readonly<Record<string, 'good' | 'bad' | 'warn' | 'accent' | 'plain'>> = {
  done: 'good',
  failed: 'bad',
  cancelled: 'warn',
  waiting: 'plain',
};

/** Long work, and how far it is. */
export function JobsPage() {
  const mayManage = holds(useMe(), 'MANAGE_JOBS');
  const [cancelled, setCancelled] = useState<ShownJob>();
  const { data: jobs, error, refetch } = useQuery(jobsQuery);
  const start = useChange({
    change: startSystemUpdate,
    changes: [jobsQuery.queryKey],
    done: () => 'The system update has begun.',
  });
  const update = jobs?.find(({ kind, state }) => kind === 'system-update' && state === 'done');
  return (
    <Page
      title="Jobs"
      description="Long work: the removal of what deletions and breaking changes have hidden, and new search indexes. Jobs are shown for a day after their end."
      actions={
        <Button isDisabled={!mayManage} isPending={start.isPending} onPress={() => start.mutate()}>
          Start a system update
        </Button>
      }
    >
      <ErrorNotice error={error ?? start.error} onRetry={() => void refetch()} />
      {jobs === undefined && error === null && <Loading />}
      {jobs !== undefined && (
        <DataTable
          label="Jobs"
          columns={columnsOf(mayManage, setCancelled)}
          rows={jobs}
          keyOf={({ id }) => id}
          empty="There is no long work, and there was none in the last day."
        />
      )}
      {update !== undefined && <SystemUpdateOutcome job={update} />}
      {cancelled !== undefined && <CancelDialog job={cancelled} onClose={() => setCancelled(undefined)} />}
    </Page>
  );
}

function columnsOf(mayManage: boolean, onCancel: (job: ShownJob) => void): readonly Column<ShownJob>[] {
  return [
    { title: 'Kind', cell: ({ kind }) => JOB_NAMES[kind] ?? kind },
    { title: 'Subject', cell: ({ subject }) => <EntityLink urn={subject} /> },
    { title: 'State', cell: ({ state }) => <Badge kind={STATE_KINDS[state] ?? 'accent'}>{state}</Badge> },
    {
      title: 'Progress',
      cell: (job) => (
        <>
          <JobProgressBar job={job} />
          {job.error !== undefined && (
            <span className="field-error">
              {job.error}
              {job.attempts !== undefined && !hasEnded(job) && ` (tried ${job.attempts} times)`}
            </span>
          )}
        </>
      ),
    },
    { title: 'Begun', cell: ({ started, created }) => <Moment at={started ?? created} /> },
    { title: 'Ended', cell: ({ ended }) => (ended === undefined ? '' : <Moment at={ended} />) },
    {
      title: 'Actions',
      kind: 'actions',
      cell: (job) =>
        isCancellable(job) && (
          <Button look="quiet" isDisabled={!mayManage} onPress={() => onCancel(job)}>
            Cancel
          </Button>
        ),
    },
  ];
}

function CancelDialog({ job, onClose }: { readonly job: ShownJob; readonly onClose: () => void }) {
  const cancel = useChange({
    change: () => cancelJob(job.id),
    changes: [jobsQuery.queryKey],
    done: () => 'The system update is being cancelled.',
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      title="Cancel the system update?"
      action="Cancel the update"
      isPending={cancel.isPending}
      error={cancel.error}
      onConfirm={() => cancel.mutate()}
      onClose={onClose}
    >
      <p>What it has built is dropped, and the index stays as it was.</p>
    </ConfirmDialog>
  );
}
