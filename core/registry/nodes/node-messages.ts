import type { Clock } from '../../model/clock.js';
import { randomToken } from '../../model/random-token.js';
import { MASTER_REALM } from '../../model/realm.js';
import type { EntryStore } from '../../store/store.js';
import type { UpdateResult } from '../updates/update-report.js';
import type { NodeList } from './node-list.js';

const REQUEST_NAMESPACE = '/node-asks';
const ANSWER_NAMESPACE = '/node-answers';
/** How often a node looks for requests and answers, in milliseconds. */
const POLL_INTERVAL_MS = 500;
/**
 * A live node that does not answer within this time counts as hung; in milliseconds, longer than any plugin may take to
 * open.
 */
const ANSWER_TIMEOUT_MS = 120_000;
/**
 * Entries that are never read expire after this time, in milliseconds. It is longer than the clocks of nodes can
 * differ.
 */
const ENTRY_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** A request of one node to another. */
export interface NodeRequest {
  readonly action: 'reload' | 'rollback' | 'restart';
  readonly module?: string;
}

/** The result of a request. */
export type NodeAnswer =
  | { readonly result: UpdateResult }
  /** The error for the operator: what is wrong, its position, and advice. */
  | { readonly refusal: { readonly code: string; readonly report: string } };

/** Sends requests between nodes through the store, because it is the only channel that all nodes have. */
export class NodeMessages {
  readonly #parts: { entries: EntryStore; clock: Clock; nodes: NodeList };
  #timer: NodeJS.Timeout | undefined;
  #handling: Promise<void> | undefined;

  constructor(parts: { entries: EntryStore; clock: Clock; nodes: NodeList }) {
    this.#parts = parts;
  }

  /** @param execute carries out the requests of other nodes, which are passed to it one after another */
  open(execute: (request: NodeRequest) => Promise<NodeAnswer>): void {
    this.#timer = setInterval(() => {
      this.#handling ??= this.#handleRequests(execute)
        // The store is unreachable; pending requests are still in it when it returns.
        .catch(() => {})
        .finally(() => {
          this.#handling = undefined;
        });
    }, POLL_INTERVAL_MS);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#handling;
  }

  /**
   * Sends a request to a node.
   * @returns `gone` if the node stops before it answers, or does not answer in time
   * @throws HostError of the store
   */
  async ask(node: string, request: NodeRequest): Promise<NodeAnswer | 'gone'> {
    const id = randomToken(12);
    await this.#put(REQUEST_NAMESPACE, `${node} ${id}`, request);
    for (const deadline = performance.now() + ANSWER_TIMEOUT_MS; performance.now() < deadline; ) {
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS / 2));
      const key = entryKey(ANSWER_NAMESPACE, id);
      const answer = await this.#parts.entries.get({ ...key, now: this.#parts.clock.now() });
      if (answer !== undefined) {
        await this.#parts.entries.delete(key);
        return JSON.parse(answer) as NodeAnswer;
      }
      if (!this.#parts.nodes.isAlive(node)) break;
    }
    await this.#parts.entries.delete(entryKey(REQUEST_NAMESPACE, `${node} ${id}`));
    return 'gone';
  }

  async #handleRequests(execute: (request: NodeRequest) => Promise<NodeAnswer>): Promise<void> {
    const prefix = `${this.#parts.nodes.id} `;
    const range = {
      realm: MASTER_REALM,
      namespace: REQUEST_NAMESPACE,
      prefix,
      first: 0,
      max: 10,
      now: this.#parts.clock.now(),
    };
    for (const { key, value } of await this.#parts.entries.list(range)) {
      // Delete the request before it is executed: a node that crashes meanwhile must not repeat it after its restart.
      // The restart loads the current files anyway.
      await this.#parts.entries.delete(entryKey(REQUEST_NAMESPACE, key));
      await this.#put(ANSWER_NAMESPACE, key.slice(prefix.length), await execute(JSON.parse(value) as NodeRequest));
    }
  }

  #put(namespace: string, key: string, value: object): Promise<void> {
    const expiresAt = this.#parts.clock.now() + ENTRY_LIFETIME_MS;
    return this.#parts.entries.put({ ...entryKey(namespace, key), value: JSON.stringify(value), expiresAt });
  }
}

function entryKey(namespace: string, key: string) {
  return { realm: MASTER_REALM, namespace, key };
}
