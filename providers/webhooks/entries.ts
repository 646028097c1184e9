import { setImmediate as turn } from 'node:timers/promises';
import type { PluginStore } from '@keyhost/spi';

/** How an attempt ended that did not deliver. */
export type Failure = {
  /** Milliseconds since the epoch. */
  at: number;
  reason: string;
  status?: number;
  /** The beginning of what the endpoint answered. */
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
  /** Not before this. */
  due?: number;
  /** Somebody sends it until then; later it may be taken again. */
  leasedUntil?: number;
  lease?: string;
  last?: Failure;
};

/** A message that was given up. */
export type DeadLetter = Item & { diedAt: number; why: Death };

/** Why a message was given up. */
export type Death = 'attempts' | 'endpoint_gone' | 'endpoint_removed' | 'queue_full';

/** What is known of an endpoint beside its settings. */
export type EndpointState = {
  url: string;
  events: string[];
  enabled: boolean;
  /** It fails since then. */
  failing?: { since: number; last: Failure };
  /** It answered 410 there: nothing is queued for it until its address changes or somebody enables it. */
  gone?: { at: number; url: string };
  /** It asked to be left alone until then. */
  pausedUntil?: number;
  /** Messages that a full queue gave up. */
  dropped?: number;
};

export const QUEUE = 'q/';
export const DEAD = 'dead/';
export const STATE = 'state/';
/** Changes when something was queued that a run under way cannot know of. */
export const POKE = 'poke';

/** Entries that are read in one turn of the process: others have theirs in between. */
const PAGE = 50;

/**
 * The place of a message in its lane, ordered by time.
 * @param count tells messages of one millisecond apart, in order
 */
export function placeOf(time: number, count: number, id: string): string {
  return `${String(time).padStart(15, '0')}-${count.toString(36).padStart(9, '0')}-${id.slice(0, 8)}`;
}

export function laneKey({ endpoint, lane }: Pick<Item, 'endpoint' | 'lane'>): string {
  return `${QUEUE}${endpoint}/${lane}/`;
}

/** All entries whose keys begin so. */
export async function* entriesOf<T>(store: PluginStore, prefix: string): AsyncGenerator<{ key: string; value: T }> {
  let last: string | undefined;
  for (;;) {
    const page = await store.list(prefix, { max: PAGE, ...(last === undefined ? {} : { after: last }) });
    for (const { key, value } of page) yield { key, value: value as T };
    if (page.length < PAGE) return;
    last = page.at(-1)?.key;
    await turn();
  }
}

/** What the store is asked at a time. */
const TOGETHER = 50;

/** Does it for all of them, many at a time: one commit is enough for those. */
export async function forAll<T>(
  all: Iterable<T> | AsyncIterable<T>,
  work: (one: T) => Promise<unknown>,
): Promise<void> {
  const some: T[] = [];
  for await (const one of all) {
    some.push(one);
    if (some.length === TOGETHER) await Promise.all(some.splice(0).map(work));
  }
  await Promise.all(some.map(work));
}

/** Writes what `change` makes of the state of an endpoint, until nobody came between. @returns what stands there now */
export async function changedState(
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
