import { SECRET_ATTRIBUTES } from '../model/client-secrets.js';
import type { Clock } from '../model/clock.js';
import type { Realm } from '../model/realm.js';
import type { RealmEdits } from '../realms/realm-edits.js';

/** Sets the expiry of a client secret that has none when it is first used, if a client policy requires this. */
export class SecretExpiry {
  readonly #edits: RealmEdits;
  readonly #clock: Clock;
  /** UUIDs of clients whose expiry is being set. Many requests may arrive at the same time. */
  readonly #pendingClients = new Set<string>();

  constructor(edits: RealmEdits, clock: Clock) {
    this.#edits = edits;
    this.#clock = clock;
  }

  /**
   * Sets the expiry if the secret has none.
   * @param lifetime seconds from now
   * @throws HostError of the realm's change
   */
  async start({ name }: Realm, clientUuid: string, lifetime: number): Promise<void> {
    if (this.#pendingClients.has(clientUuid)) return;
    this.#pendingClients.add(clientUuid);
    try {
      await this.#edits.edit(name, ({ clients }) => {
        const client = clients?.find(({ id }) => id === clientUuid);
        if (client === undefined || client.attributes?.[SECRET_ATTRIBUTES.expiresAt]) return;
        const expiresAt = String(Math.floor(this.#clock.now() / 1000) + lifetime);
        client.attributes = { ...client.attributes, [SECRET_ATTRIBUTES.expiresAt]: expiresAt };
      });
    } finally {
      this.#pendingClients.delete(clientUuid);
    }
  }
}
