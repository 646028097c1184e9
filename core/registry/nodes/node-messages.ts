import type { Clock } from '../../model/clock.js';
import { randomToken } from '../../model/random-token.js';
import { MASTER_REALM } from '../../model/realm.js';
import type { EntryStore } from '../../store/store.js';
import type { UpdateResult } from '../updates/update-report.js';
import type { NodeList } from './node-list.js';

const REQUESTS = '/node-asks';
const ANSWERS = '/node-answers';
/** How often a node looks for requests and answers, in milliseconds. */
const POLL_INTERVAL_MS = 500;
/** A live node that does not answer for this time hangs, in milliseconds: longer than any plugin may take to open. */
const ANSWER_TIMEOUT_MS = 120_000;
/** Entries that were not read expire after this time, in milliseconds: longer than clocks differ. */
const ENTRY_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** A request of one node to another. */
export interface NodeRequest {
  readonly action: 'reload' | 'rollback' | 'restart';
  readonly module?: string;
}

/** The result of a request. */
export type NodeAnswer =
  | { readonly result: UpdateResult }
  /** For people: the mistake, its position, and advice. */
  | { readonly refusal: { readonly code: string; readonly report: string } };

/** Nodes send each other requests through the store, because it is the only channel that all nodes have. */
export class NodeMessages {
  readonly #entries: EntryStore;
  readonly #clock: Clock;
  readonly #nodes: NodeList;
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> | undefined;

  constructor(parts: { entries: EntryStore; clock: Clock; nodes: NodeList }) {
    this.#entries = parts.entries;
    this.#clock = parts.clock;
    this.#nodes = parts.nodes;
  }

  /** @param carryOut executes the requests of other nodes, one after another */
  open(carryOut: (ask: NodeRequest) => Promise<NodeAnswer>): void {
    this.#timer = setInterval(() => {
      this.#working ??= this.#handleRequests(carryOut)
        // The store is unreachable; pending requests are still in it when it returns.
        .catch(() => {})
        .finally(() => {
          this.#working = undefined;
        });
    }, POLL_INTERVAL_MS);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#working;
  }

  /**
   * Sends a request to a node. @returns `gone` if the node stops before it answers, or does not answer in time @throws
   * HostError of the store
   */
  async ask(node: string, ask: NodeRequest): Promise<NodeAnswer | 'gone'> {
    const id = randomToken(12);
    await this.#put(REQUESTS, `${node} ${id}`, ask);
    for (const end = performance.now() + ANSWER_TIMEOUT_MS; performance.now() < end; ) {
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS / 2));
      const key = entryKey(ANSWERS, id);
      const answer = await this.#entries.get({ ...key, now: this.#clock.now() });
      if (answer !== undefined) {
        await this.#entries.delete(key);
        return JSON.parse(answer) as NodeAnswer;
      }
      if (!this.#nodes.isLiving(node)) break;
    }
    await this.#entries.delete(entryKey(REQUESTS, `${node} ${id}`));
    return 'gone';
  }

  async #handleRequests(carryOut: (ask: NodeRequest) => Promise<NodeAnswer>): Promise<void> {
    const prefix = `${this.#nodes.id} `;
    const range = { realm: MASTER_REALM, namespace: REQUESTS, prefix, first: 0, max: 10, now: this.#clock.now() };
    for (const { key, value } of await this.#entries.list(range)) {
      // Deleted before it is executed: a node that crashes meanwhile must not repeat it after its restart, which loads
      // the current files anyway.
      await this.#entries.delete(entryKey(REQUESTS, key));
      await this.#put(ANSWERS, key.slice(prefix.length), await carryOut(JSON.parse(value) as NodeRequest));
    }
  }

  #put(namespace: string, key: string, value: object): Promise<void> {
    const expiresAt = this.#clock.now() + ENTRY_LIFETIME_MS;
    return this.#entries.put({ ...entryKey(namespace, key), value: JSON.stringify(value), expiresAt });
  }
}

function entryKey(namespace: string, key: string) {
  return { realm: MASTER_REALM, namespace, key };
}
