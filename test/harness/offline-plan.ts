import { stringify } from 'yaml';
import type { FileSet } from '../../plan/files/file-set.ts';
import { readInputs } from '../../plan/files/read-inputs.ts';
import { baseOfFiles, makePlan } from '../../plan/make-plan.ts';
import type { Plan } from '../../plan/plan-shape.ts';

/** Texts of files, or the manifests that are in them, by name. */
export type Files = Readonly<Record<string, string | readonly object[]>>;

const NOWHERE = { realPath: () => undefined, read: () => '' };

/** The plan from one set of files to another. */
export async function planBetween(before: Files, after: Files): Promise<Plan> {
  const [old, inputs] = [readInputs(fileSet(before), () => []), readInputs(fileSet(after), () => [])];
  const { base, warnings } = await baseOfFiles(old, 'directory', inputs);
  const plan = await makePlan({ base, against: 'before', source: 'directory', inputs });
  return { ...plan, warnings: [...warnings, ...plan.warnings] };
}

function fileSet(files: Files): FileSet {
  return {
    files: Object.entries(files).map(([name, content]) => ({
      path: `/manifests/${name}`,
      shown: name,
      text: typeof content === 'string' ? content : content.map((document) => stringify(document)).join('---\n'),
    })),
    unreadable: [],
    unmatched: [],
    place: NOWHERE,
  };
}
