import { checkShape } from '../shape.ts';
import { pointedAt } from '../violation.ts';
import { readYamlDocuments, type YamlDocument } from '../yaml.ts';
import { type Policy, policySchema } from './policy.ts';

/** Policies as people write them: YAML files, of one or several documents, each a policy or a list of them. */

export interface PolicyText {
  /** As messages call it. */
  readonly name: string;
  readonly text: string;
}

export interface WrittenPolicy {
  readonly policy: Policy;
  /** Of its id: `file:line:column`. */
  readonly place: string;
}

export interface ReadPolicies {
  readonly policies: readonly WrittenPolicy[];
  /** Each violated rule with its place; then `policies` are not all that there are. */
  readonly mistakes: readonly string[];
}

/** Reads all that files say. Two policies with one id are a mistake, wherever they stand. */
export function readPolicyTexts(files: readonly PolicyText[]): ReadPolicies {
  const mistakes: string[] = [];
  const policies = new Map<string, WrittenPolicy>();
  for (const { name, text } of files) {
    for (const document of readYamlDocuments(text)) {
      for (const written of readDocument(name, document, mistakes)) {
        const other = policies.get(written.policy.id);
        if (other === undefined) policies.set(written.policy.id, written);
        else mistakes.push(`${written.place}: ${other.place} has a policy ${written.policy.id}, too`);
      }
    }
  }
  return { policies: [...policies.values()], mistakes };
}

/** Adds to the mistakes. */
function readDocument(name: string, { value, mistake, placeOf }: YamlDocument, mistakes: string[]): WrittenPolicy[] {
  const shown = ({ line, column }: { readonly line: number; readonly column: number }) => `${name}:${line}:${column}`;
  if (mistake !== undefined) mistakes.push(`${shown(mistake)}: ${mistake.message}`);
  if (mistake !== undefined || value === null) return [];
  const isList = Array.isArray(value);
  const checked = checkShape(policySchema.array(), isList ? value : [value]);
  if (checked.ok) {
    return checked.value.map((policy, at) => ({ policy, place: shown(placeOf(isList ? `[${at}].id` : 'id')) }));
  }
  for (const found of checked.violations) {
    const at = (path: string) => (isList ? path : path.replace(/^\[0\]\.?/u, ''));
    const path = at(found.path);
    mistakes.push(`${shown(placeOf(at(pointedAt(found))))}: ${path === '' ? '' : `${path}: `}${found.message}`);
  }
  return [];
}

/** A policy as somebody would write it: without what it has anyway. `readPolicyTexts` reads it back to the same. */
export function policyEntry({ actors, description, ...rest }: Policy): object {
  const named = Object.entries(actors).filter(([, value]) => (Array.isArray(value) ? value.length > 0 : value));
  const { id, name, ...others } = rest;
  return { id, name, ...(description === '' ? {} : { description }), ...others, actors: Object.fromEntries(named) };
}
