import type { ResourceId } from '../../model/resource/identity.ts';

/** A resource as the owner of a Secret. */
export interface SecretOwner {
  readonly id: ResourceId;
  readonly uid: string;
}

/** Which Secret of the owner's namespace, and where in it. */
export interface SecretPlace {
  readonly name: string;
  readonly key: string;
}

/** What the Secret says beside the token. */
export interface KeptToken {
  readonly tokenId: string;
  /** Of the token that was there before. */
  readonly previousId?: string;
}

export type SecretState =
  | { readonly kind: 'absent' }
  /** Somebody else made it: it is never touched. */
  | { readonly kind: 'foreign' }
  /** `kept` is absent when the token was edited or taken out, or is at another key. */
  | { readonly kind: 'own'; readonly kept?: KeptToken };

/** Where tokens are kept for those who use them. Every method rejects with a SourceError. */
export interface TokenSecrets {
  read(owner: SecretOwner, place: SecretPlace): Promise<SecretState>;
  /** Makes the Secret, or has it hold another token; never one of somebody else. */
  write(owner: SecretOwner, place: SecretPlace, token: string, kept: KeptToken): Promise<void>;
}
