import * as z from 'zod';
import { splitGlobs } from '../process/globs.ts';
import { allowedHostsVariable } from '../process/request-origin.ts';
import { parseTokenActor } from './token-actors.ts';

const common = {
  PROPLANE_HOST: z.url().default('http://127.0.0.1:8080').describe('Address of the API server'),
  PROPLANE_TOKEN: z.string().optional().describe('Access token for it'),
  PROPLANE_TOKEN_FILE: z
    .string()
    .optional()
    .describe('Or a file with the token, read again as it changes: that of a ServiceAccount, as pods get it'),
  RESYNC_INTERVAL_S: z.coerce
    .number()
    .positive()
    .max(86_400)
    .default(600)
    .describe('Everything is looked at again this often, so that changes by hand are found'),
  CONCURRENCY: z.coerce.number().int().min(1).max(64).default(4).describe('Resources reconciled at the same time'),
  ADOPT_EXISTING: z
    .stringbool()
    .default(true)
    .describe(
      'false: what exists in the catalogue and belongs to nobody is only taken over by a resource that says so',
    ),
};

/** Where the operator of its own tells how it is. */
const listening = {
  HOST: z.string().min(1).default('127.0.0.1').describe('Address that it listens on'),
  ALLOWED_HOSTS: allowedHostsVariable,
  OPERATOR_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .default(8081)
    .describe('Port of /metrics, /health and /ready'),
};

/** The environment of the operator over a folder of manifests. */
export const directoryEnvironment = z.object({
  MANIFESTS: z
    .string({ error: 'globs of manifests are needed, such as resources/**/*.yaml' })
    .transform(splitGlobs)
    .pipe(z.array(z.string()).min(1, { error: 'globs of manifests are needed, such as resources/**/*.yaml' }))
    .describe('Globs of the directory source, comma-separated, `!` excludes; unset = the resources of a cluster'),
  ...common,
  SOURCE_NAME: z
    .string()
    .min(1)
    .default('directory')
    .describe('Names the source in owner marks; two operators on one server need two names'),
  HOLD_DELETIONS_ABOVE: z.coerce
    .number()
    .int()
    .min(0)
    .default(5)
    .describe(
      'Manifests that went while the operator was down are deleted unasked only if no more entities lose values by that',
    ),
  CONFIRM_DELETIONS: z
    .stringbool()
    .default(false)
    .describe('true: everything that is missing at the start may be deleted, however much it is'),
});

export const directoryOperatorEnvironment = directoryEnvironment.extend(listening);

const list = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** The environment of the operator over the resources of a Kubernetes cluster. */
export const kubernetesOperatorEnvironment = z
  .object({
    ...common,
    ...listening,
    SOURCE_NAME: z
      .string()
      .min(1)
      .optional()
      .describe('Names the source in owner marks; unset = the uid of the namespace kube-system'),
    WATCH_NAMESPACES: z
      .string()
      .default('')
      .transform((text) => [...new Set(list(text))])
      .describe('Namespaces whose resources it works on, comma-separated; empty = all'),
    WATCH_LABEL_SELECTOR: z
      .string()
      .default('')
      .describe('Only resources with such labels, as `team=a,tier in (gold,silver)`; needs SHARD'),
    SHARD: z
      .string()
      .regex(/^([a-z0-9]([-a-z0-9]*[a-z0-9])?)?$/u, { error: 'must be lower-case letters, digits and -' })
      .max(63)
      .default('')
      .describe('Name of the share of the resources that the selector means; each has a leader of its own'),
    WATCH_IDLE_S: z.coerce
      .number()
      .positive()
      .max(300)
      .default(90)
      .describe('A watch that is silent for so long is opened again; bookmarks come about once a minute'),
    ACCESS_TOKEN_ACTORS: z
      .string()
      .default('')
      .transform(list)
      .pipe(
        z.array(
          z.string().transform((text, context) => {
            const actor = parseTokenActor(text);
            if (actor === undefined)
              context.addIssue({ code: 'custom', message: `${text} is not NAMESPACE/USER, where * is any text` });
            return actor ?? z.NEVER;
          }),
        ),
      )
      .describe(
        "Users whom AccessTokens of a namespace may act as, as NAMESPACE/USER with * for any text, comma-separated; the namespace's own ServiceAccounts always",
      ),
    LEASE_NAMESPACE: z
      .string()
      .min(1)
      .optional()
      .describe(
        "Namespace of the Lease by which operators elect their leader; unset = the pod's own, that of the context, or the first of WATCH_NAMESPACES by the alphabet",
      ),
    LEASE_NAME: z.string().min(1).default('proplane-operator').describe('Name of the Lease; -SHARD is appended'),
    LEASE_DURATION_S: z.coerce
      .number()
      .positive()
      .max(3600)
      .default(15)
      .describe('Others wait so long for a leader that is silent'),
    LEASE_RENEW_DEADLINE_S: z.coerce
      .number()
      .positive()
      .max(3600)
      .default(10)
      .describe('A leader that could not renew for so long stops'),
    LEASE_RETRY_S: z.coerce.number().positive().max(600).default(2).describe('Between two attempts to get or renew it'),
  })
  .superRefine((env, context) => {
    const refuse = (path: string, message: string): void => context.addIssue({ code: 'custom', path: [path], message });
    if ((env.WATCH_LABEL_SELECTOR === '') !== (env.SHARD === ''))
      refuse('SHARD', 'WATCH_LABEL_SELECTOR and SHARD go together: two shards with one name would take turns');
    if (env.LEASE_RENEW_DEADLINE_S >= env.LEASE_DURATION_S)
      refuse('LEASE_RENEW_DEADLINE_S', 'must be less than LEASE_DURATION_S, or two operators may lead at once');
    if (env.LEASE_RETRY_S >= env.LEASE_RENEW_DEADLINE_S)
      refuse('LEASE_RETRY_S', 'must be less than LEASE_RENEW_DEADLINE_S, or one lost answer ends the term');
  });
