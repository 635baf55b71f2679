import { Command } from 'commander';
import type { Diagnosis } from '../../api-server/doctor/doctor.ts';
import { counted } from '../../process/text.ts';
import type { Context } from '../context.ts';
import { print, printJson, remark } from '../output.ts';

const AFTER = `
It needs the folder of a process that was stopped, and speaks to no server. MongoDB and Typesense check what they keep
themselves.

Exit codes: 0 when all is whole, or was made whole; 1 when something is damaged.

Examples:
  proplane doctor --data-dir ./data
  proplane doctor --data-dir ./data --rebuild`;

interface Options {
  readonly dataDir: string;
  readonly rebuild?: boolean;
  readonly leaveOutDamaged?: boolean;
}

export function doctorCommand(context: Context): Command {
  return new Command('doctor')
    .description('say what is damaged in the data folder of a stopped process, and how to restore it')
    .option('--data-dir <folder>', 'folder of the embedded store', process.env.DATA_DIR || './data')
    .option('--rebuild', 'make a new file of what is whole; the next start fills the search index. The old one is kept')
    .option('--leave-out-damaged', 'with --rebuild: also when documents or records are lost by that')
    .addHelpText('after', AFTER)
    .action((options: Options) => (options.rebuild ? rebuildFolder(context, options) : examine(context, options)));
}

async function examine(context: Context, { dataDir }: Options): Promise<void> {
  // Only this command looks at files of the server, so only it loads what can read them.
  const { diagnose, isStoreWhole, isWhole } = await import('../../api-server/doctor/doctor.ts');
  const diagnosis = await diagnose(dataDir);
  const whole = isWhole(diagnosis);
  if (!whole) process.exitCode = 1;
  if (context.json) return printJson({ whole, ...diagnosis });
  for (const line of findings(diagnosis)) print(line);
  print(whole ? 'All is whole.' : advice(dataDir, isStoreWhole(diagnosis)));
}

async function rebuildFolder(context: Context, { dataDir, leaveOutDamaged = false }: Options): Promise<void> {
  const { rebuild } = await import('../../api-server/doctor/doctor.ts');
  const rebuilt = await rebuild(dataDir, leaveOutDamaged);
  if (rebuilt === undefined) {
    throw new Error(
      `Documents or records of the store are damaged, and a new file would lack them. \`proplane doctor --data-dir ${dataDir}\` names them. Restore a backup, or add --leave-out-damaged to go on without them`,
    );
  }
  if (context.json) return printJson(rebuilt);
  for (const { about, reason } of rebuilt.leftOut) print(`left out: ${about}: ${reason}`);
  print(`A new file has ${counted(rebuilt.documents, 'document')} and ${counted(rebuilt.records, 'record')}.`);
  remark(`The old one is ${rebuilt.old}. The next start fills the search index.`);
}

function findings({ file, documents, records, withoutChecksum, store, index, damaged, ...rest }: Diagnosis): string[] {
  const { damagedCount, differences } = rest;
  const lines = [`${file}: ${counted(documents, 'document')}, ${counted(records, 'record')}`];
  if (withoutChecksum > 0) lines.push(`  ${withoutChecksum} written by a release without checksums`);
  for (const fault of store) lines.push(`damaged file, at the store: ${fault}`);
  for (const fault of index) lines.push(`damaged file, at the search index: ${fault}`);
  for (const { about, reason } of damaged) lines.push(`damaged: ${about}: ${reason}`);
  if (damagedCount > damaged.length) lines.push(`damaged: ${damagedCount - damaged.length} more`);
  if (differences !== undefined && differences.missing + differences.strangers > 0) {
    const { missing, strangers } = differences;
    lines.push(`the search index lacks ${missing} and has ${strangers} too many; the next start mends that`);
  }
  return lines;
}

function advice(folder: string, isStoreWhole: boolean): string {
  if (isStoreWhole) {
    return `Only the search index is damaged, and it is made of the store: \`proplane doctor --data-dir ${folder} --rebuild\` loses nothing.`;
  }
  return `To restore, in this order:
  a backup: put its proplane.db into ${folder} (and remove proplane.db-wal and proplane.db-shm) while the process is stopped
  an export: start on an empty folder, then \`proplane import\`
  neither: \`proplane doctor --data-dir ${folder} --rebuild --leave-out-damaged\` goes on without what is damaged; write it again then`;
}
