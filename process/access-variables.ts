import * as z from 'zod';

/** Variables of an environment that the API server and what stands before it have to agree on. */

export const authEnabledVariable = z
  .stringbool()
  .default(false)
  .describe('true: everybody has to say who they are; the same for the API server and the frontend');

/** What can stand in a header; a secret that comes from a file often ends with a line end. */
const visible = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]+$/u, 'visible characters of ASCII only');

export const systemClientIdVariable = visible
  .regex(/^[^:]+$/u, 'no colon')
  .default('__datahub_system')
  .describe('By this name our own parts speak to the API server');

export const systemClientSecretVariable = visible
  .min(16, 'at least 16 characters')
  .optional()
  .describe('And by this secret, the same for the API server and the frontend; whoever has it may do everything');
