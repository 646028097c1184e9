import { SECRET } from '../model/client-secrets.js';
import type { Clock } from '../model/clock.js';
import type { Realm } from '../model/realm.js';
import type { RealmEdits } from '../realms/realm-edits.js';

/** Sets the expiry of client secrets that have none, at their first use, if a client policy requires it. */
export class SecretExpiry {
  readonly #edits: RealmEdits;
  readonly #clock: Clock;
  /** Clients whose expiry is being set, because many requests may arrive at the same time. */
  readonly #underWay = new Set<string>();

  constructor(edits: RealmEdits, clock: Clock) {
    this.#edits = edits;
    this.#clock = clock;
  }

  /** @param period seconds from now @throws HostError of the realm's change */
  async start({ name }: Realm, clientUuid: string, period: number): Promise<void> {
    if (this.#underWay.has(clientUuid)) return;
    this.#underWay.add(clientUuid);
    try {
      await this.#edits.edit(name, ({ clients }) => {
        const client = clients?.find(({ id }) => id === clientUuid);
        if (client === undefined || client.attributes?.[SECRET.expiresAt]) return;
        const expiresAt = String(Math.floor(this.#clock.now() / 1000) + period);
        client.attributes = { ...client.attributes, [SECRET.expiresAt]: expiresAt };
      });
    } finally {
      this.#underWay.delete(clientUuid);
    }
  }
}
