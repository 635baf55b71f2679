import { Command, type OutputConfiguration } from 'commander';
import { VERSION } from '../process/version.ts';
import { auditCommand } from './commands/audit.ts';
import { completionCommand } from './commands/completion.ts';
import { datasetCommand } from './commands/dataset.ts';
import { deleteCommand } from './commands/delete.ts';
import { doctorCommand } from './commands/doctor.ts';
import { exportCommand } from './commands/export.ts';
import { groupsCommand } from './commands/groups.ts';
import { importCommand } from './commands/import.ts';
import { initCommand } from './commands/init.ts';
import { jobsCommand } from './commands/jobs.ts';
import { planCommand } from './commands/plan.ts';
import { policiesCommand } from './commands/policies.ts';
import { propertiesCommand } from './commands/properties.ts';
import { resourcesCommand } from './commands/resources.ts';
import { statusCommand } from './commands/status.ts';
import { systemUpdateCommand } from './commands/system-update.ts';
import { tokenCommand } from './commands/token.ts';
import { undeleteCommand } from './commands/undelete.ts';
import { usersCommand } from './commands/users.ts';
import { versionCommand } from './commands/version.ts';
import { whoamiCommand } from './commands/whoami.ts';
import { type Context, createContext } from './context.ts';
import { shown } from './output.ts';

/** In the order of the help. */
const COMMANDS: readonly ((context: Context) => Command)[] = [
  initCommand,
  whoamiCommand,
  tokenCommand,
  propertiesCommand,
  datasetCommand,
  deleteCommand,
  undeleteCommand,
  planCommand,
  resourcesCommand,
  statusCommand,
  jobsCommand,
  systemUpdateCommand,
  exportCommand,
  importCommand,
  policiesCommand,
  usersCommand,
  groupsCommand,
  auditCommand,
  doctorCommand,
  versionCommand,
];

const AFTER = `
Each setting is looked for by itself: as option, then in PROPLANE_HOST and PROPLANE_TOKEN (or the file that
PROPLANE_TOKEN_FILE names), then in ~/.proplane/config.yaml, which \`proplane init\` writes.

Exit codes: 0 when all is done; 1 when something was refused, is missing or went wrong, and standard error says what.
\`proplane plan\` has two more, 2 and 3; its help names them.
What was asked for goes to standard output; progress, questions and remarks go to standard error.
DEBUG=1 shows where in the code an error comes from.`;

/** Errors repeat what was typed, or pasted. */
const TO_TERMINAL: OutputConfiguration = {
  outputError: (text, write) => write(shown(text)),
};

/** The whole command line. @param output where help and errors go; the process's streams when absent. */
export function createProgram(output: OutputConfiguration = {}): Command {
  const program = new Command('proplane')
    .description('Typed, versioned metadata for data assets')
    .version(VERSION, '-V, --version', 'print the release')
    .option('--host <url>', 'address of the server, such as http://127.0.0.1:8080 or …/gms')
    .option('--token <token>', 'access token; "" sends none')
    .option('--json', 'print JSON for programs')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ ...TO_TERMINAL, ...output })
    .showHelpAfterError('(--help shows what there is)')
    .addHelpText('after', AFTER);
  const context = createContext(program);
  for (const command of COMMANDS) program.addCommand(command(context));
  completionCommand(context, program);
  inheritSettings(program);
  return program;
}

/** Commands that were made for themselves do not know what was set for all. */
function inheritSettings(parent: Command): void {
  for (const command of parent.commands) {
    command.copyInheritedSettings(parent);
    inheritSettings(command);
  }
}
