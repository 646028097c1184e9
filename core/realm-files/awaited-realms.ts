import type { Realms } from '../realms/realms.js';

export interface AwaitedRealmsParts {
  readonly realms: Pick<Realms, 'onChanged'>;
  /** Tries the refused update again. */
  readonly retry: () => void;
}

/** True if a realm, as it is stored now, still refuses the update. */
export type StillRefuses = (realm: string) => Promise<boolean>;

/**
 * Waits until the realms that refused an update of plugins fit it, and then tries the update again. Each change of
 * these realms is compared with the refused generation. So a change that leaves the cause in place does not load the
 * update again.
 */
export class AwaitedRealms {
  readonly #parts: AwaitedRealmsParts;
  #stop = () => {};

  constructor(parts: AwaitedRealmsParts) {
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
      // If the comparison fails, assume that it fits: the update itself reports the reason.
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
