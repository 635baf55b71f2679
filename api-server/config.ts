import * as z from 'zod';
import { DEFAULT_NAMESPACE_WORD } from '../model/vocabulary.ts';
import { usernameSchema } from '../model/wire/access.ts';
import {
  authEnabledVariable,
  systemClientIdVariable,
  systemClientSecretVariable,
} from '../process/access-variables.ts';
import { splitGlobs } from '../process/globs.ts';
import { allowedHostsVariable } from '../process/request-origin.ts';

/** In characters: HS256 asks for as many bytes as its signatures have (RFC 7518, 3.2). */
export const SHORTEST_KEY = 32;

const signingKey = z
  .string()
  .trim()
  .min(SHORTEST_KEY, `at least ${SHORTEST_KEY} characters`)
  .regex(/^[^\s,]*$/u, 'no spaces and commas');

const port = z.coerce.number().int().min(0).max(65535);

/** The environment of the API server. */
export const apiServerEnvironment = z.object({
  HOST: z.string().default('127.0.0.1').describe('Address to listen on'),
  ALLOWED_HOSTS: allowedHostsVariable,
  API_PORT: port.default(8080).describe('Port of the API server; 0 = a free one'),
  DATA_DIR: z.string().default('./data').describe('Folder of the embedded store'),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('What is logged; debug has a line for each read'),
  ENTITY_TYPES_CHECK: z
    .enum(['enforce', 'warn'])
    .default('enforce')
    .describe("What a value on an entity type outside the definition's entityTypes gets"),
  NAMESPACE_WORD: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9_-]*$/u)
    .default(DEFAULT_NAMESPACE_WORD)
    .describe('The word <ns> in data type and entity type URNs; not to be changed once there are definitions'),
  REQUEST_TIMEOUT_S: z.coerce
    .number()
    .min(1)
    .max(600)
    .default(30)
    .describe('Longest time from the start of a request to its last write'),
  METADATA_SERVICE_AUTH_ENABLED: authEnabledVariable,
  DATAHUB_TOKEN_SERVICE_SIGNING_KEY: signingKey
    .optional()
    .describe(
      `What access tokens and sessions are signed with, at least ${SHORTEST_KEY} characters; when unset it is kept in ` +
        '`DATA_DIR/signing-key`. Needed with MONGODB_URI, the same for every replica',
    ),
  DATAHUB_TOKEN_SERVICE_PREVIOUS_KEYS: z
    .string()
    .default('')
    .transform((list) => list.split(',').filter((key) => key !== ''))
    .pipe(z.array(signingKey))
    .describe('Keys of before, comma-separated: what was signed with them stays good'),
  DATAHUB_SYSTEM_CLIENT_ID: systemClientIdVariable,
  DATAHUB_SYSTEM_CLIENT_SECRET: systemClientSecretVariable,
  POLICIES: z
    .string()
    .default('')
    .transform(splitGlobs)
    .describe('Globs of YAML files with policies, comma-separated, `!` excludes; read at start'),
  ADMIN_USER: usernameSchema.default('datahub').describe('Name of the first administrator'),
  ADMIN_PASSWORD: z
    .string()
    .trim()
    .optional()
    .describe('Of the first administrator; when unset one is made, told once, and kept in `DATA_DIR/admin-password`'),
  SESSION_TOKEN_DURATION_MS: z.coerce
    .number()
    .int()
    .min(1_000)
    .max(365 * 24 * 3_600_000)
    .default(24 * 3_600_000)
    .describe('How long somebody who has logged in stays so, in ms'),
  TOKEN_REVIEW_AUDIENCE: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Set: tokens of Kubernetes ServiceAccounts that are made for this audience are accepted, as the cluster of the pod, or of KUBECONFIG, says',
    ),
  MONGODB_URI: z
    .string()
    .optional()
    .describe('Address of MongoDB, with the database (`proplane` when it names none); goes with the next two'),
  TYPESENSE_URL: z.url().optional().describe('Address of Typesense'),
  TYPESENSE_API_KEY: z.string().optional().describe('Key for it that may do everything'),
  TYPESENSE_PREFIX: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]*$/u, 'letters, digits and hyphens')
    .default('proplane')
    .describe('Begins the names of its collections, so that installations can share a Typesense'),
});

export type ApiServerConfig = z.output<typeof apiServerEnvironment>;
