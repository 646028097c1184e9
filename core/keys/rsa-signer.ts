import { type KeyObject, sign } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { Algorithm } from './algorithms.js';

/**
 * Creates RSA signatures, which take about 0.3 ms of a core with 2048 bits. A single signature is created on the main
 * thread, because the round trip to libuv's thread pool would cost a third of that time. Concurrent signatures are
 * created in the pool, on all cores.
 */
export class RsaSigner {
  readonly #hasPool: boolean;
  /** Keys that have signed before. In Node before 20.20, a job that fails in the pool aborts the process. */
  readonly #provenKeys = new WeakSet<object>();
  #pendingInPool = 0;
  #hasSignedThisTurn = false;

  /** @param cores number of cores for this process; with a single one the pool is not used */
  constructor(cores: number = availableParallelism()) {
    this.#hasPool = cores > 1;
  }

  /**
   * Creates a signature, in the pool if there is load. Load means that this turn of the event loop has created another
   * signature, or that the pool is still busy; under load it is seldom empty. A key's first signature is always created
   * on the main thread.
   * @param key the argument of `crypto.sign`, the key with its options; it must be the same object each time, and used
   * for one hash only
   * @throws errors of node:crypto for a key that cannot sign
   */
  sign(hash: Algorithm['hash'], data: Buffer, key: { readonly key: KeyObject }): Buffer | Promise<Buffer> {
    if (!this.#hasPool) return sign(hash, data, key);
    const isBusy = this.#pendingInPool > 0 || this.#hasSignedThisTurn;
    if (isBusy && this.#provenKeys.has(key)) return this.#signInPool(hash, data, key);
    const signature = sign(hash, data, key);
    this.#provenKeys.add(key);
    if (!this.#hasSignedThisTurn) {
      this.#hasSignedThisTurn = true;
      setImmediate(this.#endTurn);
    }
    return signature;
  }

  readonly #endTurn = () => {
    this.#hasSignedThisTurn = false;
  };

  #signInPool(hash: Algorithm['hash'], data: Buffer, key: { readonly key: KeyObject }): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      sign(hash, data, key, (error, signature) => {
        this.#pendingInPool -= 1;
        if (error === null) resolve(signature);
        else reject(error);
      });
      this.#pendingInPool += 1;
    });
  }
}
