import { namedCluster } from './cluster.ts';
import { kubePrograms } from './kube-programs.ts';

/** A process that builds the control plane, where there is none yet, beside tests that do without; the others say what fails. */

if (namedCluster() === undefined) await kubePrograms().catch(() => undefined);
