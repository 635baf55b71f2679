import { rename, writeFile } from 'node:fs/promises';
import { ControlPlane } from './control-plane.ts';

/** A process that holds a control plane for all test files of a run, and writes how to reach it to the file it is told. */

const [file = ''] = process.argv.slice(2);
const plane = await ControlPlane.start({ crds: true });
process.once('SIGTERM', () => void plane.stop().then(() => process.exit()));
const { server, ca, kubeconfig, users, hasControllers } = plane;
await writeFile(`${file}.new`, JSON.stringify({ server, ca, kubeconfig, users, hasControllers }));
await rename(`${file}.new`, file);
