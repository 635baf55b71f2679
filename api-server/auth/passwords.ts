import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { BulkheadRejectedError, bulkhead } from 'cockatiel';
import { CatalogError } from '../catalog/errors.ts';

/** How much work a hash is. */
export interface PasswordCost {
  /** A power of two: how much memory it takes, 128 · blockSize bytes each. */
  readonly rounds: number;
  readonly blockSize: number;
  readonly repeats: number;
}

/** What is kept of a password, with all that is needed to compare it, whatever the cost has become since. */
export interface HashedPassword extends PasswordCost {
  /** Base64, as the hash. */
  readonly salt: string;
  readonly hash: string;
}

/** As OWASP's cheat sheet on password storage has it for 32 MiB: about 0.2 s of a processor. */
export const PASSWORD_COST: PasswordCost = { rounds: 2 ** 15, blockSize: 8, repeats: 3 };

/** At a time, so that neither memory nor the threads that files are read with are used up; and how many may wait. */
const AT_ONCE = 2;
const WAITING = 50;
const HASH_BYTES = 32;

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** Hashes passwords with scrypt, and compares them. */
export class Passwords {
  readonly #cost: PasswordCost;
  readonly #turns = bulkhead(AT_ONCE, WAITING);
  /** Of no password: compared with where there is nothing to compare with. */
  readonly #nobodys: HashedPassword;

  constructor(cost: PasswordCost) {
    this.#cost = cost;
    this.#nobodys = { ...cost, salt: randomText(16), hash: randomText(HASH_BYTES) };
  }

  /** @throws CatalogError `unavailable` when too many are waiting. */
  async hash(password: string): Promise<HashedPassword> {
    const salt = randomBytes(16);
    const hash = await this.#derive(password, salt, this.#cost);
    return { ...this.#cost, salt: salt.toString('base64'), hash: hash.toString('base64') };
  }

  /**
   * Without a stored one it is never right, after the same work: how long it takes tells nobody whether there is such a
   * user. @throws CatalogError `unavailable` when too many are waiting.
   */
  async isRight(password: string, stored: HashedPassword | undefined): Promise<boolean> {
    const { salt, hash, ...cost } = stored ?? this.#nobodys;
    const derived = await this.#derive(password, Buffer.from(salt, 'base64'), cost);
    return timingSafeEqual(derived, Buffer.from(hash, 'base64')) && stored !== undefined;
  }

  /** Whether it would be hashed in another way today. */
  isOutdated({ rounds, blockSize, repeats }: HashedPassword): boolean {
    return rounds !== this.#cost.rounds || blockSize !== this.#cost.blockSize || repeats !== this.#cost.repeats;
  }

  async #derive(password: string, salt: Buffer, { rounds, blockSize, repeats }: PasswordCost): Promise<Buffer> {
    const options = { N: rounds, r: blockSize, p: repeats, maxmem: 256 * blockSize * (rounds + repeats) };
    // Keyboards differ in how they write one letter: NFKC has one way (RFC 8265).
    // The end is marked, for scrypt takes no notice of NULs there.
    const text = `${password.normalize('NFKC')}\u0001`;
    try {
      return await this.#turns.execute(() => derive(text, salt, HASH_BYTES, options));
    } catch (error) {
      if (!(error instanceof BulkheadRejectedError)) throw error;
      throw new CatalogError('unavailable', 'Too many passwords are being compared. Try again in a moment.');
    }
  }
}

function randomText(bytes: number): string {
  return randomBytes(bytes).toString('base64');
}
