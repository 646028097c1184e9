import { hostname } from 'node:os';
import type { Logger } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import { randomToken } from '../../model/random-token.js';
import { MASTER_REALM } from '../../model/realm.js';
import type { EntryStore } from '../../store/store.js';

/** The namespace in the store. It begins with a slash, which the name of a plugin never does. */
const NAMESPACE = '/nodes';
/** The interval of heartbeats, and of reading those of other nodes, in milliseconds. */
const HEARTBEAT_INTERVAL_MS = 2_000;
/**
 * A node without a heartbeat for this time counts as dead; in milliseconds, measured by the clock of the observing
 * node.
 */
const DEAD_AFTER_MS = 10_000;
/**
 * The entry of a node that was silent for this time is deleted by the node that notices it; in milliseconds by that
 * node's clock.
 */
const DELETE_AFTER_MS = 60_000;
/**
 * An entry that no other node deletes expires after this time, in milliseconds. It is longer than the clocks of nodes
 * can differ.
 */
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

/** A running host that uses the store. */
export interface Node {
  readonly id: string;
  /** The host name and the process ID, such as `keyhost-0:7`. */
  readonly name: string;
  readonly version: string;
  /** ISO 8601. */
  readonly since: string;
  readonly plugins: readonly NodePlugin[];
}

/**
 * A heartbeat, with a number that increases. The clocks of machines differ, so a node counts as dead if its number
 * stays the same.
 */
type Heartbeat = Node & { readonly beat: number };

/** Tracks the nodes that use this store. Each node writes heartbeats, and reads those of the others. */
export class NodeList {
  readonly #parts: {
    entries: EntryStore;
    clock: Clock;
    logger: Logger;
    version: string;
    plugins: () => readonly NodePlugin[];
    /** Returns milliseconds of a monotonic clock. */
    elapsed?: () => number;
  };
  readonly #monotonicNow: () => number;
  readonly #self: Omit<Node, 'plugins'>;
  readonly #heartbeats = new Map<string, { heartbeat: Heartbeat; changedAt: number }>();
  #beatNumber = 0;
  #timer: NodeJS.Timeout | undefined;
  #publishing: Promise<void> = Promise.resolve();
  #isOpen = false;
  /** The last log message about plugins that differ between nodes. */
  #lastLoggedDifferences = '';

  constructor(parts: {
    entries: EntryStore;
    clock: Clock;
    logger: Logger;
    version: string;
    plugins: () => readonly NodePlugin[];
    /** Returns milliseconds of a monotonic clock. */
    elapsed?: () => number;
  }) {
    this.#parts = parts;
    this.#monotonicNow = parts.elapsed ?? (() => performance.now());
    this.#self = {
      id: randomToken(8),
      name: `${hostname()}:${process.pid}`,
      version: parts.version,
      since: new Date(parts.clock.now()).toISOString(),
    };
  }

  get id(): string {
    return this.#self.id;
  }

  /** The name of this node: its host name and process ID. */
  get name(): string {
    return this.#self.name;
  }

  /**
   * Writes the first heartbeat, and starts to write and read them regularly.
   * @throws HostError of the store
   */
  async open(): Promise<void> {
    this.#isOpen = true;
    await this.#writeHeartbeat();
    await this.#readHeartbeats();
    this.#timer = setInterval(() => void this.publish(), HEARTBEAT_INTERVAL_MS);
  }

  /** Publishes at once which plugins this node runs. */
  publish(): Promise<void> {
    this.#publishing = this.#publishing.then(async () => {
      if (!this.#isOpen) return;
      try {
        await this.#writeHeartbeat();
        await this.#readHeartbeats();
      } catch {
        // The store is unreachable: the listener for changes logs that, and the health check reports it.
      }
    });
    return this.#publishing;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#publishing;
    if (!this.#isOpen) return;
    this.#isOpen = false;
    // If the store is unreachable, the other nodes notice that the heartbeats have stopped.
    await this.#parts.entries.delete(entryKey(this.id)).catch(() => {});
  }

  /** Returns this node and all other live nodes, in the order in which they started. */
  listAlive(): readonly Node[] {
    const now = this.#monotonicNow();
    const others = [...this.#heartbeats.values()]
      .filter(({ changedAt }) => now - changedAt < DEAD_AFTER_MS)
      .map(({ heartbeat }) => heartbeat);
    const self: Node = { ...this.#self, plugins: this.#parts.plugins() };
    return [self, ...others.filter(({ id }) => id !== this.id)].sort(
      (a, b) => a.since.localeCompare(b.since) || a.id.localeCompare(b.id),
    );
  }

  isAlive(id: string): boolean {
    return this.listAlive().some((node) => node.id === id);
  }

  async #writeHeartbeat(): Promise<void> {
    this.#beatNumber += 1;
    const heartbeat: Heartbeat = { ...this.#self, plugins: this.#parts.plugins(), beat: this.#beatNumber };
    await this.#parts.entries.put({
      ...entryKey(this.id),
      value: JSON.stringify(heartbeat),
      expiresAt: this.#parts.clock.now() + ENTRY_LIFETIME_MS,
    });
  }

  async #readHeartbeats(): Promise<void> {
    const range = { realm: MASTER_REALM, namespace: NAMESPACE, prefix: '', first: 0, max: MAX_NODES };
    const entries = await this.#parts.entries.list({ ...range, now: this.#parts.clock.now() });
    const readAt = this.#monotonicNow();
    const listedIds = new Set(entries.map(({ key }) => key));
    for (const id of this.#heartbeats.keys()) if (!listedIds.has(id)) this.#heartbeats.delete(id);
    for (const { key, value } of entries) {
      const heartbeat = JSON.parse(value) as Heartbeat;
      const previousHeartbeat = this.#heartbeats.get(key);
      if (previousHeartbeat?.heartbeat.beat !== heartbeat.beat)
        this.#heartbeats.set(key, { heartbeat, changedAt: readAt });
      else if (readAt - previousHeartbeat.changedAt > DELETE_AFTER_MS && key !== this.id)
        await this.#parts.entries.delete(entryKey(key));
    }
    this.#logDifferences();
  }

  #logDifferences(): void {
    const sentences = pluginDifferences(this.listAlive());
    const text = sentences.join('\n');
    if (text === this.#lastLoggedDifferences) return;
    this.#lastLoggedDifferences = text;
    for (const sentence of sentences) this.#parts.logger.warn(`different plugins on nodes: ${sentence}`);
    if (text === '') this.#parts.logger.info('same plugins on all nodes');
  }
}

/**
 * Returns the names of the nodes that use a store, for a command that is not a node itself. Killed nodes are still
 * listed, so this waits until a heartbeat changes, at most for the time after which a node counts as dead.
 * @param pause waits for a number of milliseconds
 * @returns the names, as soon as at least one node is known to be alive
 */
export async function findLiveNodes(
  entries: Pick<EntryStore, 'list'>,
  now: () => number,
  pause: (ms: number) => Promise<unknown>,
): Promise<readonly string[]> {
  const readHeartbeats = async () => {
    const range = { realm: MASTER_REALM, namespace: NAMESPACE, prefix: '', first: 0, max: MAX_NODES };
    const heartbeatEntries = await entries.list({ ...range, now: now() });
    return new Map(heartbeatEntries.map(({ key, value }) => [key, JSON.parse(value) as Heartbeat]));
  };
  const first = await readHeartbeats();
  for (let waitedMs = 0; waitedMs < DEAD_AFTER_MS && first.size > 0; waitedMs += HEARTBEAT_INTERVAL_MS / 2) {
    await pause(HEARTBEAT_INTERVAL_MS / 2);
    const live = [...(await readHeartbeats())].filter(([id, { beat }]) => first.get(id)?.beat !== beat);
    if (live.length > 0) return live.map(([, { name }]) => name).sort();
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
    const pluginOf = (node: Node) => node.plugins.find((plugin) => plugin.module === module);
    // Only copied files have a known integrity. A node in `start-dev` runs plugins in their own folder.
    const haveIntegrity = nodes.every((node) => pluginOf(node)?.integrity !== undefined);
    for (const node of nodes) {
      const plugin = pluginOf(node);
      const description = plugin === undefined ? 'is missing' : describePlugin(plugin, haveIntegrity);
      names.set(description, [...(names.get(description) ?? []), node.name]);
    }
    if (names.size < 2) return [];
    return [
      `${module} ${[...names].map(([description, nodeNames]) => `${description} on ${nodeNames.join(', ')}`).join(', ')}`,
    ];
  });
}

function describePlugin(
  { version = 'without a version', state, integrity = '' }: NodePlugin,
  haveIntegrity: boolean,
): string {
  // The first 8 characters are enough to distinguish versions.
  const integrityText = haveIntegrity ? ` (files ${integrity.replace(/^sha\d+-/, '').slice(0, 8)})` : '';
  return `${version}${integrityText}${state === 'running' ? '' : ` ${state}`}`;
}
