import type { Caller } from '../../model/access/caller.ts';
import type { RegistryView } from '../catalog/registry/registry.ts';

/** What a request carries to say who asks. */
export interface Credentials {
  /** The header `Authorization`, as it was sent. */
  readonly authorization?: string;
  /** The header `X-DataHub-Actor`: on whose behalf one of our own parts asks. It says nothing of anybody else. */
  readonly actor?: string;
}

/** Somebody who is who they say. */
export interface Identity extends Caller {
  /** How it was shown. */
  readonly by: 'none' | 'token' | 'session' | 'system' | 'service-account';
  /** Of the token or session that was used. */
  readonly tokenId?: string;
}

/**
 * A way to show who one is. `authenticate` answers `undefined` for credentials of another kind, which the next one looks
 * at. @throws AuthenticationError for credentials of its kind that are not valid: nobody else looks at them then.
 */
export interface Authenticator {
  authenticate(credentials: Credentials, registry: RegistryView): Promise<Identity | undefined>;
}

/** What was shown is not valid: malformed, forged, expired or revoked. A caller is not told which. */
export class AuthenticationError extends Error {
  /** For the log. */
  readonly reason: string;
  constructor(reason: string) {
    super('The credentials are not valid: they are malformed, have expired or were revoked.');
    this.name = 'AuthenticationError';
    this.reason = reason;
  }
}
