import { type Answer, HttpClient, NoAnswer, type Sent } from '../bench/http-client.js';
import type { Ledger } from './ledger.js';

/** Statuses of a node, or of the balancer in front of it, during a fault. */
const UNAVAILABLE = [502, 503, 504];
const CONNECTIONS = 1_000;

/** Sends requests to a host during faults, and records the answers. */
export class Asking {
  readonly #client: HttpClient;
  readonly #ledger: Ledger;

  /** @param limit milliseconds until an answer counts as lost */
  constructor(ledger: Ledger, limit: number) {
    this.#ledger = ledger;
    this.#client = new HttpClient({ connections: CONNECTIONS, limit });
  }

  /** @returns undefined if the request was refused or its effect is unknown: 503, or a closed connection */
  async ask(what: string, url: string, sent: Sent): Promise<Answer | undefined> {
    const since = performance.now();
    try {
      const answer = await this.#client.send(url, sent);
      this.#ledger.took.push(performance.now() - since);
      this.#ledger.answered(`${answer.status}`);
      if (UNAVAILABLE.includes(answer.status)) return undefined;
      if (answer.status < 500) return answer;
      this.#ledger.lose(`${what} was answered ${answer.status}`, answer.body.slice(0, 200));
    } catch (error) {
      if (error instanceof NoAnswer) {
        this.#ledger.answered('none');
        this.#ledger.lose(`${what} had no answer in time`, error.message);
      } else this.#ledger.answered('cut');
    }
    return undefined;
  }

  close(): void {
    this.#client.close();
  }
}
