import { setImmediate as turn } from 'node:timers/promises';
import type { PluginStore } from '@keyhost/spi';

/** A failed attempt. */
export type Failure = {
  /** Milliseconds since the epoch. */
  at: number;
  reason: string;
  status?: number;
  /** The beginning of the endpoint's answer. */
  answer?: string;
};

/** A message that waits for one endpoint. */
export type Item = {
  id: string;
  type: string;
  endpoint: string;
  lane: string;
  body: string;
  /** Milliseconds since the epoch. */
  queuedAt: number;
  attempts: number;
  /** The time before which it must not be sent. */
  due?: number;
  /** The time at which the sender's lease ends. Afterwards any node may send it. */
  leasedUntil?: number;
  lease?: string;
  last?: Failure;
};

/** A message that was given up. */
export type DeadLetter = Item & { diedAt: number; why: GivenUpReason };

/** The reason why a message was given up. */
export type GivenUpReason = 'attempts' | 'endpoint_gone' | 'endpoint_removed' | 'queue_full';

/** The state of an endpoint, in addition to its settings. */
export type EndpointState = {
  url: string;
  events: string[];
  enabled: boolean;
  /** The time of the first failure since the last success. */
  failing?: { since: number; last: Failure };
  /**
   * The address at which it answered 410. Nothing is queued for it until its address changes or an admin enables it.
   */
  gone?: { at: number; url: string };
  /** The end of a pause that it requested. */
  pausedUntil?: number;
  /** The number of messages that were given up because the queue was full. */
  dropped?: number;
};

export const QUEUE = 'q/';
export const DEAD = 'dead/';
export const STATE = 'state/';
/** Changes when a message was queued that a running run cannot know of. */
export const POKE = 'poke';

/** The number of entries that are read before other work of the process gets its turn. */
const PAGE_SIZE = 50;

/**
 * Returns the last part of a message's key, by which messages of a lane are ordered.
 * @param count orders messages of the same millisecond
 */
export function sortKey(time: number, count: number, id: string): string {
  return `${String(time).padStart(15, '0')}-${count.toString(36).padStart(9, '0')}-${id.slice(0, 8)}`;
}

export function laneKey({ endpoint, lane }: Pick<Item, 'endpoint' | 'lane'>): string {
  return `${QUEUE}${endpoint}/${lane}/`;
}

/** Returns all entries whose keys have this prefix. */
export async function* entriesOf<T>(store: PluginStore, prefix: string): AsyncGenerator<{ key: string; value: T }> {
  let last: string | undefined;
  for (;;) {
    const page = await store.list(prefix, { max: PAGE_SIZE, ...(last === undefined ? {} : { after: last }) });
    for (const { key, value } of page) yield { key, value: value as T };
    if (page.length < PAGE_SIZE) return;
    last = page.at(-1)?.key;
    await turn();
  }
}

/** The number of concurrent operations on the store. */
const CONCURRENT_OPERATIONS = 50;

/** Runs an operation for all items, many at once, so that their writes share a commit. */
export async function forAll<T>(
  all: Iterable<T> | AsyncIterable<T>,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const batch: T[] = [];
  for await (const item of all) {
    batch.push(item);
    if (batch.length === CONCURRENT_OPERATIONS) await Promise.all(batch.splice(0).map(work));
  }
  await Promise.all(batch.map(work));
}

/** Updates the state of an endpoint, and retries after concurrent changes. @returns the stored state */
export async function updateState(
  store: PluginStore,
  endpoint: string,
  change: (before: EndpointState | undefined) => EndpointState | undefined,
): Promise<EndpointState | undefined> {
  for (;;) {
    const before = (await store.get(STATE + endpoint)) as EndpointState | undefined;
    const after = change(before);
    if (after === before || after === undefined) return before;
    if (await store.replace(STATE + endpoint, before, after)) return after;
  }
}
