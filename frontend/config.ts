import { isIP } from 'node:net';
import * as z from 'zod';
import {
  authEnabledVariable,
  systemClientIdVariable,
  systemClientSecretVariable,
} from '../process/access-variables.ts';
import { allowedHostsVariable } from '../process/request-origin.ts';

const RANGE = /^(?<address>[^/]+)(?:\/(?<bits>\d{1,3}))?$/u;

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
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .superRefine((parts, context) => {
      for (const part of parts)
        if (!isRange(part)) context.addIssue({ code: 'custom', message: `${part} is no address and no range` });
    })
    .describe(
      'Addresses or ranges (`10.0.0.0/8`), comma-separated, of proxies before the frontend, whose X-Forwarded-For and X-Forwarded-Proto are believed',
    ),
  METADATA_SERVICE_AUTH_ENABLED: authEnabledVariable,
  DATAHUB_SYSTEM_CLIENT_ID: systemClientIdVariable,
  DATAHUB_SYSTEM_CLIENT_SECRET: systemClientSecretVariable,
  AUTH_OIDC_ENABLED: z.stringbool().default(false).describe('true: people can log in at an OpenID provider'),
  AUTH_OIDC_CLIENT_ID: z.string().optional().describe('By which the provider knows Proplane'),
  AUTH_OIDC_CLIENT_SECRET: z.string().trim().optional().describe('The secret that goes with it'),
  AUTH_OIDC_DISCOVERY_URI: z
    .url()
    .optional()
    .describe('Address of the provider, or of its `/.well-known/openid-configuration`'),
  AUTH_OIDC_BASE_URL: z
    .url()
    .optional()
    .describe('Address of the frontend as browsers have it; the provider leads back to `/callback/oidc` below it'),
  AUTH_OIDC_SCOPE: z
    .string()
    .refine((text) => text.split(' ').includes('openid'), { error: 'openid is missing' })
    .default('openid profile email')
    .describe('What the provider is asked for, separated by spaces'),
  AUTH_OIDC_USER_NAME_CLAIM: z.string().default('email').describe('The claim that is the name of the user'),
  AUTH_OIDC_GROUPS_CLAIM: z.string().default('groups').describe('The claim that has the names of their groups'),
  AUTH_OIDC_EXTRACT_GROUPS_ENABLED: z
    .stringbool()
    .default(false)
    .describe('true: at each login a user becomes a member of the groups of that claim'),
});

export type FrontendConfig = z.output<typeof frontendEnvironment>;

function isRange(part: string): boolean {
  const { address = '', bits } = RANGE.exec(part)?.groups ?? {};
  return isIP(address) !== 0 && Number(bits ?? 0) <= (isIP(address) === 4 ? 32 : 128);
}
