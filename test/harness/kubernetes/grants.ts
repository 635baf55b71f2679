import { join } from 'node:path';
import type { User } from './cluster.ts';
import type { Kubectl } from './kubectl.ts';

const RBAC = join(import.meta.dirname, '../../../config/rbac');

/** Lets a user lead operators by a Lease in the namespace of `kubectl`. */
export async function grantLease(kubectl: Kubectl, user: User): Promise<void> {
  await kubectl.run('apply', `--filename=${join(RBAC, 'leader.yaml')}`);
  await kubectl.run('create', 'rolebinding', 'proplane-leader', '--role=proplane-leader', `--user=${user.name}`);
}

/** Lets a user do in the namespace of `kubectl` what the operator needs, by config/rbac/ and nothing else. */
export async function grantNamespace(kubectl: Kubectl, user: User): Promise<void> {
  await kubectl.run('apply', `--filename=${join(RBAC, 'namespaced.yaml')}`);
  await kubectl.run('create', 'rolebinding', 'proplane-operator', '--role=proplane-operator', `--user=${user.name}`);
}

/** The same for all namespaces of a cluster that is the test's own. */
export async function grantCluster(kubectl: Kubectl, user: User): Promise<void> {
  await kubectl.run('apply', `--filename=${join(RBAC, 'cluster.yaml')}`);
  const role = '--clusterrole=proplane-operator';
  await kubectl.run('create', 'clusterrolebinding', 'proplane-operator', role, `--user=${user.name}`);
}

/** Lets a user keep access tokens in Secrets of the namespace of `kubectl`. */
export async function grantAccessTokens(kubectl: Kubectl, user: User): Promise<void> {
  await kubectl.run('apply', `--filename=${join(RBAC, 'access-tokens.yaml')}`);
  const role = '--clusterrole=proplane-access-tokens';
  await kubectl.run('create', 'rolebinding', 'proplane-access-tokens', role, `--user=${user.name}`);
}
