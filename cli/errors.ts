import { isHttpError, MissingError, UnauthorizedError, UnavailableError } from '../client/http-errors.ts';
import { visible } from '../process/text.ts';
import { coloured, remark } from './output.ts';

/** What went wrong, and what to do next. Where the code broke is told only when DEBUG is set. */
export function reportError(error: unknown): void {
  process.exitCode = 1;
  // Ctrl-C at a question.
  if (error instanceof Error && error.name === 'ExitPromptError') return;
  remark(coloured('red', describeError(error), process.stderr));
  if (process.env.DEBUG && error instanceof Error) remark(String(error.stack));
}

/** An error in words for whoever has called the command; what a server says has one line. */
export function describeError(error: unknown): string {
  return isHttpError(error) ? visible(adviceOn(error)) : adviceOn(error);
}

function adviceOn(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof UnauthorizedError) return adviceOnRefusal(error);
  // Only what got no answer has a cause.
  if (error instanceof UnavailableError && error.cause !== undefined) {
    return `${sentence(error.message)} Is it running? Set another address with --host, PROPLANE_HOST or \`proplane init\`.`;
  }
  if (error instanceof MissingError && /^(?:No endpoint|GET|POST|DELETE) /u.test(error.message)) {
    return `${sentence(error.message)} Is the address that of a Proplane server? Behind a frontend it ends in /api/gms.`;
  }
  return error.message;
}

const HOW_TO_GIVE = 'with --token, PROPLANE_TOKEN or `proplane init`.';

/** No token, one that is not valid, or one whose owner may not do this: the server's message says which. */
function adviceOnRefusal({ message, anonymous }: UnauthorizedError): string {
  const said = sentence(message);
  if (anonymous) return `The server wants a token: ${said} Give one ${HOW_TO_GIVE}`;
  if (/ is not authorized\b/u.test(message)) return `${said} \`proplane whoami\` shows what you may do.`;
  return `The server does not take the token: ${said} Give another ${HOW_TO_GIVE}`;
}

function sentence(text: string): string {
  return /[.!?]$/u.test(text) ? text : `${text}.`;
}
