import { Command } from 'commander';
import type { Context } from '../context.ts';
import { print, printJson } from '../output.ts';
import { VERSION } from '../version.ts';

export function versionCommand(context: Context): Command {
  return new Command('version').description('print the release').action(() => {
    if (context.json) printJson({ version: VERSION });
    else print(VERSION);
  });
}
