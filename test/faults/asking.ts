import { type Answer, HttpClient, NoAnswer, type Sent } from '../bench/http-client.js';
import type { Ledger } from './ledger.js';

/** What a node, or the balancer in front of it, says while something is broken. */
const UNAVAILABLE = [502, 503, 504];
const CONNECTIONS = 1_000;

/** Asks a host that may be broken, and writes down how it answered. */
export class Asking {
  readonly #client: HttpClient;
  readonly #ledger: Ledger;

  /** @param limit milliseconds that an answer may take: a longer one is lost */
  constructor(ledger: Ledger, limit: number) {
    this.#ledger = ledger;
    this.#client = new HttpClient({ connections: CONNECTIONS, limit });
  }

  /** @returns undefined where it was not granted, or nobody knows whether it was: 503, or a connection that was cut */
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
