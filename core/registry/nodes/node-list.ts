import { hostname } from 'node:os';
import type { Logger } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import { randomToken } from '../../model/random-token.js';
import { MASTER_REALM } from '../../model/realm.js';
import type { EntryStore } from '../../store/store.js';

/** The namespace in the store; a plugin's name never begins with a slash. */
const NAMESPACE = '/nodes';
/** The interval of heartbeats, and of reading those of other nodes, in milliseconds. */
const HEARTBEAT_INTERVAL_MS = 2_000;
/** A node without a heartbeat for this time counts as dead, in milliseconds by this node's own clock. */
const DEAD_AFTER_MS = 10_000;
/**
 * A node that was silent for this time is deleted by the node that notices it, in milliseconds by that node's clock.
 */
const DELETE_AFTER_MS = 60_000;
/** If no other node remains, its entry expires after this time, in milliseconds: longer than clocks differ. */
const ENTRY_LIFETIME_MS = 24 * 60 * 60 * 1000;
const MAX_NODES = 1_000;

/** A plugin as a node runs it. */
export interface NodePlugin {
  readonly module: string;
  readonly version?: string;
  readonly state: string;
  /** The integrity of its files, if the node runs a copy of them. */
  readonly integrity?: string;
}

/** A host that uses the same store. */
export interface Node {
  readonly id: string;
  /** The machine and the process on it, such as `keyhost-0:7`. */
  readonly name: string;
  readonly version: string;
  /** ISO 8601. */
  readonly since: string;
  readonly plugins: readonly NodePlugin[];
}

/**
 * A heartbeat, with a number that grows. Clocks of machines differ, so a number that stays the same means that the node
 * is dead.
 */
type Heartbeat = Node & { readonly beat: number };

/** The nodes that use this store. Each node writes heartbeats, and reads those of the others. */
export class NodeList {
  readonly #entries: EntryStore;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #plugins: () => readonly NodePlugin[];
  readonly #elapsed: () => number;
  readonly #self: Omit<Node, 'plugins'>;
  readonly #seen = new Map<string, { said: Heartbeat; at: number }>();
  #beat = 0;
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> = Promise.resolve();
  #isOpen = false;
  /** The last log line about plugins that differ. */
  #lastLoggedDifferences = '';

  constructor(parts: {
    entries: EntryStore;
    clock: Clock;
    logger: Logger;
    version: string;
    plugins: () => readonly NodePlugin[];
    /** Milliseconds by a monotonic clock. */
    elapsed?: () => number;
  }) {
    this.#elapsed = parts.elapsed ?? (() => performance.now());
    this.#entries = parts.entries;
    this.#clock = parts.clock;
    this.#logger = parts.logger;
    this.#plugins = parts.plugins;
    this.#self = {
      id: randomToken(8),
      name: `${hostname()}:${process.pid}`,
      version: parts.version,
      since: new Date(parts.clock.now()).toISOString(),
    };
  }

  /** The id of this node. */
  get id(): string {
    return this.#self.id;
  }

  /** The name of this node: the machine and the process on it. */
  get name(): string {
    return this.#self.name;
  }

  /** @throws HostError of the store */
  async open(): Promise<void> {
    this.#isOpen = true;
    await this.#writeHeartbeat();
    await this.#readHeartbeats();
    this.#timer = setInterval(() => void this.publish(), HEARTBEAT_INTERVAL_MS);
  }

  /** Publishes at once which plugins run here now. */
  publish(): Promise<void> {
    this.#beating = this.#beating.then(async () => {
      if (!this.#isOpen) return;
      try {
        await this.#writeHeartbeat();
        await this.#readHeartbeats();
      } catch {
        // The store is unreachable: the listener for changes logs that, and health reports it.
      }
    });
    return this.#beating;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#beating;
    if (!this.#isOpen) return;
    this.#isOpen = false;
    // If the store is unreachable, the entry expires because heartbeats stop.
    await this.#entries.delete(entryKey(this.id)).catch(() => {});
  }

  /** Returns this node and all other live nodes, in the order in which they started. */
  alive(): readonly Node[] {
    const now = this.#elapsed();
    const others = [...this.#seen.values()].filter(({ at }) => now - at < DEAD_AFTER_MS).map(({ said }) => said);
    const self: Node = { ...this.#self, plugins: this.#plugins() };
    return [self, ...others.filter(({ id }) => id !== this.id)].sort(
      (a, b) => a.since.localeCompare(b.since) || a.id.localeCompare(b.id),
    );
  }

  isLiving(id: string): boolean {
    return this.alive().some((node) => node.id === id);
  }

  async #writeHeartbeat(): Promise<void> {
    this.#beat += 1;
    const said: Heartbeat = { ...this.#self, plugins: this.#plugins(), beat: this.#beat };
    await this.#entries.put({
      ...entryKey(this.id),
      value: JSON.stringify(said),
      expiresAt: this.#clock.now() + ENTRY_LIFETIME_MS,
    });
  }

  async #readHeartbeats(): Promise<void> {
    const range = { realm: MASTER_REALM, namespace: NAMESPACE, prefix: '', first: 0, max: MAX_NODES };
    const found = await this.#entries.list({ ...range, now: this.#clock.now() });
    const at = this.#elapsed();
    const listed = new Set(found.map(({ key }) => key));
    for (const id of this.#seen.keys()) if (!listed.has(id)) this.#seen.delete(id);
    for (const { key, value } of found) {
      const said = JSON.parse(value) as Heartbeat;
      const seen = this.#seen.get(key);
      if (seen?.said.beat !== said.beat) this.#seen.set(key, { said, at });
      else if (at - seen.at > DELETE_AFTER_MS && key !== this.id) await this.#entries.delete(entryKey(key));
    }
    this.#tellDifferences();
  }

  #tellDifferences(): void {
    const sentences = pluginDifferences(this.alive());
    const told = sentences.join('\n');
    if (told === this.#lastLoggedDifferences) return;
    this.#lastLoggedDifferences = told;
    for (const sentence of sentences) this.#logger.warn(`different plugins on nodes: ${sentence}`);
    if (told === '') this.#logger.info('same plugins on all nodes');
  }
}

/**
 * Returns the nodes that use a store, for a command that is not a node itself. If nodes are listed, it may take as long
 * as a node may be silent, because killed nodes are listed, too.
 * @param pause waits for a number of milliseconds
 * @returns their names, as soon as one of them is known to live
 */
export async function servingNodes(
  entries: Pick<EntryStore, 'list'>,
  now: () => number,
  pause: (ms: number) => Promise<unknown>,
): Promise<readonly string[]> {
  const said = async () => {
    const range = { realm: MASTER_REALM, namespace: NAMESPACE, prefix: '', first: 0, max: MAX_NODES };
    const found = await entries.list({ ...range, now: now() });
    return new Map(found.map(({ key, value }) => [key, JSON.parse(value) as Heartbeat]));
  };
  const before = await said();
  for (let waited = 0; waited < DEAD_AFTER_MS && before.size > 0; waited += HEARTBEAT_INTERVAL_MS / 2) {
    await pause(HEARTBEAT_INTERVAL_MS / 2);
    const living = [...(await said())].filter(([id, { beat }]) => before.get(id)?.beat !== beat);
    if (living.length > 0) return living.map(([, { name }]) => name).sort();
  }
  return [];
}

function entryKey(key: string) {
  return { realm: MASTER_REALM, namespace: NAMESPACE, key };
}

/** Returns a sentence for each plugin that differs between nodes. */
export function pluginDifferences(nodes: readonly Node[]): readonly string[] {
  const modules = new Set(nodes.flatMap(({ plugins }) => plugins.map(({ module }) => module)));
  return [...modules].sort().flatMap((module) => {
    const names = new Map<string, string[]>();
    const pluginOf = (node: Node) => node.plugins.find((one) => one.module === module);
    // The integrity is only known for copied files: a node in start-dev runs them in their own folder.
    const areKnown = nodes.every((node) => pluginOf(node)?.integrity !== undefined);
    for (const node of nodes) {
      const plugin = pluginOf(node);
      const what = plugin === undefined ? 'is missing' : describePlugin(plugin, areKnown);
      names.set(what, [...(names.get(what) ?? []), node.name]);
    }
    if (names.size < 2) return [];
    return [`${module} ${[...names].map(([what, on]) => `${what} on ${on.join(', ')}`).join(', ')}`];
  });
}

function describePlugin(
  { version = 'without a version', state, integrity = '' }: NodePlugin,
  areKnown: boolean,
): string {
  // Long enough to distinguish versions.
  const files = areKnown ? ` (files ${integrity.replace(/^sha\d+-/, '').slice(0, 8)})` : '';
  return `${version}${files}${state === 'running' ? '' : ` ${state}`}`;
}
