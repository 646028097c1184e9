import type { Clock } from '../../model/clock.js';
import { randomToken } from '../../model/random-token.js';
import { MASTER_REALM } from '../../model/realm.js';
import type { EntryStore } from '../../store/store.js';
import type { UpdateResult } from '../updates/update-report.js';
import type { NodeList } from './node-list.js';

const [ASKED, ANSWERED] = ['/node-asks', '/node-answers'];
/** How often a node looks whether it is asked something, or answered, in milliseconds. */
const LOOK_EVERY_MS = 500;
/** A node that lives and does not answer for so long hangs, in milliseconds: longer than any plugin may take to open. */
const PATIENCE_MS = 120_000;
/** What nobody fetched is swept after this, in milliseconds: longer than clocks differ. */
const LEFT_MS = 24 * 60 * 60 * 1000;

/** What one node asks another to do. */
export interface Ask {
  readonly action: 'reload' | 'rollback' | 'restart';
  readonly module?: string;
}

/** What became of it. */
export type NodeAnswer =
  | { readonly result: UpdateResult }
  /** For a person: what is wrong, where, and what to do. */
  | { readonly refusal: { readonly code: string; readonly report: string } };

/** Nodes ask each other through the store: there is no other way that all of them are known to have. */
export class NodeMail {
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

  /** @param carryOut does what others ask, one after the other */
  open(carryOut: (ask: Ask) => Promise<NodeAnswer>): void {
    this.#timer = setInterval(() => {
      this.#working ??= this.#work(carryOut)
        // The store is away: what is asked stands there when it is back.
        .catch(() => {})
        .finally(() => {
          this.#working = undefined;
        });
    }, LOOK_EVERY_MS);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#working;
  }

  /** Asks a node. @returns `gone` when it ends before it answers, or does not answer @throws HostError of the store */
  async ask(node: string, ask: Ask): Promise<NodeAnswer | 'gone'> {
    const id = randomToken(12);
    await this.#put(ASKED, `${node} ${id}`, ask);
    for (const end = performance.now() + PATIENCE_MS; performance.now() < end; ) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS / 2));
      const key = place(ANSWERED, id);
      const answer = await this.#entries.get({ ...key, now: this.#clock.now() });
      if (answer !== undefined) {
        await this.#entries.delete(key);
        return JSON.parse(answer) as NodeAnswer;
      }
      if (!this.#nodes.isLiving(node)) break;
    }
    await this.#entries.delete(place(ASKED, `${node} ${id}`));
    return 'gone';
  }

  async #work(carryOut: (ask: Ask) => Promise<NodeAnswer>): Promise<void> {
    const prefix = `${this.#nodes.id} `;
    const range = { realm: MASTER_REALM, namespace: ASKED, prefix, first: 0, max: 10, now: this.#clock.now() };
    for (const { key, value } of await this.#entries.list(range)) {
      // Before it is done: a node that dies at it does not do it again after its start, which has loaded the files anyway.
      await this.#entries.delete(place(ASKED, key));
      await this.#put(ANSWERED, key.slice(prefix.length), await carryOut(JSON.parse(value) as Ask));
    }
  }

  #put(namespace: string, key: string, value: object): Promise<void> {
    const expiresAt = this.#clock.now() + LEFT_MS;
    return this.#entries.put({ ...place(namespace, key), value: JSON.stringify(value), expiresAt });
  }
}

function place(namespace: string, key: string) {
  return { realm: MASTER_REALM, namespace, key };
}
