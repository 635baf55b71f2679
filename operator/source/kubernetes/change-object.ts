import type { KubeClient } from '../../../kubernetes/kube-client.ts';
import { isKubeError, KubeError } from '../../../kubernetes/kube-error.ts';
import type { JsonPatchOperation, KubeObject, KubeRef } from '../../../kubernetes/kube-object.ts';

/** Others change an object as well; each of our changes is made to the state that it was meant for. */
const ATTEMPTS = 5;

/**
 * Changes an object, on the condition that it is still as it was seen; otherwise it is read and looked at again.
 * @param plan what to do with the object as it is; `undefined`: nothing.
 * @returns the object as it is now; `undefined`: it is gone, or another one has its name.
 * @throws KubeError
 */
export async function changeObject(
  client: KubeClient,
  ref: KubeRef,
  seen: KubeObject,
  plan: (object: KubeObject) => readonly JsonPatchOperation[] | undefined,
  subresource?: 'status',
): Promise<KubeObject | undefined> {
  let object = seen;
  for (let attempt = 1; ; attempt += 1) {
    const operations = plan(object);
    if (operations === undefined) return object;
    try {
      return await client.patch(ref, [...conditionsOf(object), ...operations], subresource);
    } catch (error) {
      if (!(error instanceof KubeError)) throw error;
      if (error.code === 'missing') return undefined;
      if (error.code !== 'conflict' && error.code !== 'invalid') throw error;
      const now = await readOrNothing(client, ref);
      if (now?.metadata.uid !== object.metadata.uid) return undefined;
      // Nobody has changed it: the change itself is refused.
      const isRefused = now.metadata.resourceVersion === object.metadata.resourceVersion;
      if (isRefused || attempt === ATTEMPTS) throw error;
      object = now;
    }
  }
}

export async function readOrNothing(client: KubeClient, ref: KubeRef): Promise<KubeObject | undefined> {
  try {
    return await client.read(ref);
  } catch (error) {
    if (isKubeError(error, 'missing')) return undefined;
    throw error;
  }
}

function conditionsOf({ metadata }: KubeObject): JsonPatchOperation[] {
  return [
    { op: 'test', path: '/metadata/uid', value: metadata.uid },
    { op: 'test', path: '/metadata/resourceVersion', value: metadata.resourceVersion },
  ];
}
