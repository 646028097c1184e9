import { GrpcService } from '@keyhost/spi';
import type { Realm } from '../model/realm.js';
import type { Realms } from '../realms/realms.js';

interface ServiceRealms {
  /** Names of realms that enable the service. */
  readonly names: Set<string>;
  /** Names of realms to check. */
  readonly stale: Set<string>;
  first: string | undefined;
  looking: Promise<Realm | undefined> | undefined;
}

/** The realms that enable a service, by its ID. All realms are checked once, and again after a change. */
export class EnablingRealms {
  readonly #realms: Realms;
  readonly #services = new Map<string, ServiceRealms>();

  constructor(realms: Realms) {
    this.#realms = realms;
    realms.onChanged((name) => {
      for (const { stale } of this.#services.values()) stale.add(name);
    });
  }

  /** Returns the first enabled realm, by name, that enables the service. */
  first(id: string): Realm | undefined | Promise<Realm | undefined> {
    let known = this.#services.get(id);
    if (known === undefined) {
      known = { names: new Set(), stale: new Set(this.#realms.names()), first: undefined, looking: undefined };
      this.#services.set(id, known);
    }
    if (known.looking === undefined && known.stale.size === 0) {
      return known.first === undefined
        ? undefined
        : (this.#realms.cached(known.first) ?? this.#realms.get(known.first));
    }
    known.looking ??= this.#look(id, known).finally(() => {
      known.looking = undefined;
    });
    return known.looking;
  }

  async #look(id: string, known: ServiceRealms): Promise<Realm | undefined> {
    const { names, stale } = known;
    while (stale.size > 0) {
      for (const name of stale) {
        stale.delete(name);
        const realm = await this.#realms.get(name);
        if (realm?.enabled && realm.provider(GrpcService.id, id)?.enabled) names.add(name);
        else names.delete(name);
      }
    }
    known.first = [...names].sort()[0];
    return known.first === undefined ? undefined : this.#realms.get(known.first);
  }
}
