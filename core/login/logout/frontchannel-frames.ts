import type { Client } from '../../model/client.js';
import type { Realm } from '../../model/realm.js';
import type { UserSessionRecord } from '../../store/store.js';

/**
 * The frames in which applications end their sessions, with the session in their URLs (Front-Channel Logout 1.0 §2).
 */
export function frontchannelFrames(
  realm: Realm,
  clients: readonly Client[],
  session: UserSessionRecord,
): { name: string; url: string }[] {
  return clients.flatMap((client) => {
    const address = client.frontchannelLogout ? client.addresses.frontchannelLogout : undefined;
    if (address === undefined) return [];
    const url = new URL(address);
    if (client.settings.frontchannelLogoutSessionRequired) {
      url.searchParams.set('iss', realm.issuer);
      url.searchParams.set('sid', session.id);
    }
    return [{ name: client.name || client.clientId, url: url.href }];
  });
}
