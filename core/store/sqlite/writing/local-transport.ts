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
    for (let answered = 0; answered < requests.length; ) {
      const reply = commitGroup(this.#db, requests, answered);
      answered += reply.results.length;
      this.#receiver.reply(reply);
    }
  }

  /** The reader uses the same connection, and closes it. */
  async close(): Promise<void> {}
}
