/**
 * Figures for whoever runs the server: how much there is of something, of nobody's data. They need nothing, because
 * probes and collectors of metrics ask without credentials.
 */
export { countHeldDeletions } from '../catalog/resources/held-deletions.ts';
export { listJobs as jobsToCount, openJobs as openJobsToCount } from '../jobs/job.ts';
