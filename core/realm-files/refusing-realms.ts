import type { Realms } from '../realms/realms.js';

export interface RefusingRealmsParts {
  readonly realms: Pick<Realms, 'onChanged'>;
  /** Tries the refused update again. */
  readonly retry: () => void;
}

/** True if a realm, as it is stored now, still refuses the update. */
export type StillRefuses = (realm: string) => Promise<boolean>;

/**
 * Waits until the realms that refused an update of plugins fit it, and then tries the update again. After each change
 * of these realms, the realm is compared with the refused generation (the plugins of that update). So a change that
 * leaves the cause in place does not load the update again.
 */
export class RefusingRealms {
  readonly #parts: RefusingRealmsParts;
  #stop = () => {};

  constructor(parts: RefusingRealmsParts) {
    this.#parts = parts;
  }

  /** @param names the realms that refused the last update; replaces those of an earlier one */
  waitFor(names: Iterable<string>, stillRefuses: StillRefuses): void {
    this.stopWaiting();
    const refusing = new Set(names);
    if (refusing.size === 0) return;
    const awaited = new Set(refusing);
    let checks = Promise.resolve();
    const check = async (name: string) => {
      if (this.#stop !== stop) return;
      // If the comparison fails, assume that the realm fits: the update itself reports the reason.
      const refuses = await stillRefuses(name).catch(() => false);
      if (refuses) refusing.add(name);
      else refusing.delete(name);
      if (refusing.size > 0 || this.#stop !== stop) return;
      this.stopWaiting();
      this.#parts.retry();
    };
    const stop = this.#parts.realms.onChanged((name) => {
      if (awaited.has(name)) checks = checks.then(() => check(name));
    });
    this.#stop = stop;
  }

  /** Stops waiting. */
  stopWaiting(): void {
    this.#stop();
    this.#stop = () => {};
  }
}
