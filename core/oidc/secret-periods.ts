import { SECRET } from '../model/client-secrets.js';
import type { Clock } from '../model/clock.js';
import type { Realm } from '../model/realm.js';
import type { RealmEdits } from '../realms/realm-edits.js';

/** Gives an end to secrets that have none, where a client policy asks for it: at their first use. */
export class SecretPeriods {
  readonly #edits: RealmEdits;
  readonly #clock: Clock;
  /** Clients whose secret is being given its end: many requests may come at once. */
  readonly #underWay = new Set<string>();

  constructor(edits: RealmEdits, clock: Clock) {
    this.#edits = edits;
    this.#clock = clock;
  }

  /** @param period seconds from now @throws HostError as a change of the realm does */
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
