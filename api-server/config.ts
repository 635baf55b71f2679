import * as z from 'zod';
import { DEFAULT_NAMESPACE_WORD } from '../model/vocabulary.ts';
import { authEnabledVariable } from '../process/access-variables.ts';
import { allowedHostsVariable } from '../process/request-origin.ts';

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
  METADATA_SERVICE_AUTH_ENABLED: authEnabledVariable.refine((isEnabled) => !isEnabled, {
    error: 'access control is not built yet: only false is possible',
  }),
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
