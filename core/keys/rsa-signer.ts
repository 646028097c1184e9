import { type KeyObject, sign } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { Algorithm } from './algorithms.js';

/**
 * Makes RSA signatures, some 0.3 ms of a core each with 2048 bits. One that is wanted alone is made in place: the way to
 * libuv's thread pool and back takes a third of that. Those wanted beside others are made in the pool, on all cores.
 */
export class RsaSigner {
  readonly #hasPool: boolean;
  /** Those that have signed. A job that fails in the pool ends the whole process in Node before 20.20. */
  readonly #ableKeys = new WeakSet<object>();
  #inPool = 0;
  #signedThisTurn = false;

  /** @param cores that the process may use; with one of them nothing is gained by a thread */
  constructor(cores: number = availableParallelism()) {
    this.#hasPool = cores > 1;
  }

  /**
   * Another signature in the same turn of the event loop, or one still in the pool, is the sign of load. Under load the pool
   * is seldom empty, so that the main thread signs next to nothing. The first signature of a key is always made in place.
   * @param key the argument of `crypto.sign`, the key with its options: the same object each time, for one hash
   * @throws what node:crypto throws for a key that cannot sign
   */
  sign(hash: Algorithm['hash'], data: Buffer, key: { readonly key: KeyObject }): Buffer | Promise<Buffer> {
    if (!this.#hasPool) return sign(hash, data, key);
    const isBusy = this.#inPool > 0 || this.#signedThisTurn;
    if (isBusy && this.#ableKeys.has(key)) return this.#signInPool(hash, data, key);
    const signature = sign(hash, data, key);
    this.#ableKeys.add(key);
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
