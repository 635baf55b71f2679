import { reportError } from './errors.ts';
import { endWithTheReader } from './output.ts';
import { createProgram } from './program.ts';

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
