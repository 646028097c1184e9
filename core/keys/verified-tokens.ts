import { LRUCache } from 'lru-cache';
import type { JwtHeader, VerificationKey } from './verify.js';

/** What is remembered may take that much, in characters: some 5,000 tokens with what they say. */
const MOST_CHARACTERS = 8 * 1024 * 1024;
const CHARACTERS_BESIDE = 200;

/** A token whose signature matched. */
export interface VerifiedToken {
  /** The key that it matched. One that was loaded anew is another, so a changed key verifies everything again. */
  readonly key: VerificationKey;
  readonly header: JwtHeader;
  /** The text of its payload: whoever reads it gets an object of their own. */
  readonly payload: string;
}

/**
 * Tokens of which a signature by an asymmetric key was verified, by their whole text: an access token is presented many
 * times, and verifying it again takes longer than everything else that introspection computes. Nothing else of a token
 * is remembered: times, sessions and revocation are judged each time.
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
