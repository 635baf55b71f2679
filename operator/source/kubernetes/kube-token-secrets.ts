import { createHash } from 'node:crypto';
import type { KubeClient } from '../../../kubernetes/kube-client.ts';
import type { KubeObject, KubeRef } from '../../../kubernetes/kube-object.ts';
import { API_GROUP, API_VERSION } from '../../../model/resource/identity.ts';
import { SourceError } from '../port.ts';
import type { KeptToken, SecretOwner, SecretPlace, SecretState, TokenSecrets } from '../token-secrets.ts';
import { readOrNothing } from './change-object.ts';
import { sourceErrorOf } from './source-error-of.ts';

const SECRETS = { group: '', version: 'v1', plural: 'secrets' };
const ANNOTATION = {
  tokenId: `${API_GROUP}/token-id`,
  previousId: `${API_GROUP}/previous-token-id`,
  /** By which it is noticed that somebody has edited the token. */
  digest: `${API_GROUP}/token-digest`,
} as const;

interface Secret extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** Tokens in the Secrets of a cluster. A Secret is read by its name when it is needed, and none is remembered. */
export function createKubeTokenSecrets(client: KubeClient): TokenSecrets {
  return {
    read: (owner, place) => withSourceErrors(async () => stateOf(await find(owner, place), owner, place)),
    write: (owner, place, token, kept) =>
      withSourceErrors(async () => {
        const found = await find(owner, place);
        const wanted = secretOf(owner, place, token, kept);
        if (found === undefined) await client.create(SECRETS, wanted, owner.id.namespace);
        else if (isOwn(found, owner)) await client.replace(refOf(owner, place), changed(found, wanted));
        else throw new SourceError('WriteConflict', `somebody else has made the Secret ${place.name} meanwhile`);
      }),
  };

  async function find(owner: SecretOwner, place: SecretPlace): Promise<Secret | undefined> {
    return await readOrNothing(client, refOf(owner, place));
  }
}

function refOf({ id }: SecretOwner, { name }: SecretPlace): KubeRef {
  return { resource: SECRETS, namespace: id.namespace, name };
}

function stateOf(secret: Secret | undefined, owner: SecretOwner, { key }: SecretPlace): SecretState {
  if (secret === undefined) return { kind: 'absent' };
  if (!isOwn(secret, owner)) return { kind: 'foreign' };
  const {
    [ANNOTATION.tokenId]: tokenId,
    [ANNOTATION.previousId]: previousId,
    [ANNOTATION.digest]: digest,
  } = secret.metadata.annotations ?? {};
  const token = Buffer.from(secret.data?.[key] ?? '', 'base64').toString();
  if (tokenId === undefined || digestOf(token) !== digest) return { kind: 'own' };
  return { kind: 'own', kept: { tokenId, ...(previousId === undefined ? {} : { previousId }) } };
}

/** By uid: a resource of the same name that was there before is another one. */
function isOwn({ metadata }: Secret, { uid }: SecretOwner): boolean {
  const owners = metadata.ownerReferences as readonly { readonly uid?: string }[] | undefined;
  return owners?.some((owner) => owner.uid === uid) ?? false;
}

function secretOf({ id, uid }: SecretOwner, { name, key }: SecretPlace, token: string, kept: KeptToken) {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name,
      labels: { 'app.kubernetes.io/managed-by': 'proplane' },
      annotations: {
        [ANNOTATION.tokenId]: kept.tokenId,
        [ANNOTATION.digest]: digestOf(token),
        ...(kept.previousId === undefined ? {} : { [ANNOTATION.previousId]: kept.previousId }),
      },
      // With it the cluster deletes the Secret when the resource is gone.
      ownerReferences: [{ apiVersion: API_VERSION, kind: id.kind, name: id.name, uid, controller: true }],
    },
    type: 'Opaque',
    data: { [key]: Buffer.from(token).toString('base64') },
  };
}

/** What others have added to the object stays; its data are ours. On the condition that it is as it was read. */
function changed(found: Secret, { metadata, data }: ReturnType<typeof secretOf>): object {
  const { [ANNOTATION.previousId]: _previous, ...annotations } = found.metadata.annotations ?? {};
  return {
    ...found,
    metadata: {
      ...found.metadata,
      annotations: { ...annotations, ...metadata.annotations },
      labels: { ...found.metadata.labels, ...metadata.labels },
    },
    data,
  };
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

async function withSourceErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw sourceErrorOf(error);
  }
}
