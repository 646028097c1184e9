import type { Logger } from '@keyhost/spi';
import type { KeyRing } from '../../keys/key-ring.js';
import { outboundPost } from '../../keys/outbound/outbound-request.js';
import type { Client } from '../../model/client.js';
import type { Clock } from '../../model/clock.js';
import type { PrivateNetworks } from '../../model/private-networks.js';
import type { Realm } from '../../model/realm.js';
import { messageOf } from '../../model/thrown.js';
import type { UserSessionRecord } from '../../store/store.js';
import { createLogoutToken } from './logout-token.js';

/** Maximum time that a logout waits for the slowest application, in milliseconds. */
const TIMEOUT_MS = 3_000;
/** Maximum size of an application's response in bytes; its content is ignored. */
const MAX_RESPONSE_BYTES = 64 * 1024;

/**
 * Notifies applications directly, without the browser, that a session has ended (OpenID Connect Back-Channel Logout
 * 1.0).
 */
export class BackchannelLogout {
  readonly #parts: { keys: KeyRing; clock: Clock; logger: Logger; privateNetworks: PrivateNetworks };

  /** @param parts.privateNetworks networks in which applications may be called, in addition to public addresses */
  constructor(parts: { keys: KeyRing; clock: Clock; logger: Logger; privateNetworks: PrivateNetworks }) {
    this.#parts = parts;
  }

  /** Notifies all clients at the same time. Failures are logged, and delay the logout no longer than the limit. */
  async notify(realm: Realm, clients: readonly Client[], session: UserSessionRecord): Promise<void> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    await Promise.all(
      clients.map(async (client) => {
        const address = client.addresses.backchannelLogout;
        if (address === undefined) return;
        try {
          await this.#sendLogoutToken(realm, client, session, address, signal);
        } catch (error) {
          const message = messageOf(error);
          const reason = signal.aborted ? `no answer within ${TIMEOUT_MS} ms` : message;
          this.#parts.logger.warn('back-channel logout failed', { realm: realm.name, client: client.clientId, reason });
        }
      }),
    );
  }

  async #sendLogoutToken(
    realm: Realm,
    client: Client,
    session: UserSessionRecord,
    address: string,
    signal: AbortSignal,
  ) {
    const now = Math.floor(this.#parts.clock.now() / 1000);
    const token = await createLogoutToken(await this.#parts.keys.realm(realm.name), realm, client, session, now);
    const { status } = await outboundPost(address, new URLSearchParams({ logout_token: token }), {
      signal,
      maxBytes: MAX_RESPONSE_BYTES,
      privateNetworks: this.#parts.privateNetworks,
    });
    if (status < 200 || status > 299) throw new Error(`the application answered ${status}`);
  }
}
