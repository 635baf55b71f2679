import type * as z from 'zod';
import { violationsOf } from '../model/shape.ts';
import { describeViolations } from '../model/violation.ts';

/**
 * Reads a configuration from the environment; an empty variable counts as unset.
 * @throws Error naming every variable that is wrong.
 */
export function readEnvironment<S extends z.ZodType>(schema: S, environment: NodeJS.ProcessEnv): z.output<S> {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const result = schema.safeParse(given);
  if (!result.success)
    throw new Error(`The environment is not right: ${describeViolations(violationsOf(result.error))}`);
  return result.data;
}
