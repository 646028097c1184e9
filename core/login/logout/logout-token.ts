import { randomUUID } from 'node:crypto';
import type { RealmKeys } from '../../keys/realm-keys.js';
import { signJwt } from '../../keys/sign.js';
import type { Client } from '../../model/client.js';
import type { Realm } from '../../model/realm.js';
import type { UserSessionRecord } from '../../store/store.js';

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** The lifespan in seconds that OpenID Connect Back-Channel Logout 1.0 §2.4 recommends. */
const LIFESPAN_SECONDS = 120;

/**
 * Creates the logout token for a client, signed like its ID tokens. It has no nonce, so that it cannot be mistaken for
 * an ID token.
 */
export async function createLogoutToken(
  keys: RealmKeys,
  realm: Realm,
  client: Client,
  session: UserSessionRecord,
  nowSeconds: number,
): Promise<string> {
  const algorithm = client.settings.idTokenAlgorithm ?? realm.defaultSignatureAlgorithm;
  const claims = {
    exp: nowSeconds + LIFESPAN_SECONDS,
    iat: nowSeconds,
    jti: randomUUID(),
    iss: realm.issuer,
    aud: client.clientId,
    sub: client.subjectOf(session.userId),
    typ: 'Logout',
    ...(client.settings.backchannelLogoutSessionRequired ? { sid: session.id } : {}),
    events: { [LOGOUT_EVENT]: {} },
  };
  return signJwt(await keys.active(algorithm), claims, { typ: 'logout+jwt' });
}
