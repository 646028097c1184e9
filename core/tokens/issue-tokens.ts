import { hash, randomUUID } from 'node:crypto';
import type { MapperInput } from '@keyhost/spi';
import { INTERNAL_ALGORITHM } from '../keys/algorithms.js';
import type { KeyRing } from '../keys/key-ring.js';
import type { RealmKeys } from '../keys/realm-keys.js';
import { signJwt } from '../keys/sign.js';
import type { Client } from '../model/client.js';
import type { Clock } from '../model/clock.js';
import { notBeforeOf } from '../model/not-before.js';
import type { Realm } from '../model/realm.js';
import type { HostSession } from '../registry/sessions/host-session.js';
import { clientSessionExpiry } from '../sessions/lifespans.js';
import type { RefreshTokenIds } from '../sessions/token-sessions.js';
import { accessClaims, addProfileClaims, isLightweight } from './access-claims.js';
import { acrOfLogin, LEVEL_NOTE, PLAIN_LEVEL } from './acr.js';
import type { ClaimMapping, ClaimsRequest } from './claims.js';
import { referencesOf } from './method-references.js';
import type { Claims, ClaimTarget } from './place-claim.js';
import { requestedClaimsOf } from './requested-claims.js';
import type { TokenPlan } from './token-plan.js';

export interface IssuedTokens {
  /** The response of the token endpoint, with Keycloak's order of members. */
  readonly body: Record<string, unknown>;
  /** Details for the event. */
  readonly details: Record<string, string>;
}

/** Issues access, ID and refresh tokens (Keycloak's TokenManager). */
export class TokenIssuer {
  readonly #parts: { keys: KeyRing; mapping: ClaimMapping; clock: Clock };

  constructor(parts: { keys: KeyRing; mapping: ClaimMapping; clock: Clock }) {
    this.#parts = parts;
  }

  async issue(realm: Realm, plan: TokenPlan, session: () => HostSession): Promise<IssuedTokens> {
    const keys = await this.#parts.keys.realm(realm.name);
    const now = Math.floor(this.#parts.clock.now() / 1000);
    const { client } = plan;
    const impersonation = plan.granted?.exact;
    const mapped: ClaimsByTarget = impersonation
      ? { access: {} }
      : await this.#parts.mapping.map(claimsRequestOf(realm, plan), targetsOf(plan), session);
    if (plan.idToken && impersonation === undefined) await this.#addRequestedClaims(realm, plan, mapped, session);
    const access = accessClaims(realm, plan, now, mapped.access ?? mapped.lightweight ?? {});
    const isProfiled = client.settings.accessTokenProfile;
    if (isProfiled && !isLightweight(plan)) addProfileClaims(realm, plan, access);
    const accessToken = await signJwt(await keys.active(accessAlgorithm(realm, client)), access, {
      typ: isProfiled ? 'at+jwt' : 'JWT',
    });
    const idToken = plan.idToken
      ? await this.#signIdToken(realm, plan, keys, access, mapped.id ?? {}, accessToken)
      : undefined;
    // Rotate last: if an earlier step fails, for example because a key is unavailable, the client can still use its
    // refresh token.
    const next = plan.rotate === undefined ? plan.refresh : await plan.rotate();
    const hasRefreshToken = next !== undefined && plan.withholdRefreshToken !== true;
    const refresh = !hasRefreshToken ? undefined : refreshClaims(realm, plan, next, now, access.nonce);
    const refreshToken =
      refresh === undefined ? undefined : await signJwt(await keys.active(INTERNAL_ALGORITHM), refresh);
    const isIdTokenOnly = plan.idTokenAlone === true && idToken !== undefined;
    // Add members one by one: an object literal with conditional spreads takes several times as long.
    const body: Record<string, unknown> = {
      access_token: isIdTokenOnly ? idToken : accessToken,
      expires_in: (access.exp as number) - now,
      refresh_expires_in: refresh?.exp === undefined ? 0 : (refresh.exp as number) - now,
    };
    if (refreshToken !== undefined) body.refresh_token = refreshToken;
    body.token_type = isIdTokenOnly ? 'N_A' : tokenType(client);
    if (idToken !== undefined && !isIdTokenOnly) body.id_token = idToken;
    body['not-before-policy'] = notBeforeOf(realm, client, plan.user);
    if (plan.session !== undefined) body.session_state = plan.session.id;
    body.scope = access.scope;
    if (mapped.response !== undefined) Object.assign(body, mapped.response);
    if (plan.response !== undefined) Object.assign(body, plan.response);
    const details: Record<string, string> = Object.assign({}, plan.details);
    details.token_id = String(access.jti);
    details.scope = String(access.scope);
    if (refresh !== undefined) {
      details.refresh_token_type = String(refresh.typ);
      details[plan.grant === 'rt' ? 'updated_refresh_token_id' : 'refresh_token_id'] = String(refresh.jti);
    }
    return { body, details };
  }

  /** Adds the claims that the login requested by name to those of its scopes. */
  async #addRequestedClaims(
    realm: Realm,
    plan: TokenPlan,
    mapped: ClaimsByTarget,
    session: () => HostSession,
  ): Promise<void> {
    const { idToken } = requestedClaimsOf(plan.clientSession?.notes);
    if (idToken === undefined) return;
    const request = claimsRequestOf(realm, plan);
    const authTime = plan.session?.authTime;
    const authTimeClaim = authTime !== undefined && 'auth_time' in idToken ? { auth_time: authTime } : {};
    mapped.id = {
      ...(await this.#parts.mapping.mapRequested(request, idToken, session)),
      ...authTimeClaim,
      ...mapped.id,
    };
  }

  async #signIdToken(
    realm: Realm,
    plan: TokenPlan,
    keys: RealmKeys,
    access: Claims,
    mapped: Claims,
    accessToken: string,
  ) {
    const { client, user } = plan;
    const algorithm = client.settings.idTokenAlgorithm ?? realm.defaultSignatureAlgorithm;
    const claims: Claims = {
      exp: access.exp,
      iat: access.iat,
      jti: randomUUID(),
      iss: realm.issuer,
      aud: idAudience(client, mapped),
      // For a transient session it is the user's ID, as in the access token.
      sub: plan.session === undefined ? user.id : client.subjectOf(user.id),
      typ: 'ID',
      azp: client.clientId,
      sid: access.sid,
      at_hash: leftHalfHash(accessToken, algorithm),
    };
    if (plan.nonce !== undefined) claims.nonce = plan.nonce;
    for (const name of Object.keys(mapped)) if (!Object.hasOwn(claims, name)) claims[name] = mapped[name];
    return signJwt(await keys.active(algorithm), claims);
  }
}

interface ClaimsByTarget {
  readonly access?: Claims;
  readonly lightweight?: Claims;
  id?: Claims;
  readonly response?: Claims;
}

type Target = Exclude<ClaimTarget, 'userinfo' | 'introspection'>;

function targetsOf(plan: TokenPlan): readonly Target[] {
  const targets: Target[] = [isLightweight(plan) ? 'lightweight' : 'access'];
  if (plan.idToken) targets.push('id');
  if (plan.selection.mappers.some(({ inResponse }) => inResponse)) targets.push('response');
  return targets;
}

/** The audience of an ID token: its client, and the audiences that a mapper adds. */
export function idAudience({ clientId }: Client, { aud }: Claims): string | readonly string[] {
  if (!Array.isArray(aud)) return clientId;
  const audience = [...new Set([clientId, ...aud.map(String)])];
  return audience.length === 1 ? clientId : audience;
}

function claimsRequestOf(realm: Realm, plan: TokenPlan): ClaimsRequest {
  const { client, user, selection, granted } = plan;
  const session = sessionOfMappers(realm, client, plan);
  return { realm, client, user, selection, session, audience: granted?.audience };
}

function refreshClaims(realm: Realm, plan: TokenPlan, ids: RefreshTokenIds, now: number, nonce: unknown): Claims {
  const { client, session, selection, user, granted } = plan;
  if (session === undefined) throw new Error('a refresh token requires a session');
  const isLimited = !session.offline || realm.settings.offlineMax !== undefined;
  const { startedAt, offline } = session;
  const claims: Claims = {};
  if (isLimited) {
    const lastRefresh = now * 1000;
    const clientTimes = { startedAt: plan.clientSession?.startedAt ?? startedAt, lastRefresh };
    const expiry = clientSessionExpiry(realm, client, { ...session, lastRefresh }, clientTimes);
    claims.exp = Math.floor(expiry / 1000);
  }
  claims.iat = now;
  claims.jti = ids.jti;
  claims.iss = realm.issuer;
  claims.aud = realm.issuer;
  claims.sub = client.subjectOf(user.id);
  claims.typ = offline ? 'Offline' : 'Refresh';
  claims.azp = client.clientId;
  claims.sid = session.id;
  // Store the full scope of the login, even if this access token has less: a later refresh may request all of it again.
  claims.scope = granted?.exact?.scope ?? plan.clientSession?.scope ?? selection.fullScope;
  claims.reuse_id = ids.family;
  if (plan.clientSession !== undefined) claims.began = plan.clientSession.startedAt;
  // As in Keycloak, store the nonce, because the next access token must contain it too.
  if (nonce !== undefined) claims.nonce = nonce;
  if (granted !== undefined) claims.granted = granted;
  return claims;
}

const NO_NOTES = Object.freeze({});

/** The session as mappers see it. Without a stored session there are only the notes of the plan. */
export function sessionOfMappers(
  realm: Realm,
  client: Client,
  { session, clientSession, notes: transient = NO_NOTES, nonce }: MappedSession,
): MapperInput['session'] {
  const requestedClaims = requestedClaimsOf(clientSession?.notes);
  const level = Number(clientSession?.notes[LEVEL_NOTE] ?? PLAIN_LEVEL);
  const acr = acrOfLogin(realm, client, level, requestedClaims.idToken?.acr);
  const amr = referencesOf(clientSession?.notes);
  if (session === undefined) return { acr, amr, notes: transient };
  const { id, notes, authTime } = session;
  const requestedValues = requestedClaims.idTokenValues;
  const mapperSession: Mutable<MapperInput['session']> = { id, acr, amr, notes };
  if (authTime !== undefined) mapperSession.authTime = authTime;
  if (nonce !== undefined) mapperSession.nonce = nonce;
  if (requestedValues !== undefined) mapperSession.requestedValues = requestedValues;
  return mapperSession;
}

type MappedSession = Pick<TokenPlan, 'session' | 'clientSession' | 'notes' | 'nonce'>;
type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

function accessAlgorithm(realm: Realm, client: Client): string {
  return client.settings.accessTokenAlgorithm ?? realm.defaultSignatureAlgorithm;
}

function tokenType(client: Client): string {
  return client.settings.lowerCaseTokenType ? 'bearer' : 'Bearer';
}

/**
 * The `at_hash` of OpenID Connect Core §3.1.3.6: the left half of the hash, by the ID token's hash algorithm. EdDSA
 * (Ed25519) hashes with SHA-512.
 */
function leftHalfHash(token: string, algorithm: string): string {
  const bits = algorithm === 'EdDSA' ? '512' : algorithm.slice(-3);
  const digest = hash(`sha${bits}`, token, 'buffer');
  return digest.subarray(0, digest.length / 2).toString('base64url');
}
