import { type KeyObject, sign } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { Algorithm } from './algorithms.js';

/**
 * Makes RSA signatures, which take about 0.3 ms of a core each with 2048 bits. A single one is made on the main thread,
 * because the round trip to libuv's thread pool costs a third of that. Concurrent ones are made in the pool, on all
 * cores.
 */
export class RsaSigner {
  readonly #hasPool: boolean;
  /** Keys that have signed before. A job that fails in the pool aborts the process in Node before 20.20. */
  readonly #provenKeys = new WeakSet<object>();
  #inPool = 0;
  #signedThisTurn = false;

  /** @param cores available to the process; with a single one the pool is not used */
  constructor(cores: number = availableParallelism()) {
    this.#hasPool = cores > 1;
  }

  /**
   * Under load the signature is made in the pool. The sign of load is another signature in the same turn of the event
   * loop, or one still in the pool; under load the pool is seldom empty. A key's first signature is always made on the
   * main thread.
   * @param key the argument of `crypto.sign`, the key with its options: the same object each time, for one hash
   * @throws errors of node:crypto for a key that cannot sign
   */
  sign(hash: Algorithm['hash'], data: Buffer, key: { readonly key: KeyObject }): Buffer | Promise<Buffer> {
    if (!this.#hasPool) return sign(hash, data, key);
    const isBusy = this.#inPool > 0 || this.#signedThisTurn;
    if (isBusy && this.#provenKeys.has(key)) return this.#signInPool(hash, data, key);
    const signature = sign(hash, data, key);
    this.#provenKeys.add(key);
    if (!this.#signedThisTurn) {
      this.#signedThisTurn = true;
      setImmediate(this.#endTurn);
    }
    return signature;
  }

  readonly #endTurn = () => {
    this.#signedThisTurn = false;
  };

  #signInPool(hash: Algorithm['hash'], data: Buffer, key: { readonly key: KeyObject }): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      sign(hash, data, key, (error, signature) => {
        this.#inPool -= 1;
        if (error === null) resolve(signature);
        else reject(error);
      });
      this.#inPool += 1;
    });
  }
}
