import { pino } from 'pino';
import { frontendEnvironment } from '../../frontend/config.ts';
import { type RunningFrontend, startFrontend } from '../../frontend/server.ts';
import type { Clock } from '../../process/clock.ts';
import { readEnvironment } from '../../process/read-environment.ts';
import { TestClock } from './test-clock.ts';

export const SYSTEM_SECRET = 'a-secret-of-our-own-parts';

/** With authentication on. */
export const WITH_LOG_IN = { METADATA_SERVICE_AUTH_ENABLED: 'true', DATAHUB_SYSTEM_CLIENT_SECRET: SYSTEM_SECRET };

/** The frontend on a free port, by an environment of its own. */
export async function startTestFrontend(
  environment: Readonly<Record<string, string>>,
  { clock = new TestClock(), pages = '/nowhere' }: { readonly clock?: Clock; readonly pages?: string } = {},
): Promise<RunningFrontend> {
  const config = readEnvironment(frontendEnvironment, { FRONTEND_PORT: '0', ...environment });
  return startFrontend(config, pino({ level: 'silent' }), clock, pages);
}
