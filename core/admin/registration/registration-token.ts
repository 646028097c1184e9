import { INTERNAL_ALGORITHM } from '../../keys/algorithms.js';
import type { KeyRing } from '../../keys/key-ring.js';
import { signJwt } from '../../keys/sign.js';
import { checkTimes, type JwtPayload, verifyJwt } from '../../keys/verify.js';
import type { Clock } from '../../model/clock.js';
import type { Realm } from '../../model/realm.js';
import type { RegistrationAuth } from './registration-policies.js';

/** The realm's internal key signs them, as refresh and action tokens; `typ` keeps the kinds apart. */
export const INITIAL_ACCESS = 'InitialAccessToken';
export const REGISTRATION_ACCESS = 'RegistrationAccessToken';

/** The token of a registered client. */
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
 * A token with which clients are registered, or a registered client changed (Keycloak's ClientRegistrationTokenUtils):
 * `exp iat jti iss aud typ registration_auth`, `iss` and `aud` the realm's address.
 * @param token.expiration seconds from now; without it the token is good as long as its id is known
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
 * Reads such a token.
 * @returns its kind, its id and how its client was registered; undefined for anything that is not such a token of this realm, or not good any more
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
  // Whatever is no word of ours is judged by the policies for nobody in particular.
  const auth = payload.registration_auth === 'authenticated' ? 'authenticated' : 'anonymous';
  return { type: typ, id: jti, auth };
}
