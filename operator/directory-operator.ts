import type { Logger } from 'pino';
import { createHttpClient } from '../client/http-client.ts';
import { createHttpHeldDeletions } from './catalogue/held-deletions.ts';
import { createHttpResourceRecords } from './catalogue/resource-records.ts';
import type { OperatorMetrics } from './metrics/operator-metrics.ts';
import { createOperator, type Operator } from './operator.ts';
import type { Patience } from './source/directory/deletion-guard.ts';
import { DirectorySource } from './source/directory/directory-source.ts';

export interface DirectoryOperatorOptions {
  /** Address of the API server. */
  readonly host: string;
  readonly token?: string;
  /** Globs of manifests; `!` excludes. */
  readonly manifests: readonly string[];
  /** Names the source in owner marks; two operators on one server need two names. */
  readonly sourceName?: string;
  readonly concurrency?: number;
  readonly resyncSeconds?: number;
  readonly adoptsUnowned?: boolean;
  readonly confirmDeletions?: boolean;
  readonly workingFolder?: string;
  /** How long what takes something away has to stay as it is. */
  readonly patience?: Patience;
  readonly metrics?: OperatorMetrics;
  readonly log: Logger;
}

/** An operator over a folder of manifests. */
export function createDirectoryOperator(options: DirectoryOperatorOptions): Operator {
  const {
    host,
    token,
    manifests,
    sourceName = 'directory',
    confirmDeletions = false,
    workingFolder,
    patience,
    metrics,
  } = options;
  const http = createHttpClient({
    host,
    ...(token === undefined ? {} : { token }),
    ...(metrics === undefined ? {} : { observer: metrics.apiRequest }),
  });
  const source = new DirectorySource({
    name: sourceName,
    manifests,
    records: createHttpResourceRecords(http, sourceName),
    heldDeletions: createHttpHeldDeletions(http, sourceName),
    confirmDeletions,
    ...(workingFolder === undefined ? {} : { workingFolder }),
    ...(patience === undefined ? {} : { patience }),
  });
  return createOperator({
    http,
    source,
    log: options.log,
    ...(metrics === undefined ? {} : { metrics }),
    ...(options.concurrency === undefined ? {} : { concurrency: options.concurrency }),
    ...(options.adoptsUnowned === undefined ? {} : { adoptsUnowned: options.adoptsUnowned }),
    ...(options.resyncSeconds === undefined ? {} : { resyncSeconds: options.resyncSeconds }),
  });
}
