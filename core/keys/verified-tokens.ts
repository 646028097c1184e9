import { LRUCache } from 'lru-cache';
import type { JwtHeader, VerificationKey } from './verify.js';

/** Maximum size of the cache in characters: about 5,000 tokens with their payloads. */
const MAX_CHARACTERS = 8 * 1024 * 1024;
const OVERHEAD_CHARACTERS = 200;
/** Minimum number of tokens in the cache when the expired ones are removed. */
const MIN_PURGED = 100;

/** A token whose signature was verified. */
export interface VerifiedToken {
  /** The key that verified it. If the keys are reloaded, they are new objects, so all tokens are verified again. */
  readonly key: VerificationKey;
  readonly header: JwtHeader;
  /** The payload as JSON text, which each caller parses to get its own object. */
  readonly payload: string;
  /** Seconds since the epoch. Infinity for an offline token without `exp`. */
  readonly expiresAt: number;
}

/**
 * Caches tokens whose signature by an asymmetric key was verified, by their full text. An access token is presented
 * many times, and verifying it again takes longer than the rest of an introspection. Only the signature is cached:
 * times, sessions and revocation are checked each time.
 */
export class VerifiedTokens {
  readonly #tokens = new LRUCache<string, VerifiedToken>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ payload }, token) => token.length + payload.length + OVERHEAD_CHARACTERS,
  });

  readonly #now: () => number;
  #purgeAt = MIN_PURGED;

  /** @param now returns milliseconds since the epoch */
  constructor(now: () => number) {
    this.#now = now;
  }

  get(token: string): VerifiedToken | undefined {
    return this.#tokens.get(token);
  }

  /** Adds a token, unless it has expired. */
  add(token: string, verified: VerifiedToken): void {
    const nowSeconds = this.#now() / 1000;
    if (verified.expiresAt <= nowSeconds) return;
    if (this.#tokens.size >= this.#purgeAt) this.#removeExpired(nowSeconds);
    this.#tokens.set(copyOf(token), verified);
  }

  /** Removes the expired tokens. The next time is when the cache has doubled, so the average cost is constant. */
  #removeExpired(nowSeconds: number): void {
    for (const [token, { expiresAt }] of [...this.#tokens.entries()])
      if (expiresAt <= nowSeconds) this.#tokens.delete(token);
    this.#purgeAt = Math.max(MIN_PURGED, this.#tokens.size * 2);
  }
}

/**
 * Copies a token. V8 represents it as a part of the request's body or header, which would stay in memory with all that
 * is in it, such as the client's secret.
 */
function copyOf(token: string): string {
  return Buffer.from(token, 'latin1').toString('latin1');
}
