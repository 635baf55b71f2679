import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_POLICIES } from '../../model/access/default-policies.ts';
import type { Policy } from '../../model/access/policy.ts';
import { readPolicyTexts } from '../../model/access/policy-file.ts';
import { FileError } from '../../process/file-error.ts';
import { compileGlobs } from '../../process/globs.ts';
import { readText } from '../../process/read-yaml.ts';

/**
 * The policies of files.
 * @param globs as `MANIFESTS` has them.
 * @throws FileError naming every violated rule with file, line and column; or that there is no such file.
 */
export function readPolicyFiles(globs: readonly string[], cwd: string): Policy[] {
  if (globs.length === 0) return [];
  const files = findFiles(globs, cwd);
  if (files.length === 0) throw new FileError(`POLICIES: there is no file ${globs.join(', ')}`);
  const { policies, mistakes } = readPolicyTexts(files.map((name) => ({ name, text: readText(name) })));
  const fixed = policies
    .filter(({ policy }) => DEFAULT_POLICIES.some(({ id, editable }) => id === policy.id && !editable))
    .map(({ policy, place }) => `${place}: the policy ${policy.id} cannot be replaced`);
  if (mistakes.length + fixed.length > 0) throw new FileError([...mistakes, ...fixed].join('\n'));
  return policies.map(({ policy }) => policy);
}

function findFiles(globs: readonly string[], cwd: string): string[] {
  const { roots, includes } = compileGlobs(globs, cwd);
  const found = roots.flatMap((root) => {
    try {
      const entries = readdirSync(root, { recursive: true, withFileTypes: true });
      return entries.filter((entry) => !entry.isDirectory()).map(({ parentPath, name }) => join(parentPath, name));
    } catch (error) {
      throw new FileError(`POLICIES: ${error instanceof Error ? error.message : String(error)}`);
    }
  });
  return [...new Set(found.filter(includes))].sort();
}
