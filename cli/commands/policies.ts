import { Command } from 'commander';
import { deletePolicy, listPolicies, readPrivileges } from '../../client/access.ts';
import type { Policy } from '../../model/access/policy.ts';
import { policyEntry } from '../../model/access/policy-file.ts';
import type { ShownPolicy } from '../../model/wire/access.ts';
import { listed, visible } from '../../process/text.ts';
import { applyPolicies, type PolicyOutcome } from '../apply-policies.ts';
import { mayDelete } from '../ask.ts';
import type { Context } from '../context.ts';
import { help } from '../help.ts';
import { print, printJson, printJsonArray, remark, workOn } from '../output.ts';
import { type Cell, printTable } from '../table.ts';
import { yamlText } from '../write-yaml.ts';

export function policiesCommand(context: Context): Command {
  return new Command('policies')
    .description('who may do what')
    .addCommand(listCommand(context))
    .addCommand(getCommand(context))
    .addCommand(applyCommand(context))
    .addCommand(deleteCommand(context))
    .addCommand(privilegesCommand(context));
}

function listCommand(context: Context): Command {
  return new Command('list')
    .description('list all policies')
    .addHelpText(
      'after',
      help(
        ['proplane policies list', "proplane policies list --json | jq -r '.[] | select(.editable) | .id'"],
        '--json prints the list as the server has it.',
      ),
    )
    .action(async () => {
      const policies = await listPolicies(context.client());
      if (context.json) return printJson(policies);
      printTable(['ID', 'TYPE', 'STATE', 'FROM', 'FOR', 'PRIVILEGES'], policies.map(row));
    });
}

function getCommand(context: Context): Command {
  return new Command('get')
    .description('print policies as `policies apply` reads them')
    .argument('<id...>', 'as `proplane policies list` shows them')
    .addHelpText('after', help(['proplane policies get asset-owners > policies.yaml']))
    .action(async (ids: string[]) => {
      const policies = await policiesOf(context, ids);
      if (context.json) printJson(policies);
      else print(yamlText(policies.map(entryOf)).trimEnd());
    });
}

const APPLY_TEXT = `A file has a policy or a list of them, in one or several documents; a folder means every .yaml, .yml and .json below it,
and - standard input. All is checked before anything is written; every violated rule is told with file and line. A policy
that is there with the same id is replaced as a whole; those that no file names stay. A policy that the server refuses
does not keep the others from being written; the exit code is 1 then.
--json prints a list of {id, outcome: "made", "changed", "unchanged" or "refused", error?, violations?}.`;

function applyCommand(context: Context): Command {
  return new Command('apply')
    .description('make and change policies as files say')
    .requiredOption('-f, --file <path...>', 'YAML files, folders, or - for standard input')
    .option('--dry-run', 'write nothing, and print what would be done')
    .addHelpText(
      'after',
      help(['proplane policies apply -f policies.yaml --dry-run', 'proplane policies apply -f policies/'], APPLY_TEXT),
    )
    .action(async ({ file, dryRun = false }: { file: string[]; dryRun?: boolean }) => {
      workOn();
      const outcomes = noted(applyPolicies(context.client(), file, { dryRun }));
      if (context.json) return printJsonArray(outcomes);
      for await (const outcome of outcomes) tell(outcome, dryRun);
    });
}

function deleteCommand(context: Context): Command {
  return new Command('delete')
    .description('delete policies')
    .argument('<id...>', 'as `proplane policies list` shows them')
    .option('-y, --yes', 'do not ask')
    .addHelpText(
      'after',
      help(['proplane policies delete finance-editors'], 'A terminal is asked first. --json prints a list of the ids.'),
    )
    .action(async (ids: string[], { yes }: { yes?: boolean }) => {
      await policiesOf(context, ids);
      if (!(await mayDelete(`Delete ${ids.join(', ')}? Whom they are for may do less then.`, yes))) return;
      for (const id of ids) {
        await deletePolicy(context.client(), id);
        if (!context.json) print(visible(`Deleted the policy ${id}`));
      }
      if (context.json) printJson(ids);
    });
}

function privilegesCommand(context: Context): Command {
  return new Command('privileges')
    .description('list what policies can grant')
    .addHelpText(
      'after',
      help(['proplane policies privileges'], '--json prints {privileges, roles} as the server has it.'),
    )
    .action(async () => {
      const known = await readPrivileges(context.client());
      if (context.json) return printJson(known);
      const rows = known.privileges.map(({ name, type, label, description }) => [name, type, label, description]);
      printTable(['NAME', 'TYPE', 'LABEL', 'DESCRIPTION'], rows);
    });
}

/** @throws Error naming those that there are not. */
async function policiesOf(context: Context, ids: readonly string[]): Promise<ShownPolicy[]> {
  const policies = await listPolicies(context.client());
  const missing = ids.filter((id) => !policies.some((policy) => policy.id === id));
  if (missing.length > 0) throw new Error(`There is no policy ${visible(missing.join(', '))}`);
  return policies.filter(({ id }) => ids.includes(id));
}

/** A newer server may have privileges that are not known here: they are printed like the others. */
function entryOf({ origin: _origin, editable: _editable, ...policy }: ShownPolicy): object {
  return policyEntry(policy as Policy);
}

function row({ id, type, state, origin, actors, privileges }: ShownPolicy): (string | Cell)[] {
  const { users, groups, roles, allUsers, resourceOwners } = actors;
  const names = [...(allUsers ? ['all users'] : []), ...(resourceOwners ? ['owners'] : []), ...roles];
  const whom = [...names, ...[...users, ...groups].map((urn) => urn.replace(/^urn:li:\w+:/u, ''))];
  const stateCell = { text: state.toLowerCase(), colour: state === 'ACTIVE' ? 'green' : 'yellow' } as const;
  return [id, type, stateCell, origin, listed(whom, 3), privileges.join(', ')];
}

async function* noted(outcomes: AsyncIterable<PolicyOutcome>): AsyncGenerator<PolicyOutcome> {
  for await (const outcome of outcomes) {
    if (outcome.outcome === 'refused') process.exitCode = 1;
    yield outcome;
  }
}

const WOULD = { made: 'Would make', changed: 'Would change' } as const;
const DID = { made: 'Made', changed: 'Changed' } as const;

function tell({ id, outcome, error }: PolicyOutcome, dryRun: boolean): void {
  if (outcome === 'refused') remark(visible(`The policy ${id} was refused: ${error}`));
  else if (outcome === 'unchanged') print(visible(`The policy ${id} is as it should be`));
  else print(visible(`${(dryRun ? WOULD : DID)[outcome]} the policy ${id}`));
}
