import type { AccessToken } from '../../../client/access-tokens.ts';
import { LONGEST_TOKEN_TEXT } from '../../../model/resource/access-token.ts';
import type { AccessTokenResource } from '../../../model/resource/resource.ts';
import { cut } from '../../../process/text.ts';
import type { SourceResource } from '../../source/port.ts';
import type { SecretOwner, SecretPlace, SecretState } from '../../source/token-secrets.ts';
import type { AccessTokenTools, Tools, Work } from '../step.ts';

/** What was found of the tokens of a resource. */
export interface TokenObservation {
  readonly secret: SecretState;
  /** All that were made for the resource and are not revoked. */
  readonly tokens: readonly AccessToken[];
  /** The one that the Secret holds, as it is wished. */
  readonly current?: AccessToken;
}

export interface AccessTokenWork extends Work<AccessTokenResource> {
  observation?: TokenObservation;
}

export function observationOf({ observation }: AccessTokenWork): TokenObservation {
  if (observation === undefined) throw new Error('this step comes after the one that observes');
  return observation;
}

/** The tools, in a step behind the one that made sure of them. */
export function tokenTools({ accessTokens }: Tools): AccessTokenTools {
  if (accessTokens === undefined) throw new Error('this step needs somewhere to keep tokens');
  return accessTokens;
}

/**
 * The name of all tokens of a resource: whoever comes after one that was killed finds by it what that one has made. It is
 * as short as people's forms want it.
 */
export function tokenNameOf(uid: string): string {
  return `proplane/${uid}`;
}

export function tokenDescription({ id, spec }: AccessTokenResource): string {
  const what = `AccessToken ${id.namespace}/${id.name}`;
  return cut(spec.description === undefined ? what : `${what}: ${spec.description}`, LONGEST_TOKEN_TEXT);
}

/** @throws Error when the source does not tell resources of one name apart. */
export function ownerOfSecret({ id, uid }: SourceResource): SecretOwner {
  if (uid === undefined) throw new Error(`${id.kind} ${id.namespace}/${id.name} has no uid`);
  return { id, uid };
}

export function placeOf({ spec }: AccessTokenResource): SecretPlace {
  return { name: spec.secretName, key: spec.secretKey };
}
