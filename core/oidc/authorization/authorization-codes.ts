import { hash } from 'node:crypto';
import { OAuthError } from '@keyhost/spi';
import type { Client } from '../../model/client.js';
import type { Clock } from '../../model/clock.js';
import { randomToken } from '../../model/random-token.js';
import type { Realm } from '../../model/realm.js';
import type { Store, UserSessionRecord } from '../../store/store.js';
import type { AuthorizationRequest } from './authorization-request.js';
import { checkVerifier, type ProofKey } from './proof-key.js';

const KIND = 'authorization-code';

/** The stored data of a code. */
interface CodePayload extends ProofKey {
  readonly clientId: string;
  readonly redirectUri: string | undefined;
  readonly scope: string | undefined;
  readonly nonce: string | undefined;
  readonly sessionId: string;
  readonly userId: string;
  /** Milliseconds since the epoch; missing in codes of an earlier version. */
  readonly issuedAt?: number;
}

/** A code as presented in a token request, with the other parameters that must match it. */
interface PresentedCode {
  readonly code: string;
  readonly redirectUri: string | undefined;
  readonly verifier: string | undefined;
}

/** Authorization codes (RFC 6749 §4.1.2): single use, durable, bound to client, redirect URI and PKCE challenge. */
export class AuthorizationCodes {
  readonly #parts: { store: Store; clock: Clock };

  constructor(parts: { store: Store; clock: Clock }) {
    this.#parts = parts;
  }

  /**
   * Issues a code for a session, valid for the realm's `accessCodeLifespan` (60 seconds). The client session must have
   * started before the code is issued.
   */
  async issue(
    realm: Realm,
    client: Client,
    request: AuthorizationRequest,
    session: UserSessionRecord,
  ): Promise<string> {
    // Keycloak's format with session and client. The random part exceeds the 128 bits of RFC 6749 §10.10, which a UUID
    // does not have.
    const code = `${randomToken(24)}.${session.id}.${client.id}`;
    const payload: CodePayload = {
      clientId: client.clientId,
      redirectUri: request.givenRedirectUri,
      scope: request.scope,
      nonce: request.nonce,
      codeChallenge: request.codeChallenge,
      codeChallengeMethod: request.codeChallengeMethod,
      sessionId: session.id,
      userId: session.userId,
    };
    const lifespan = realm.settings.accessCodeLifespan;
    const now = this.#parts.clock.now();
    await this.#parts.store.tickets.issue({
      ...codeKey(realm, code),
      payload: JSON.stringify({ ...payload, issuedAt: now }),
      expiresAt: now + Number(lifespan) * 1000,
    });
    return code;
  }

  /** The session ID that a code contains. The code is not verified, so the ID may be forged. */
  sessionIdOf(code: string): string | undefined {
    return code.split('.')[1];
  }

  /**
   * Redeems the code; after this it is void, even if the checks fail. A second use ends the client session of the first
   * one, online and offline, with its tokens (RFC 6749 §4.1.2). That includes tokens which the first use is about to
   * get; the first request is still answered. As in Keycloak, the user's own session continues. A code that is
   * presented twice has leaked, so it does not matter which client presents it, when, or with which other parameters.
   * Only the complete code ends a session.
   * @throws OAuthError `invalid_grant` with Keycloak's texts
   */
  async redeem(realm: Realm, client: Client, presented: PresentedCode): Promise<CodePayload> {
    const now = this.#parts.clock.now();
    const outcome = await this.#parts.store.tickets.redeem({ ...codeKey(realm, presented.code), now });
    if (outcome.outcome === 'absent') throw invalidGrant('Code not valid', 'invalid_code');
    const payload = JSON.parse(outcome.payload) as CodePayload;
    if (outcome.outcome === 'replayed') {
      await this.#revoke(realm, payload);
      throw invalidGrant('Code already used', 'invalid_code');
    }
    if (payload.clientId !== client.clientId) throw invalidGrant('Auth error', 'invalid_code');
    if (payload.redirectUri !== presented.redirectUri) throw invalidGrant('Incorrect redirect_uri', 'invalid_code');
    checkVerifier(payload, presented.verifier);
    return payload;
  }

  async #revoke(realm: Realm, { clientId, sessionId: id }: CodePayload): Promise<void> {
    const owner = realm.clients.get(clientId);
    if (owner === undefined) return;
    const { sessions } = this.#parts.store;
    // The online session first: without it no offline session can start any more.
    await sessions.detach({ realm: realm.name, id, offline: false }, owner.id);
    await sessions.detach({ realm: realm.name, id, offline: true }, owner.id, { endIfLast: true });
  }
}

function codeKey(realm: Realm, code: string) {
  return { realm: realm.name, kind: KIND, keyHash: hash('sha256', code, 'base64url') };
}

function invalidGrant(description: string, eventError: string): OAuthError {
  return new OAuthError('invalid_grant', description, { eventError });
}
