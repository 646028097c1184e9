import { ActionTokenHandler, HostError, type IssuedActionToken } from '@keyhost/spi';
import { INTERNAL_ALGORITHM } from '../keys/algorithms.js';
import type { KeyRing } from '../keys/key-ring.js';
import { signJwt } from '../keys/sign.js';
import type { Clock } from '../model/clock.js';
import { defined } from '../model/defined.js';
import { MAX_ACTION_TOKEN_LIFESPAN, type Realm } from '../model/realm.js';
import { timeOrderedId } from '../model/time-ordered-id.js';
import { enabledProvider } from '../registry/generations/realm-providers.js';
import type { HostSession } from '../registry/sessions/host-session.js';
import type { ActionTokenRequest } from '../registry/sessions/session-services.js';
import type { ActionTokenStore } from '../store/store.js';
import type { Users } from '../users/users.js';
import { isAuthenticationSessionId, newAuthenticationSessionId } from './authentication-session-id.js';
import type { ClaimChecks } from './claim-checks.js';
import { issuerClaim } from './link-issuer.js';

export interface IssueParts {
  readonly keys: KeyRing;
  readonly users: Users;
  readonly clock: Clock;
  readonly claims: ClaimChecks;
  readonly store: { readonly actionTokens: Pick<ActionTokenStore, 'add'> };
}

/**
 * Signs an action token. The claims of Keycloak's DefaultActionToken are `exp iat jti iss aud sub typ nonce asid`, with
 * `jti` equal to `nonce`; the handler's own claims are added. `asid` is the name of the request's authentication
 * session, else a new name that no browser has.
 * @throws HostError `action_token_type_unknown` (404), `invalid_claims` (400), `user_not_found` (404),
 * `invalid_argument` (500)
 */
export async function issueActionToken(
  { keys, users, clock, claims, store }: IssueParts,
  realm: Realm,
  request: ActionTokenRequest,
  { generation }: HostSession,
): Promise<IssuedActionToken> {
  const handler = enabledProvider(generation, realm, ActionTokenHandler, request.type);
  if (handler === undefined) {
    throw new HostError('action_token_type_unknown', `No action-token handler "${request.type}" is enabled`, {
      status: 404,
    });
  }
  if (request.login !== undefined && !isAuthenticationSessionId(request.login)) {
    throw new HostError('invalid_argument', 'login must be the `login` of the context of a step or required action');
  }
  const customClaims = request.claims ?? {};
  const problem = claims.findProblem(handler.registered, customClaims);
  if (problem !== undefined) throw new HostError('invalid_claims', problem, { status: 400 });
  const user = await users.byId(realm, request.userId);
  if (user === undefined) throw new HostError('user_not_found', 'User not found', { status: 404 });
  const client = request.clientId === undefined ? undefined : realm.clients.get(request.clientId);
  const nowMs = clock.now();
  const nowSeconds = Math.floor(nowMs / 1000);
  const expiresIn = Math.min(request.expiresIn ?? defaultLifespan(realm, request.type), MAX_ACTION_TOKEN_LIFESPAN);
  const nonce = timeOrderedId(nowMs);
  const key = await (await keys.realm(realm.name)).active(INTERNAL_ALGORITHM);
  const token = await signJwt(key, {
    exp: nowSeconds + expiresIn,
    iat: nowSeconds,
    jti: nonce,
    iss: realm.issuer,
    aud: realm.issuer,
    sub: user.id,
    typ: request.type,
    ...defined({ azp: client?.clientId }),
    nonce,
    ...customClaims,
    ...issuerClaim(request.requestedBy, handler.registered, realm),
    asid: request.login ?? newAuthenticationSessionId(realm, client),
  });
  request.onSigned?.({ id: nonce, expiresIn });
  if (realm.actionTokenRule(request.type) !== undefined) {
    // Record the token before it is returned, so that the store contains every issued token.
    await store.actionTokens.add({
      realm: realm.name,
      userId: user.id,
      id: nonce,
      type: request.type,
      clientId: client?.clientId,
      issuedAt: nowMs,
      expiresAt: (nowSeconds + expiresIn) * 1000,
    });
  }
  return { token, link: `${realm.issuer}/login-actions/action-token?key=${token}`, expiresIn, id: nonce };
}

/** Lifespan in seconds: Keycloak's realm attribute for the type, else `actionTokenGeneratedByUserLifespan`. */
function defaultLifespan(realm: Realm, type: string): number {
  return realm.settings.actionTokenLifespan(type) ?? realm.lifespans.actionTokenByUser;
}
