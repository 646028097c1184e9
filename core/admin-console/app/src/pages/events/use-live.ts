import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { followEvents } from '../../api/event-stream.ts';
import { type EventKind, type EventOf, type EventQuery, eventConfig, eventsOf } from '../../api/events.ts';
import type { ApiFailure } from '../../api/failure.ts';

/** The maximum number of events in memory. */
const MAX_EVENTS = 500;
/** The interval between two renderings, in milliseconds. */
const RENDER_MS = 100;
/** How long a hidden page continues to listen, in milliseconds. */
const HIDDEN_MS = 60_000;

export type LiveState = 'connecting' | 'live' | 'waiting' | 'ended';

interface LiveEvents<E> {
  readonly state: LiveState;
  /** Newest first. */
  readonly events: readonly E[];
  readonly hasGap: boolean;
  readonly failure?: ApiFailure;
}

const INITIAL = { state: 'connecting', events: [], hasGap: false } as const;

/**
 * New events of the realm. The list is read again when the stream is connected, since events may have happened before,
 * and when the stream reports a gap. Duplicates are recognized by ID.
 */
export function useLive<K extends EventKind>(realm: string, kind: K, query: EventQuery, isOn: boolean) {
  const client = useQueryClient();
  const [live, setLive] = useState<LiveEvents<EventOf[K]>>(INITIAL);
  const queryText = JSON.stringify(query);
  useEffect(() => {
    if (!isOn) return undefined;
    setLive(INITIAL);
    const list = eventsOf(realm, kind, {}).queryKey.slice(0, -1);
    const readAgain = () => void client.invalidateQueries({ queryKey: list });
    const change = (to: Partial<LiveEvents<EventOf[K]>>) => setLive((before) => ({ ...before, ...to }));
    let arrived: EventOf[K][] = [];
    const timer = setInterval(() => {
      if (arrived.length === 0) return;
      const fresh = arrived.reverse();
      arrived = [];
      setLive((before) => ({ ...before, events: distinct([...fresh, ...before.events]).slice(0, MAX_EVENTS) }));
    }, RENDER_MS);
    const listener = {
      onLive(config: object) {
        change({ state: 'live' });
        client.setQueryData(eventConfig(realm).queryKey, (before) => before && { ...before, ...config });
        readAgain();
      },
      onEvent: (event: object) => void arrived.push(event as EventOf[K]),
      onGap() {
        arrived = [];
        change({ events: [], hasGap: true });
        readAgain();
      },
      onWait: () => change({ state: 'waiting' }),
      onEnd: (failure: ApiFailure) => change({ state: 'ended', failure }),
    };
    const stop = whileVisible((signal, lastId) =>
      followEvents({ realm, kind, query: JSON.parse(queryText) as EventQuery, lastId, signal }, listener),
    );
    return () => {
      clearInterval(timer);
      stop();
    };
  }, [client, realm, kind, queryText, isOn]);
  return live;
}

/** Removes duplicates: the first of each ID stays. */
export function distinct<E extends { readonly id: string }>(events: readonly E[]): E[] {
  return [...new Map([...events].reverse().map((event) => [event.id, event])).values()].reverse();
}

/**
 * Listens while the page is visible and for `HIDDEN_MS` after that; resumes when the page is visible again.
 * @returns a function that stops listening
 */
function whileVisible(listen: (signal: AbortSignal, lastId: string | undefined) => Promise<string | undefined>) {
  let lastId: string | undefined;
  let listening: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const begin = () => {
    const controller = new AbortController();
    listening = controller;
    void listen(controller.signal, lastId).then((id) => {
      lastId = id;
    });
  };
  const onVisibility = () => {
    clearTimeout(timer);
    if (document.visibilityState === 'hidden') timer = setTimeout(() => listening?.abort(), HIDDEN_MS);
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
