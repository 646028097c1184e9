import type { KeyRing } from '../keys/key-ring.js';
import { verifyJwt } from '../keys/verify.js';
import type { Realm } from '../model/realm.js';

/** The claims of an `id_token_hint`. */
export interface IdTokenHint {
  readonly clientId: string;
  /** The `sub` of the token: the user's ID as the client sees it. */
  readonly subject: string;
  /** Absent if the token was issued without a lasting session. */
  readonly sessionId: string | undefined;
  /** Seconds since the epoch. */
  readonly issuedAt: number;
}

/**
 * Reads an `id_token_hint`: an ID token that this realm signed. Expiry is ignored (OpenID Connect Core §3.1.2.1,
 * RP-Initiated Logout 1.0 §4), because the token only identifies the user that the client means.
 * @returns undefined for any other token
 */
export async function readIdTokenHint(keys: KeyRing, realm: Realm, token: string): Promise<IdTokenHint | undefined> {
  const realmKeys = await keys.forToken(realm.name, token);
  try {
    const { typ, iss, azp, sub, sid, iat } = verifyJwt(token, realmKeys).payload;
    if (typ !== 'ID' || iss !== realm.issuer) return undefined;
    if (typeof azp !== 'string' || typeof sub !== 'string' || typeof iat !== 'number') return undefined;
    return { clientId: azp, subject: sub, sessionId: typeof sid === 'string' ? sid : undefined, issuedAt: iat };
  } catch {
    return undefined;
  }
}
