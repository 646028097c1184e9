import { HostError, type Principal } from '@keyhost/spi';
import { bearerToken, unauthorized } from '../http/bearer.js';
import { Form } from '../http/form.js';
import { ASYMMETRIC_ALGORITHMS } from '../keys/algorithms.js';
import type { KeyRing } from '../keys/key-ring.js';
import { checkTimes, type JwtPayload, verifyJwt } from '../keys/verify.js';
import type { Client } from '../model/client.js';
import type { Clock } from '../model/clock.js';
import { defined } from '../model/defined.js';
import { notBeforeOf } from '../model/not-before.js';
import type { Realm } from '../model/realm.js';
import { RoleGraph, type RoleNames } from '../model/roles.js';
import type { User } from '../model/user.js';
import type { Caller } from '../registry/sessions/caller.js';
import type { AuthenticatedCaller } from '../registry/sessions/token-audience.js';
import { sessionExpiry } from '../sessions/lifespans.js';
import type { ClientSessionRecord, Store, UserSessionRecord } from '../store/store.js';
import type { Users } from '../users/users.js';
import {
  grantedAudience,
  isOfAnotherClientSession,
  isOfLightweightToken,
  isOfOfflineSession,
} from './access-claims.js';
import { visibleRoles } from './claims.js';

/** The kind of the store record that revokes an access token; its key is the `jti`. */
export const REVOKED = 'revoked-access-token';

/** A valid access token, with its client, user and sessions. */
export interface LiveAccessToken {
  readonly payload: JwtPayload & { readonly jti: string; readonly scope: string };
  readonly client: Client;
  readonly user: User;
  /** Absent for a transient session. */
  readonly session: UserSessionRecord | undefined;
  readonly clientSession: ClientSessionRecord | undefined;
}

/** Authenticates the client of a request (RFC 6749 §2.3). Implemented by the modules of the endpoints. */
export interface ClientAuthenticator {
  /** @throws OAuthError 401 `invalid_client` or `unauthorized_client` */
  authenticate(
    realm: Realm,
    form: Form,
    credentials: Pick<Caller, 'authorization' | 'headers'>,
  ): Promise<{ readonly client: Client }>;
}

/** Verifies bearer access tokens of this host, for all endpoints. */
export class AccessTokens {
  readonly #parts: { keys: KeyRing; users: Users; store: Store; clock: Clock; clients: ClientAuthenticator };

  constructor(parts: { keys: KeyRing; users: Users; store: Store; clock: Clock; clients: ClientAuthenticator }) {
    this.#parts = parts;
  }

  /**
   * Checks signature, type, issuer, times, not-before and revocation, and that client, user and session are still
   * valid.
   * @throws HostError `invalid_token` (401); the exact reason is only logged
   */
  async check(realm: Realm, token: string): Promise<LiveAccessToken> {
    const { payload } = this.#verify(await this.#parts.keys.forToken(realm.name, token), token);
    if (payload.typ !== 'Bearer' || payload.iss !== realm.issuer) throw invalid('not an access token of this realm');
    const { jti, sub, azp, sid, scope } = payload;
    if (typeof jti !== 'string' || typeof azp !== 'string' || typeof scope !== 'string')
      throw invalid('claims are missing');
    try {
      checkTimes(payload, Math.floor(this.#parts.clock.now() / 1000));
    } catch {
      throw invalid('expired or not valid yet');
    }
    const client = realm.clients.get(azp);
    if (client === undefined || !client.enabled) throw invalid('the client is gone or disabled');
    const sessions =
      typeof sid === 'string' ? await this.#session(realm, sid, isOfOfflineSession(jti), client) : undefined;
    const userId = sessions?.session.userId ?? sub;
    const user = typeof userId === 'string' ? await this.#parts.users.byId(realm, userId) : undefined;
    if (user === undefined || !user.enabled) throw invalid('the user is gone or disabled');
    if (sub !== undefined && !client.matchesSubject(sub, user.id)) throw invalid('another user');
    const iat = Number(payload.iat);
    if (iat < notBeforeOf(realm, client, user)) throw invalid('issued before not-before');
    if (sessions !== undefined) {
      const { session, clientSession } = sessions;
      // One second of tolerance for clock differences, as in Keycloak.
      const startedAt = Math.max(session.startedAt, clientSession.startedAt);
      if ((iat + 1) * 1000 < startedAt) throw invalid('issued before its session began');
      if (isOfAnotherClientSession(jti, clientSession.startedAt)) throw invalid('its client session has ended');
    }
    const isRevoked = await this.#parts.store.marks.has({
      realm: realm.name,
      kind: REVOKED,
      keyHash: jti,
      now: this.#parts.clock.now(),
    });
    if (isRevoked) throw invalid('revoked');
    return {
      payload: payload as LiveAccessToken['payload'],
      client,
      user,
      session: sessions?.session,
      clientSession: sessions?.clientSession,
    };
  }

  /**
   * Authenticates the caller of an endpoint for `session.authenticate()`, by a bearer token or by Basic credentials of
   * a confidential client.
   */
  async authenticate(realm: Realm, { authorization, headers }: Caller): Promise<AuthenticatedCaller> {
    if (authorization !== undefined && /^basic /i.test(authorization)) {
      const { client } = await this.#parts.clients.authenticate(realm, new Form([]), { authorization, headers });
      if (client.publicClient) throw unauthorized(realm);
      const account = await this.#parts.users.serviceAccount(realm, client);
      const roles = account?.enabled ? account.roleNames(realm) : RoleGraph.names([]);
      const principal: Principal = {
        kind: 'client',
        clientId: client.clientId,
        userId: account?.id,
        realmRoles: roles.realm,
        clientRoles: roles.clients,
        scopes: [],
      };
      return { principal };
    }
    const token = bearerToken(authorization);
    if (token === undefined) throw unauthorized(realm);
    const live = await this.check(realm, token).catch((error: { code?: string }) => {
      throw error.code === 'invalid_token' ? unauthorized(realm, 'invalid_token') : error;
    });
    const roles = rolesOfToken(realm, live);
    const principal: Principal = {
      kind: 'token',
      clientId: live.client.clientId,
      userId: live.user.id,
      realmRoles: roles.realm,
      clientRoles: roles.clients,
      scopes: live.payload.scope.split(' ').filter((word) => word !== ''),
    };
    return { principal, ...defined({ audiences: restrictedAudience(live, Object.keys(roles.clients)) }) };
  }

  #verify(keys: Parameters<typeof verifyJwt>[1], token: string) {
    try {
      return verifyJwt(token, keys, { algorithms: ASYMMETRIC_ALGORITHMS });
    } catch {
      throw invalid('the token cannot be verified');
    }
  }

  async #session(realm: Realm, id: string, offline: boolean, client: Client) {
    const sessions = await this.#parts.store.sessions.find({ realm: realm.name, id, offline }, client.id);
    if (sessions?.clientSession === undefined) throw invalid('the session has ended');
    if (sessionExpiry(realm, sessions.session) <= this.#parts.clock.now()) throw invalid('the session has expired');
    return { session: sessions.session, clientSession: sessions.clientSession };
  }
}

/**
 * The roles in the token that its user still holds. A lightweight token contains none, and counts as having all that it
 * could. An impersonation token has no roles. The user's own roles are checked because a mapper may write any claim.
 */
export function rolesOfToken(realm: Realm, { payload, client, user }: LiveAccessToken): RoleNames {
  const { realm_access: realmAccess, resource_access: resourceAccess } = payload as {
    realm_access?: { roles?: unknown };
    resource_access?: Record<string, { roles?: unknown } | null>;
  };
  const heldRoles = visibleRoles({ realm, client, user, selection: client.selectScope(payload.scope) });
  if (isOfLightweightToken(payload.jti)) {
    const audience = grantedAudience(payload);
    const clients = Object.entries(heldRoles.clients).filter(([clientId]) => audience?.includes(clientId) ?? true);
    return { realm: heldRoles.realm, clients: Object.fromEntries(clients) };
  }
  const intersect = (roles: unknown, heldNames: readonly string[]) =>
    Array.isArray(roles) ? heldNames.filter((name) => roles.includes(name)) : [];
  return {
    realm: intersect(realmAccess?.roles, heldRoles.realm),
    clients: Object.fromEntries(
      Object.entries(heldRoles.clients).map(([clientId, names]) => [
        clientId,
        intersect(resourceAccess?.[clientId]?.roles, names),
      ]),
    ),
  };
}

/**
 * The only audiences that may accept the access token; undefined if it is not restricted. Restricted are tokens with an
 * actor, tokens exchanged for an audience, and tokens whose audience a mapper set without a matching role. Most tokens
 * contain `account` and the clients whose roles the user has.
 */
function restrictedAudience(
  { payload, client }: LiveAccessToken,
  clientsOfRoles: readonly string[],
): readonly string[] | undefined {
  const audience = [payload.aud ?? []].flat().map(String);
  if (payload.act !== undefined || grantedAudience(payload) !== undefined) return audience;
  const expectedAudience = ['account', client.clientId, ...clientsOfRoles];
  return audience.every((clientId) => expectedAudience.includes(clientId)) ? undefined : audience;
}

function invalid(reason: string): HostError {
  return new HostError('invalid_token', reason, { status: 401 });
}
