import { runRole } from '../process/run-role.ts';
import { startDirectoryRole } from './directory-role.ts';
import { startKubernetesRole } from './kubernetes-role.ts';

await runRole('operator', (log) => (process.env.MANIFESTS ? startDirectoryRole(log) : startKubernetesRole(log)));
