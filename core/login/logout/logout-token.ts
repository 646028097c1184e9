import { randomUUID } from 'node:crypto';
import type { RealmKeys } from '../../keys/realm-keys.js';
import { signJwt } from '../../keys/sign.js';
import type { Client } from '../../model/client.js';
import type { Realm } from '../../model/realm.js';
import type { UserSessionRecord } from '../../store/store.js';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** As OpenID Connect Back-Channel Logout 1.0 §2.4 recommends, in seconds. */
const LIFESPAN = 120;

/** The logout token for a client, signed like its ID tokens. It never has a nonce, so that it cannot pass for one. */
export async function logoutToken(
  keys: RealmKeys,
  realm: Realm,
  client: Client,
  session: UserSessionRecord,
  nowSeconds: number,
): Promise<string> {
  const algorithm = client.settings.idTokenAlgorithm ?? realm.defaultSignatureAlgorithm;
  const claims = {
    exp: nowSeconds + LIFESPAN,
    iat: nowSeconds,
    jti: randomUUID(),
    iss: realm.issuer,
    aud: client.clientId,
    sub: client.subjectOf(session.userId),
    typ: 'Logout',
    ...(client.settings.backchannelLogoutSessionRequired ? { sid: session.id } : {}),
    events: { [EVENT]: {} },
  };
  return signJwt(await keys.active(algorithm), claims, { typ: 'logout+jwt' });
}
