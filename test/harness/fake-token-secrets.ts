import { SourceError } from '../../operator/source/port.ts';
import type {
  KeptToken,
  SecretOwner,
  SecretPlace,
  SecretState,
  TokenSecrets,
} from '../../operator/source/token-secrets.ts';

interface Stored {
  /** Of the resource that made it; absent: somebody else did. */
  readonly uid?: string;
  readonly key: string;
  readonly token: string;
  readonly kept?: KeptToken;
}

/** Secrets in memory, by name. */
export class FakeTokenSecrets implements TokenSecrets {
  readonly stored = new Map<string, Stored>();
  /** While set, nothing can be written. */
  failing = false;

  async read({ uid }: SecretOwner, { name, key }: SecretPlace): Promise<SecretState> {
    const secret = this.stored.get(name);
    if (secret === undefined) return { kind: 'absent' };
    if (secret.uid !== uid) return { kind: 'foreign' };
    return { kind: 'own', ...(secret.kept === undefined || secret.key !== key ? {} : { kept: secret.kept }) };
  }

  async write({ uid }: SecretOwner, { name, key }: SecretPlace, token: string, kept: KeptToken): Promise<void> {
    if (this.failing) throw new SourceError('KubernetesForbidden', 'secrets are forbidden');
    const secret = this.stored.get(name);
    if (secret !== undefined && secret.uid !== uid) throw new SourceError('WriteConflict', 'somebody else made it');
    this.stored.set(name, { uid, key, token, kept });
  }

  /** The token in a Secret. */
  tokenIn(name: string): string | undefined {
    return this.stored.get(name)?.token;
  }
}
