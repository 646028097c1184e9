import { LRUCache } from 'lru-cache';
import type { JwtHeader, VerificationKey } from './verify.js';

/** Maximum size of the cache in characters: about 5,000 tokens with their payloads. */
const MOST_CHARACTERS = 8 * 1024 * 1024;
const CHARACTERS_BESIDE = 200;

/** A token whose signature matched. */
export interface VerifiedToken {
  /**
   * The key that verified it. A reloaded key is another object, so after a change of keys all tokens are verified
   * again.
   */
  readonly key: VerificationKey;
  readonly header: JwtHeader;
  /** The payload as JSON text: each caller parses an object of its own. */
  readonly payload: string;
}

/**
 * Tokens whose signature by an asymmetric key was verified, by their whole text. An access token is presented many
 * times, and verifying it again takes longer than the rest of an introspection. Only the signature is cached: times,
 * sessions and revocation are checked each time.
 */
export class VerifiedTokens {
  readonly #tokens = new LRUCache<string, VerifiedToken>({
    maxSize: MOST_CHARACTERS,
    sizeCalculation: ({ payload }, token) => token.length + payload.length + CHARACTERS_BESIDE,
  });

  get(token: string): VerifiedToken | undefined {
    return this.#tokens.get(token);
  }

  keep(token: string, verified: VerifiedToken): void {
    this.#tokens.set(token, verified);
  }
}
