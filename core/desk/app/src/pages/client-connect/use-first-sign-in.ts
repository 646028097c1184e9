import { useEffect, useState } from 'react';
import { signInsOf } from '../../api/apps.ts';
import { follow } from '../../api/event-stream.ts';
import type { UserEvent } from '../../api/events.ts';

/** Milliseconds between two looks at the counts. */
const LOOK_MS = 3_000;
const SIGN_INS = ['LOGIN', 'CLIENT_LOGIN'];
const FAILURES = ['LOGIN_ERROR', 'CLIENT_LOGIN_ERROR', 'CODE_TO_TOKEN_ERROR'];
const MOST_FAILURES = 5;

export interface HeardSignIns {
  /** In the last 24 hours; undefined until it is known. */
  readonly count: number | undefined;
  /** True: somebody has signed in since the page was opened. */
  readonly hasArrived: boolean;
  /** The sign-in that arrived, where the realm saves its events. */
  readonly event: UserEvent | undefined;
  /** Newest first. */
  readonly failures: readonly UserEvent[];
  /** Errors that were counted since the page was opened, and of which there is no event. */
  readonly counted: readonly string[];
  readonly savesEvents: boolean | undefined;
  readonly failure: Error | undefined;
}

const NOTHING: HeardSignIns = {
  ...{ count: undefined, hasArrived: false, event: undefined, failures: [], counted: [], savesEvents: undefined },
  failure: undefined,
};

/**
 * Waits for a sign-in to a client. The stream of events says who signed in, and why somebody could not. Where the realm saves
 * no events, the counts still tell that it happened.
 */
export function useFirstSignIn(realm: string, id: string, clientId: string, isOn: boolean): HeardSignIns {
  const [heard, setHeard] = useState(NOTHING);
  useEffect(() => {
    if (!isOn) return undefined;
    setHeard(NOTHING);
    const ended = new AbortController();
    const change = (to: (before: HeardSignIns) => Partial<HeardSignIns>) =>
      setHeard((before) => (ended.signal.aborted ? before : { ...before, ...to(before) }));
    // A client of that name may have been there before, so that even a new one has a count.
    let first: { count: number; errors: ReadonlyMap<string, number> } | undefined;
    const look = async () => {
      if (document.visibilityState === 'hidden') return;
      try {
        const { signIns, failures } = await signInsOf(realm, id);
        first ??= { count: signIns, errors: new Map(failures.map(({ error, count }) => [error, count])) };
        const { count, errors } = first;
        const counted = failures.filter((one) => one.count > (errors.get(one.error) ?? 0)).map(({ error }) => error);
        change((before) => ({
          ...{ count: signIns, counted, failure: undefined },
          hasArrived: before.hasArrived || signIns > count,
        }));
      } catch (failure) {
        change(() => ({ failure: failure as Error }));
      }
    };
    void look();
    const timer = setInterval(() => void look(), LOOK_MS);
    const listener = {
      onLive: ({ eventsEnabled }: { eventsEnabled?: boolean }) =>
        change(() => ({ savesEvents: eventsEnabled === true })),
      onEvent: (event: object) => {
        const told = event as UserEvent;
        if (SIGN_INS.includes(told.type)) change(() => ({ event: told, hasArrived: true }));
        if (FAILURES.includes(told.type))
          change(({ failures }) => ({ failures: [told, ...failures].slice(0, MOST_FAILURES) }));
      },
      onGap: () => undefined,
      onWait: () => undefined,
      onEnd: () => undefined,
    };
    const query = { client: clientId };
    void follow({ realm, kind: 'user', query, lastId: undefined, signal: ended.signal }, listener);
    return () => {
      clearInterval(timer);
      ended.abort();
    };
  }, [realm, id, clientId, isOn]);
  return heard;
}
