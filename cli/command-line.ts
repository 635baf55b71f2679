import { reportError } from './errors.ts';
import { endWithTheReader } from './output.ts';
import { createProgram } from './program.ts';

/** Runs the command that the arguments of this process name, and sets its exit code. */
export async function runCommandLine(): Promise<void> {
  endWithTheReader();
  process.on('uncaughtException', (error) => {
    reportError(error);
    process.exit();
  });
  try {
    await createProgram().parseAsync();
  } catch (error) {
    reportError(error);
  }
}
