import { GrpcService } from '@keyhost/spi';
import type { Realm } from '../model/realm.js';
import type { Realms } from '../realms/realms.js';

interface ServiceRealms {
  /** The names of realms that enable the service. */
  readonly names: Set<string>;
  /** The names of realms that must be checked. */
  readonly staleNames: Set<string>;
  first: string | undefined;
  checking: Promise<Realm | undefined> | undefined;
}

/**
 * The realms that enable each service, by the service's ID. All realms are checked once, and a realm again after it has
 * changed.
 */
export class EnablingRealms {
  readonly #realms: Realms;
  readonly #services = new Map<string, ServiceRealms>();

  constructor(realms: Realms) {
    this.#realms = realms;
    realms.onChanged((name) => {
      for (const { staleNames: stale } of this.#services.values()) stale.add(name);
    });
  }

  /** Returns the first realm, by name, that is enabled and enables the service. */
  firstRealm(id: string): Realm | undefined | Promise<Realm | undefined> {
    let service = this.#services.get(id);
    if (service === undefined) {
      service = { names: new Set(), staleNames: new Set(this.#realms.names()), first: undefined, checking: undefined };
      this.#services.set(id, service);
    }
    if (service.checking === undefined && service.staleNames.size === 0) {
      return service.first === undefined
        ? undefined
        : (this.#realms.cached(service.first) ?? this.#realms.get(service.first));
    }
    service.checking ??= this.#checkStaleRealms(id, service).finally(() => {
      service.checking = undefined;
    });
    return service.checking;
  }

  async #checkStaleRealms(id: string, service: ServiceRealms): Promise<Realm | undefined> {
    const { names, staleNames: stale } = service;
    while (stale.size > 0) {
      for (const name of stale) {
        stale.delete(name);
        const realm = await this.#realms.get(name);
        if (realm?.enabled && realm.provider(GrpcService.id, id)?.enabled) names.add(name);
        else names.delete(name);
      }
    }
    service.first = [...names].sort()[0];
    return service.first === undefined ? undefined : this.#realms.get(service.first);
  }
}
