import type { Connection } from '../connection.js';
import { commitGroup, type Request } from './group-commit.js';
import type { Receiver, Transport } from './writer.js';

/** Runs requests on the calling thread. */
export class LocalTransport implements Transport {
  readonly #db: Connection;
  readonly #receiver: Receiver;

  constructor(db: Connection, receiver: Receiver) {
    this.#db = db;
    this.#receiver = receiver;
  }

  send(requests: readonly Request[]): void {
    for (let done = 0; done < requests.length; ) {
      const reply = commitGroup(this.#db, requests, done);
      done += reply.results.length;
      this.#receiver.reply(reply);
    }
  }

  /** The connection belongs to the reader too, which closes it. */
  async close(): Promise<void> {}
}
