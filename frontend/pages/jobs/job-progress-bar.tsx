import { useId } from 'react';
import type { ShownJob } from '../../../model/wire/job.ts';
import { hasEnded, JOB_NAMES, progressOf } from './job-progress.ts';
import './job-progress-bar.css';

/** How far a job is, by the browser's own control; without a part it moves to and fro. */
export function JobProgressBar({ job }: { readonly job: ShownJob }) {
  const { part, text } = progressOf(job);
  const id = useId();
  return (
    <div className="job-progress">
      {(!hasEnded(job) || part !== 1) && (
        <progress
          aria-label={`Progress of: ${JOB_NAMES[job.kind] ?? job.kind}`}
          aria-describedby={id}
          max={1}
          {...(part === undefined ? {} : { value: part })}
        />
      )}
      <span id={id} className="quiet">
        {text}
      </span>
    </div>
  );
}
