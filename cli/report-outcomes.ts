import { visible } from '../process/text.ts';
import type { Context } from './context.ts';
import { print, printJsonArray, remark, workOn } from './output.ts';
import type { Outcome } from './upsert.ts';

/** A line for each thing that was sent, when it was; the exit code is 1 when one was refused. */
export async function reportOutcomes(
  context: Context,
  outcomes: AsyncIterable<Outcome>,
  success: (urn: string) => string,
): Promise<void> {
  workOn();
  if (context.json) return printJsonArray(noted(outcomes));
  for await (const { urn, error } of noted(outcomes)) {
    if (error === undefined) print(visible(success(urn)));
    else remark(visible(`Update failed for ${urn}: ${error}`));
  }
}

async function* noted(outcomes: AsyncIterable<Outcome>): AsyncGenerator<Outcome> {
  for await (const outcome of outcomes) {
    if (outcome.error !== undefined) process.exitCode = 1;
    yield outcome;
  }
}
