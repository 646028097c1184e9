import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { follow } from '../../api/event-stream.ts';
import { type EventKind, type EventOf, type EventQuery, eventConfig, eventsOf } from '../../api/events.ts';
import type { ApiFailure } from '../../api/failure.ts';

/** So many events the page keeps. */
const KEPT = 500;
/** Milliseconds between two paintings. */
const PAINT_MS = 100;
/** Milliseconds after which nobody listens for a page that nobody sees. */
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
 * What happens in the realm from now on. The list is read again when the stream stands, since something may have happened in
 * between, and where the stream says that something is missing: events are known by their id.
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

/** One of each, the first of those that are the same. */
export function distinct<E extends { readonly id: string }>(events: readonly E[]): E[] {
  return [...new Map([...events].reverse().map((event) => [event.id, event])).values()].reverse();
}

/** Listens while the page is seen, and a little longer; goes on where it was. @returns what ends it */
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
