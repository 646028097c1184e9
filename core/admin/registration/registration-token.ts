import { INTERNAL_ALGORITHM } from '../../keys/algorithms.js';
import type { KeyRing } from '../../keys/key-ring.js';
import { signJwt } from '../../keys/sign.js';
import { checkTimes, type JwtPayload, verifyJwt } from '../../keys/verify.js';
import type { Clock } from '../../model/clock.js';
import type { Realm } from '../../model/realm.js';
import type { RegistrationAuth } from './registration-policies.js';

/**
 * Token types. Like refresh and action tokens, these tokens are signed with the realm's internal key, and `typ`
 * distinguishes them.
 */
export const INITIAL_ACCESS = 'InitialAccessToken';
export const REGISTRATION_ACCESS = 'RegistrationAccessToken';

/** The registration access token of a client. */
interface RegistrationAccess {
  readonly type: typeof REGISTRATION_ACCESS;
  readonly id: string;
  readonly auth: RegistrationAuth;
}

export interface RegistrationTokenParts {
  readonly keys: KeyRing;
  readonly clock: Clock;
}

/**
 * Issues a token for registering clients, or for changing a registered one (Keycloak's ClientRegistrationTokenUtils).
 * Its claims are `exp iat jti iss aud typ registration_auth`. `iss` and `aud` are the realm's issuer URL.
 * @param token.expiration seconds from now. Without it, the token is valid as long as its ID is stored
 */
export async function issueRegistrationToken(
  { keys, clock }: RegistrationTokenParts,
  realm: Realm,
  token: { type: typeof INITIAL_ACCESS; id: string; expiration?: number } | RegistrationAccess,
): Promise<string> {
  const now = Math.floor(clock.now() / 1000);
  const key = await (await keys.realm(realm.name)).active(INTERNAL_ALGORITHM);
  return signJwt(key, {
    ...('expiration' in token && token.expiration ? { exp: now + token.expiration } : {}),
    iat: now,
    jti: token.id,
    iss: realm.issuer,
    aud: realm.issuer,
    typ: token.type,
    ...(token.type === REGISTRATION_ACCESS ? { registration_auth: token.auth } : {}),
  });
}

/**
 * Verifies a registration token.
 * @returns its type, its ID and how its client was registered; undefined for any other token, and for an expired or
 * revoked one
 */
export async function readRegistrationToken(
  { keys, clock }: RegistrationTokenParts,
  realm: Realm,
  token: string,
): Promise<
  { type: typeof INITIAL_ACCESS | typeof REGISTRATION_ACCESS; id: string; auth: RegistrationAuth } | undefined
> {
  let payload: JwtPayload;
  try {
    payload = verifyJwt(token, await keys.forToken(realm.name, token), { algorithms: [INTERNAL_ALGORITHM] }).payload;
    checkTimes(payload, Math.floor(clock.now() / 1000), { unlimited: true });
  } catch {
    return undefined;
  }
  const { typ, jti, iss, aud, iat } = payload;
  if (typ !== INITIAL_ACCESS && typ !== REGISTRATION_ACCESS) return undefined;
  if (iss !== realm.issuer || aud !== realm.issuer || typeof jti !== 'string') return undefined;
  if (typeof iat !== 'number' || iat < realm.notBefore) return undefined;
  // An unknown value counts as anonymous.
  const auth = payload.registration_auth === 'authenticated' ? 'authenticated' : 'anonymous';
  return { type: typ, id: jti, auth };
}
