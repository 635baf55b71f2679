import { describe, it } from '@jest/globals';
import { type Cluster, namedCluster, sharedCluster } from './cluster.ts';
import { kubePrograms } from './kube-programs.ts';

interface Needs {
  /** The tests need namespaces to end, or what belongs to a deleted owner to be collected. */
  readonly controllers?: boolean;
}

const NO_CONTROLLERS = 'the control plane of KUBEBUILDER_ASSETS has no controller manager';

/** A block of tests on the cluster that all files of a run share; skipped with the reason where there is none. */
export async function describeWithCluster(
  title: string,
  body: (cluster: Cluster) => void,
  { controllers = false }: Needs = {},
): Promise<void> {
  const cluster = await sharedCluster();
  const skip = (reason: string) =>
    describe.skip(`${title} (${reason})`, () => it('does what it does on a cluster', () => {}));
  if ('missing' in cluster) skip(cluster.missing);
  else if (controllers && !cluster.hasControllers) skip(NO_CONTROLLERS);
  else describe(title, () => body(cluster));
}

/** A block of tests that start a ControlPlane of their own; skipped with the reason where they cannot. */
export async function describeWithControlPlane(
  title: string,
  body: () => void,
  { controllers = false }: Needs = {},
): Promise<void> {
  const reason = await whyNoControlPlane(controllers);
  if (reason === undefined) describe(title, body);
  else describe.skip(`${title} (${reason})`, body);
}

async function whyNoControlPlane(controllers: boolean): Promise<string | undefined> {
  if (namedCluster() !== undefined) return 'the cluster of KUBECONFIG is not ours to stop';
  const programs = await kubePrograms();
  if ('missing' in programs) return programs.missing;
  return controllers && programs.controllerManager === undefined ? NO_CONTROLLERS : undefined;
}
