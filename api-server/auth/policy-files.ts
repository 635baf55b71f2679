import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_POLICIES } from '../../model/access/default-policies.ts';
import { type Policy, policySchema } from '../../model/access/policy.ts';
import { type Checked, checkShape } from '../../model/shape.ts';
import { type Violation, violation } from '../../model/violation.ts';
import { FileError } from '../../process/file-error.ts';
import { compileGlobs } from '../../process/globs.ts';
import { checkedFile, readYamlStream, type YamlFile } from '../../process/read-yaml.ts';

/**
 * The policies of files: each document is one, or a list of them.
 * @param globs as `MANIFESTS` has them.
 * @throws FileError naming every violated rule with file, line and column; or that there is no such file.
 */
export function readPolicyFiles(globs: readonly string[], cwd: string): Policy[] {
  if (globs.length === 0) return [];
  const files = findFiles(globs, cwd);
  if (files.length === 0) throw new FileError(`POLICIES: there is no file ${globs.join(', ')}`);
  const problems: string[] = [];
  const places = new Map<string, string>();
  const policies = files.flatMap((file) => {
    try {
      return readYamlStream(file).flatMap((document) => readDocument(document, places, problems));
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      problems.push(error.message);
      return [];
    }
  });
  if (problems.length > 0) throw new FileError(problems.join('\n'));
  return policies;
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

/** @param places where the ids were met; @param problems gets what is wrong. */
function readDocument(document: YamlFile, places: Map<string, string>, problems: string[]): Policy[] {
  const isList = Array.isArray(document.value);
  const values: readonly unknown[] = Array.isArray(document.value) ? document.value : [document.value];
  return values.flatMap((value, index) => {
    const path = isList ? `[${index}]` : '';
    const checked = checkShape(policySchema, value);
    try {
      const policy = checkedFile(document, below(path, checked));
      const place = document.placeOf(path === '' ? 'id' : `${path}.id`);
      checkedFile(document, checkId(policy, path, places.get(policy.id)));
      places.set(policy.id, place);
      return [policy];
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      problems.push(error.message);
      return [];
    }
  });
}

function below<T>(path: string, checked: Checked<T>): Checked<T> {
  if (checked.ok || path === '') return checked;
  const moved = (found: Violation) => ({ ...found, path: found.path === '' ? path : `${path}.${found.path}` });
  return { ok: false, violations: checked.violations.map(moved) };
}

/** @param before where another one has the id. */
function checkId({ id }: Policy, path: string, before: string | undefined): Checked<true> {
  const at = path === '' ? 'id' : `${path}.id`;
  const isFixed = DEFAULT_POLICIES.some((policy) => policy.id === id && !policy.editable);
  if (isFixed) return { ok: false, violations: [violation('not-editable', at, `the policy ${id} cannot be replaced`)] };
  if (before === undefined) return { ok: true, value: true };
  return { ok: false, violations: [violation('duplicate', at, `${before} has a policy ${id}, too`)] };
}
