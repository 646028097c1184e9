import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { follow } from '../../api/event-stream.ts';
import { type EventKind, type EventOf, type EventQuery, eventConfig, eventsOf } from '../../api/events.ts';
import type { ApiFailure } from '../../api/failure.ts';

/** The maximum number of events in memory. */
const KEPT = 500;
/** The interval between two renderings, in milliseconds. */
const PAINT_MS = 100;
/** How long a hidden page continues to listen, in milliseconds. */
const UNSEEN_MS = 60_000;

export type LiveState = 'connecting' | 'live' | 'waiting' | 'ended';

interface Heard<E> {
  readonly state: LiveState;
  /** Newest first. */
  readonly events: readonly E[];
  readonly hasGap: boolean;
  readonly failure?: ApiFailure;
}

const NOTHING = { state: 'connecting', events: [], hasGap: false } as const;

/**
 * New events of the realm. The list is read again when the stream is connected, since events may have happened before,
 * and when the stream reports a gap. Duplicates are recognized by ID.
 */
export function useLive<K extends EventKind>(realm: string, kind: K, query: EventQuery, isOn: boolean) {
  const client = useQueryClient();
  const [heard, setHeard] = useState<Heard<EventOf[K]>>(NOTHING);
  const asked = JSON.stringify(query);
  useEffect(() => {
    if (!isOn) return undefined;
    setHeard(NOTHING);
    const list = eventsOf(realm, kind, {}).queryKey.slice(0, -1);
    const readAgain = () => void client.invalidateQueries({ queryKey: list });
    const change = (to: Partial<Heard<EventOf[K]>>) => setHeard((before) => ({ ...before, ...to }));
    let came: EventOf[K][] = [];
    const painting = setInterval(() => {
      if (came.length === 0) return;
      const fresh = came.reverse();
      came = [];
      setHeard((before) => ({ ...before, events: distinct([...fresh, ...before.events]).slice(0, KEPT) }));
    }, PAINT_MS);
    const listener = {
      onLive(keeps: object) {
        change({ state: 'live' });
        client.setQueryData(eventConfig(realm).queryKey, (before) => before && { ...before, ...keeps });
        readAgain();
      },
      onEvent: (event: object) => void came.push(event as EventOf[K]),
      onGap() {
        came = [];
        change({ events: [], hasGap: true });
        readAgain();
      },
      onWait: () => change({ state: 'waiting' }),
      onEnd: (failure: ApiFailure) => change({ state: 'ended', failure }),
    };
    const stop = whileSeen((signal, lastId) =>
      follow({ realm, kind, query: JSON.parse(asked) as EventQuery, lastId, signal }, listener),
    );
    return () => {
      clearInterval(painting);
      stop();
    };
  }, [client, realm, kind, asked, isOn]);
  return heard;
}

/** Removes duplicates: the first of each ID stays. */
export function distinct<E extends { readonly id: string }>(events: readonly E[]): E[] {
  return [...new Map([...events].reverse().map((event) => [event.id, event])).values()].reverse();
}

/** Listens while the page is visible, and for a while longer; later it resumes. @returns a function that stops it */
function whileSeen(listen: (signal: AbortSignal, lastId: string | undefined) => Promise<string | undefined>) {
  let lastId: string | undefined;
  let listening: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const begin = () => {
    const own = new AbortController();
    listening = own;
    void listen(own.signal, lastId).then((id) => {
      lastId = id;
    });
  };
  const onVisibility = () => {
    clearTimeout(timer);
    if (document.visibilityState === 'hidden') timer = setTimeout(() => listening?.abort(), UNSEEN_MS);
    else if (listening?.signal.aborted) begin();
  };
  begin();
  document.addEventListener('visibilitychange', onVisibility);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', onVisibility);
    listening?.abort();
  };
}
