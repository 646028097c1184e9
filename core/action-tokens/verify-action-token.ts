import {
  type ActionToken,
  ActionTokenHandler,
  type ActionTokenHandlerDeclaration,
  type ActionTokenProvider,
} from '@keyhost/spi';
import type { Exchange } from '../http/exchange.js';
import { lacksTls } from '../http/realm-dispatch.js';
import { INTERNAL_ALGORITHM } from '../keys/algorithms.js';
import type { KeyRing } from '../keys/key-ring.js';
import { checkTimes, decodeUnverified, type JwtPayload, verifyJwt } from '../keys/verify.js';
import type { Client } from '../model/client.js';
import type { Clock } from '../model/clock.js';
import { codeOf } from '../model/thrown.js';
import type { User } from '../model/user.js';
import { type EnabledProvider, enabledProvider } from '../registry/generations/realm-providers.js';
import type { Store } from '../store/store.js';
import type { Users } from '../users/users.js';
import { revokedTokenKey } from './action-token-keys.js';
import { issueTime } from './action-token-nonce.js';
import { createRefusal } from './action-token-refusal.js';
import type { ClaimChecks } from './claim-checks.js';
import { ISSUED_BY } from './link-issuer.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export interface VerifiedActionToken {
  readonly handler: EnabledProvider<ActionTokenHandlerDeclaration, ActionTokenProvider>;
  readonly token: ActionToken;
  /** The authentication session ID in the token's `asid`. */
  readonly authenticationSessionId: string | undefined;
  readonly user: User;
  readonly client: Client | undefined;
  /** The plugin that issued the link, if the handler has rights that this plugin lacks. */
  readonly issuedBy: string | undefined;
}

/**
 * The known data of a link, for its event. They are filled in while the link is verified, so a failure's event has them
 * too.
 */
export interface LinkEventData {
  readonly exchange: Exchange;
  eventType: string;
  userId?: string;
  clientId?: string;
  readonly details: Record<string, string>;
}

/** Verifies the action tokens of links. */
export class ActionTokenChecks {
  readonly #parts: { keys: KeyRing; users: Users; store: Store; clock: Clock; claims: ClaimChecks };

  constructor(parts: { keys: KeyRing; users: Users; store: Store; clock: Clock; claims: ClaimChecks }) {
    this.#parts = parts;
  }

  /**
   * Verifies a link with the checks of Keycloak's LoginActionsService.handleActionToken, in its order. Nothing takes
   * effect before all have passed.
   * @param eventData filled in as data of the link become known
   * @throws ActionTokenRefusal
   */
  async verify(eventData: LinkEventData, key: string): Promise<VerifiedActionToken> {
    const { realm } = eventData.exchange;
    const { handler, typ } = findHandler(eventData, decodeUntrusted(key));
    const { eventType, defaultError, defaultMessage } = handler.registered.declaration;
    const createFailure = () => createRefusal(defaultError, defaultMessage);
    const payload = verifySignature(key, await this.#parts.keys.forToken(realm.name, key), createFailure);
    checkExpiry(payload, this.#parts.clock.now(), createFailure);
    const { nonce, exp, iat } = payload;
    if (payload.iss !== realm.issuer || payload.aud !== realm.issuer || payload.typ !== typ) throw createFailure();
    if (typeof nonce !== 'string' || typeof payload.sub !== 'string' || typeof iat !== 'number') throw createFailure();
    // A link issued in the second of not-before may be older or newer, so refuse it.
    if (realm.notBefore > 0 && iat <= realm.notBefore) throw createFailure();
    const claims = this.#parts.claims.selectCustomClaims(payload);
    if (this.#parts.claims.findProblem(handler.registered, claims) !== undefined) throw createFailure();
    eventData.eventType = eventType;
    const user = await this.#userOf(eventData, payload.sub);
    if (iat < user.notBefore) throw createFailure();
    // The same message as for a used link, because the user may have used it to set a new password.
    const isOutdated = issueTime(nonce, iat) <= user.linksNotBefore;
    if (isOutdated || (await this.#isRevoked(realm.name, String(payload.jti)))) {
      throw createRefusal('expired_code', 'expiredActionTokenNoSessionMessage');
    }
    const client = requestingClient(payload, eventData);
    if (client !== undefined && iat < client.notBefore) throw createFailure();
    return {
      handler,
      user,
      client,
      issuedBy: typeof payload[ISSUED_BY] === 'string' ? payload[ISSUED_BY] : undefined,
      token: {
        type: typ,
        id: String(payload.jti),
        subject: user.id,
        issuedAt: iat,
        expiresAt: Number(exp),
        nonce,
        claims,
      },
      authenticationSessionId: typeof payload.asid === 'string' ? payload.asid : undefined,
    };
  }

  async #userOf({ exchange, details }: LinkEventData, id: string): Promise<User> {
    const user = await this.#parts.users.byId(exchange.realm, id);
    if (user === undefined) throw createRefusal('user_not_found', 'invalidUserMessage');
    details.username = user.username;
    if (!user.enabled) throw createRefusal('user_disabled', 'accountDisabledMessage');
    return user;
  }

  /** True if an admin has revoked this link. */
  #isRevoked(realm: string, id: string): Promise<boolean> {
    return this.#parts.store.marks.has({ ...revokedTokenKey(realm, id), now: this.#parts.clock.now() });
  }
}

/**
 * Finds the handler of the link's type, and fills in the event data.
 * @throws ActionTokenRefusal if there is none, or this request may not use it
 */
function findHandler(eventData: LinkEventData, { typ, jti, sub }: JwtPayload) {
  const { exchange, details } = eventData;
  const { ctx, realm } = exchange;
  if (typeof jti === 'string') details.token_id = jti;
  if (typeof sub === 'string') eventData.userId = sub;
  if (typeof typ !== 'string') throw createRefusal('invalid_code', 'invalidCodeMessage');
  details.action = typ;
  const handler = enabledProvider(ctx.providers, realm, ActionTokenHandler, typ);
  if (handler === undefined) throw createRefusal('invalid_code', 'invalidCodeMessage');
  if (!realm.enabled) throw createRefusal('realm_disabled', 'realmNotEnabledMessage');
  if (lacksTls(exchange)) throw createRefusal('ssl_required', 'httpsRequiredMessage');
  return { handler, typ };
}

/** Decodes the token without verification, only to find its handler. Never trust this payload. */
function decodeUntrusted(key: string): JwtPayload {
  let payload: JwtPayload;
  try {
    payload = decodeUnverified(key).payload;
  } catch {
    throw createRefusal('invalid_code', 'invalidCodeMessage');
  }
  const { nonce } = payload;
  if (nonce !== undefined && (typeof nonce !== 'string' || !UUID.test(nonce))) {
    throw createRefusal('invalid_code', 'invalidCodeMessage');
  }
  return payload;
}

function verifySignature(key: string, keys: Parameters<typeof verifyJwt>[1], createFailure: () => Error): JwtPayload {
  try {
    return verifyJwt(key, keys, { algorithms: [INTERNAL_ALGORITHM] }).payload;
  } catch {
    throw createFailure();
  }
}

function checkExpiry(payload: JwtPayload, now: number, createFailure: () => Error): void {
  try {
    checkTimes(payload, Math.floor(now / 1000));
  } catch (error) {
    if (codeOf(error) === 'expired') {
      throw createRefusal('expired_code', 'expiredActionTokenNoSessionMessage');
    }
    throw createFailure();
  }
}

/** The client for which the action was requested; undefined if the token names none. */
function requestingClient({ azp }: JwtPayload, eventData: LinkEventData): Client | undefined {
  if (azp === undefined) return undefined;
  const client = typeof azp === 'string' ? eventData.exchange.realm.clients.get(azp) : undefined;
  if (client === undefined) throw createRefusal('client_not_found', 'unknownLoginRequesterMessage');
  eventData.clientId = client.clientId;
  if (!client.enabled) throw createRefusal('client_not_found', 'loginRequesterNotEnabledMessage');
  return client;
}
