import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Sent } from './proxied-operator.ts';

const RBAC = join(import.meta.dirname, '../../../config/rbac');

export type RoleFile = 'cluster.yaml' | 'namespaced.yaml' | 'leader.yaml';

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** A Role of config/rbac/ with these rules in the place of its own, which are handed in. */
// biome-ignore lint/suspicious/noExplicitAny: an object as the API takes it
export async function roleWith(file: RoleFile, change: (rules: Rule[]) => Rule[]): Promise<any> {
  const role = await readRole(file);
  return { ...role, rules: change(role.rules) };
}

/** What roles of config/rbac/ grant, each right as `rightFor` names it. */
export async function rightsIn(...files: readonly RoleFile[]): Promise<string[]> {
  const roles = await Promise.all(files.map(readRole));
  return roles.flatMap(({ rules }) => rules.flatMap(rightsOf)).sort();
}

function rightsOf({ apiGroups, resources, resourceNames, verbs }: Rule): string[] {
  const names = resourceNames ?? [undefined];
  return apiGroups.flatMap((group) =>
    resources.flatMap((resource) => names.flatMap((name) => verbs.map((verb) => named(verb, group, resource, name)))),
  );
}

/** The right that a request to the cluster needs: `patch catalog.proplane.dev/structuredproperties/status`. */
export function rightFor({ method, path, query }: Sent): string {
  const { group = '', rest = '' } = /^\/(?:api|apis\/(?<group>[^/]+))\/[^/]+\/(?<rest>.+)$/u.exec(path)?.groups ?? {};
  const parts = rest.split('/');
  const inNamespace = parts[0] === 'namespaces' && parts.length > 2;
  const [resource = '', name, subresource] = inNamespace ? parts.slice(2) : parts;
  const verb = method === 'GET' ? reading(query, name) : VERBS[method];
  const whole = subresource === undefined ? resource : `${resource}/${subresource}`;
  // Only of namespaces do the roles grant a single one.
  return named(verb ?? method, group, whole, resource === 'namespaces' ? name : undefined);
}

const VERBS: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' };

function reading(query: URLSearchParams, name: string | undefined): string {
  if (query.has('watch')) return 'watch';
  return name === undefined ? 'list' : 'get';
}

function named(verb: string, group: string, resource: string, name: string | undefined): string {
  const what = [group, resource].filter((part) => part !== '').join('/');
  return name === undefined ? `${verb} ${what}` : `${verb} ${what} ${name}`;
}

async function readRole(file: RoleFile): Promise<{ readonly rules: Rule[] }> {
  const [document] = parseAllDocuments(await readFile(join(RBAC, file), 'utf8'));
  return document?.toJS();
}
