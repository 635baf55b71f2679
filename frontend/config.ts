import * as z from 'zod';
import { allowedHostsVariable } from '../process/request-origin.ts';

/** The environment of the frontend. */
export const frontendEnvironment = z.object({
  HOST: z.string().default('127.0.0.1').describe('Address to listen on'),
  ALLOWED_HOSTS: allowedHostsVariable,
  FRONTEND_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65535)
    .default(9002)
    .describe('Port of the frontend; 0 = a free one'),
  PROPLANE_HOST: z.url().default('http://127.0.0.1:8080').describe('Address of the API server'),
});

export type FrontendConfig = z.output<typeof frontendEnvironment>;
