import { KeyRing } from '../../core/keys/key-ring.js';
import { gate } from './gate.js';

/** A key ring that can hold back its keys until they are released. */
export class HeldKeys extends KeyRing {
  readonly #letGo = gate();
  readonly #wanted = gate();
  #left = Number.POSITIVE_INFINITY;
  #isHeld = false;

  /** Resolves when that many callers have requested keys. */
  hold(count: number): Promise<void> {
    [this.#left, this.#isHeld] = [count, true];
    return this.#wanted.opened;
  }

  letGo(): void {
    this.#letGo.open();
  }

  override async realm(name: string): ReturnType<KeyRing['realm']> {
    if (this.#isHeld) {
      this.#left -= 1;
      if (this.#left === 0) this.#wanted.open();
      await this.#letGo.opened;
    }
    return super.realm(name);
  }
}
