import { Command } from 'commander';
import { VERSION } from '../../process/version.ts';
import type { Context } from '../context.ts';
import { print, printJson } from '../output.ts';

export function versionCommand(context: Context): Command {
  return new Command('version').description('print the release').action(() => {
    if (context.json) printJson({ version: VERSION });
    else print(VERSION);
  });
}
