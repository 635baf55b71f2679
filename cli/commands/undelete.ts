import { Command } from 'commander';
import type { ParsedUrn } from '../../model/urn.ts';
import { visible } from '../../process/text.ts';
import { urn as urnArgument } from '../arguments.ts';
import type { Context } from '../context.ts';
import { help } from '../help.ts';
import { print, printJson } from '../output.ts';
import { setRemoved, standingOf } from '../removal.ts';

export function undeleteCommand(context: Context): Command {
  return new Command('undelete')
    .alias('restore')
    .description('restore what was soft deleted, with all that it had')
    .requiredOption('--urn <urn>', 'URN of what to restore', urnArgument)
    .addHelpText(
      'after',
      help(
        ['proplane undelete --urn urn:li:structuredProperty:com.thistlequay.finance.costCentre'],
        '--json prints {urn, restored}.',
      ),
    )
    .action(async ({ urn }: { urn: ParsedUrn }) => {
      const client = context.client();
      const standing = await standingOf(client, urn);
      if (standing === undefined)
        throw new Error(`${visible(urn.urn)} does not exist: what was hard deleted cannot be restored`);
      const { removed } = standing;
      if (removed) await setRemoved(client, standing, false);
      if (context.json) printJson({ urn: urn.urn, restored: removed });
      else print(visible(removed ? `Restored ${urn.urn}` : `${urn.urn} was not soft deleted`));
    });
}
