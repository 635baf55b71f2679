import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { builtKubeBinary, kubeBinary } from './kube-binary.ts';

/** How to start a program: its path, and what comes before its own arguments. */
export type Program = readonly [path: string, ...first: string[]];

/** The programs of a control plane. */
export interface KubePrograms {
  readonly etcd: Program;
  readonly apiServer: Program;
  /** Without it namespaces never end, and nothing collects what belongs to a deleted owner. */
  readonly controllerManager: Program | undefined;
}

/**
 * Those in the folder KUBEBUILDER_ASSETS, where it is set, otherwise the project's own.
 * @throws Error when the own ones do not build, or the folder lacks one.
 */
export async function kubePrograms(): Promise<KubePrograms | { readonly missing: string }> {
  const assets = process.env.KUBEBUILDER_ASSETS;
  if (assets === undefined || assets === '') {
    const binary = await kubeBinary();
    if ('missing' in binary) return binary;
    const program = (part: string): Program => [binary.path, part];
    return {
      etcd: program('etcd'),
      apiServer: program('apiserver'),
      controllerManager: program('controller-manager'),
    };
  }
  const etcd = join(assets, 'etcd');
  const apiServer = join(assets, 'kube-apiserver');
  for (const path of [etcd, apiServer])
    if (!existsSync(path)) throw new Error(`KUBEBUILDER_ASSETS names ${assets}, but there is no ${path}`);
  const own = await builtKubeBinary();
  return {
    etcd: [etcd],
    apiServer: [apiServer],
    // kubebuilder's assets have no controller manager
    controllerManager: own === undefined ? undefined : [own, 'controller-manager'],
  };
}

/**
 * The own kubectl when it is built, otherwise that of KUBEBUILDER_ASSETS, that of PATH, or the own one, built now.
 * @throws Error when there is none.
 */
export function kubectlProgram(): Promise<Program> {
  found ??= findKubectl();
  return found;
}

let found: Promise<Program> | undefined;

async function findKubectl(): Promise<Program> {
  const own = await builtKubeBinary();
  if (own !== undefined) return [own, 'kubectl'];
  const folders = [process.env.KUBEBUILDER_ASSETS ?? '', ...(process.env.PATH ?? '').split(delimiter)];
  const paths = folders.filter((folder) => folder !== '').map((folder) => join(folder, 'kubectl'));
  const path = paths.find((candidate) => existsSync(candidate));
  if (path !== undefined) return [path];
  const binary = await kubeBinary();
  if ('missing' in binary) throw new Error(`there is no kubectl on PATH, and ${binary.missing}`);
  return [binary.path, 'kubectl'];
}
