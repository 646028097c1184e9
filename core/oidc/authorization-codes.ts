import { hash, randomBytes } from 'node:crypto';
import { OAuthError } from '@keyhost/spi';
import type { Client } from '../model/client.js';
import type { Clock } from '../model/clock.js';
import type { Realm } from '../model/realm.js';
import type { Store, UserSessionRecord } from '../store/store.js';
import type { AuthorizationRequest } from './authorization-request.js';
import { newSessionId } from './issue-tokens.js';
import { checkVerifier, type ProofKey } from './proof-key.js';

const KIND = 'authorization-code';

/** What a code stands for. */
interface CodePayload extends ProofKey {
  readonly clientId: string;
  readonly redirectUri: string | undefined;
  readonly scope: string | undefined;
  readonly nonce: string | undefined;
  readonly sessionId: string;
  readonly userId: string;
  /** The id of the offline session that the code may begin, so that a second use can end it. */
  readonly offlineSessionId: string;
}

/** Authorization codes (RFC 6749 §4.1.2): single use, durable, bound to client, redirect URI and PKCE challenge. */
export class AuthorizationCodes {
  readonly #store: Store;
  readonly #clock: Clock;

  constructor(parts: { store: Store; clock: Clock }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
  }

  /** A code for a session, good for the realm's `accessCodeLifespan` (60 seconds). */
  async issue(
    realm: Realm,
    client: Client,
    request: AuthorizationRequest,
    session: UserSessionRecord,
  ): Promise<string> {
    // Session and client as in Keycloak; more than the 128 random bits of RFC 6749 §10.10, which a UUID does not hold.
    const code = `${randomBytes(24).toString('base64url')}.${session.id}.${client.id}`;
    const payload: CodePayload = {
      clientId: client.clientId,
      redirectUri: request.givenRedirectUri,
      scope: request.scope,
      nonce: request.nonce,
      codeChallenge: request.codeChallenge,
      codeChallengeMethod: request.codeChallengeMethod,
      sessionId: session.id,
      userId: session.userId,
      offlineSessionId: newSessionId(this.#clock.now()),
    };
    const lifespan = realm.representation.accessCodeLifespan ?? 60;
    await this.#store.tickets.issue({
      ...place(realm, code),
      payload: JSON.stringify(payload),
      expiresAt: this.#clock.now() + Number(lifespan) * 1000,
    });
    return code;
  }

  /**
   * Takes the code; from then on it is worth nothing, whatever the checks say. A second use ends the client session that
   * the first one began, or its offline session, and with it its tokens, but not the browser's login.
   * @throws OAuthError `invalid_grant` with Keycloak's texts
   */
  async redeem(
    realm: Realm,
    client: Client,
    given: { code: string; redirectUri: string | undefined; verifier: string | undefined },
  ): Promise<CodePayload> {
    const outcome = await this.#store.tickets.redeem({ ...place(realm, given.code), now: this.#clock.now() });
    if (outcome.outcome === 'absent') throw refuse('Code not valid', 'invalid_code');
    const payload = JSON.parse(outcome.payload) as CodePayload;
    if (outcome.outcome === 'replayed') {
      const owner = realm.clients.get(payload.clientId);
      if (owner !== undefined) await this.#store.sessions.detach(realm.name, payload.sessionId, owner.id);
      await this.#store.sessions.end(realm.name, payload.offlineSessionId);
      throw refuse('Code already used', 'invalid_code');
    }
    if (payload.clientId !== client.clientId) throw refuse('Auth error', 'invalid_code');
    if (payload.redirectUri !== given.redirectUri) throw refuse('Incorrect redirect_uri', 'invalid_code');
    checkVerifier(payload, given.verifier);
    return payload;
  }
}

function place(realm: Realm, code: string) {
  return { realm: realm.name, kind: KIND, keyHash: hash('sha256', code, 'base64url') };
}

function refuse(description: string, eventError: string): OAuthError {
  return new OAuthError('invalid_grant', description, { eventError });
}
