import * as z from 'zod';
import { createHttpClient } from '../client/http-client.ts';
import { MissingError, RejectedError } from '../client/http-errors.ts';
import { describeError } from './errors.ts';
import type { Settings } from './settings.ts';

const TIMEOUT = 5_000;

/** Tries a server. @returns what keeps people from working with it, `undefined` when nothing does. */
export async function serverProblem(settings: Settings): Promise<string | undefined> {
  const client = createHttpClient({ ...settings, timeoutMs: TIMEOUT });
  try {
    const answer = await client.send({ method: 'GET', path: '/ready' });
    if (!z.object({ ready: z.literal(true) }).safeParse(answer).success) return noProplane(settings);
    // Whether a token is wanted, and this is one.
    const query = [['count', '0']] as const;
    await client.send({ method: 'GET', path: '/openapi/v3/entity/structuredProperty', query });
    return undefined;
  } catch (error) {
    if (error instanceof MissingError || error instanceof RejectedError) return noProplane(settings);
    return describeError(error);
  }
}

function noProplane({ host }: Settings): string {
  return `${host} answers, but not as a Proplane server does. Behind a frontend the address ends in /api/gms`;
}
