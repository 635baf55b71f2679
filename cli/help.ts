/** The end of a command's help: what else there is to know, and how it is called. */
export function help(examples: readonly string[], text = ''): string {
  const lines = examples.map((example) => `  $ ${example}`);
  return `${text === '' ? '' : `\n${text}\n`}\nExamples:\n${lines.join('\n')}`;
}
