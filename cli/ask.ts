import { visible } from '../process/text.ts';
import { remark } from './output.ts';

/** Whether somebody sits at the terminal. Questions are on standard error, so that the output can be piped. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Whether somebody sits at the terminal, but would not see a question. */
export function asksUnseen(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY !== true;
}

const context = { output: process.stderr };

// The prompts are loaded only when there is a question: most commands have none.

export async function askText(message: string, fallback: string): Promise<string> {
  const { input } = await import('@inquirer/prompts');
  return input({ message, default: visible(fallback) }, context);
}

/** What is typed is shown as stars. */
export async function askSecret(message: string): Promise<string> {
  const { password } = await import('@inquirer/prompts');
  return password({ message, mask: '*' }, context);
}

/** Yes or no; no when nothing is typed. */
export async function askWhether(message: string): Promise<boolean> {
  const { confirm } = await import('@inquirer/prompts');
  return confirm({ message: visible(message), default: false }, context);
}

/** @returns whether to go on; says that nothing was done otherwise, and sets the exit code. */
export async function confirmed(question: string): Promise<boolean> {
  if (await askWhether(question)) return true;
  remark('Nothing was done');
  process.exitCode = 1;
  return false;
}

/**
 * Whether to delete what cannot be had back: a terminal is asked, unless `yes`; where nobody can be asked it happens.
 * @throws Error in a terminal that would not show the question.
 */
export async function mayDelete(question: string, yes = false): Promise<boolean> {
  if (!yes && asksUnseen()) {
    throw new Error(
      'Nothing was deleted: the question would not be seen, since standard error is no terminal. Add --yes to delete',
    );
  }
  return yes || !canAsk() || confirmed(question);
}
