import { useEffect, useState } from 'react';
import { signInsOf } from '../../api/apps.ts';
import { follow } from '../../api/event-stream.ts';
import type { UserEvent } from '../../api/events.ts';
import { isComplete } from './complete-sign-in.ts';

/** Milliseconds between two looks at the counts. */
const LOOK_MS = 3_000;
const LOGIN = 'LOGIN';
const FAILURES = [
  'PUSHED_AUTHORIZATION_REQUEST_ERROR',
  'LOGIN_ERROR',
  'CLIENT_LOGIN_ERROR',
  'CODE_TO_TOKEN_ERROR',
  'OAUTH2_DEVICE_CODE_TO_TOKEN_ERROR',
];
/** No failure: the device asks too often. */
const WAITS = 'slow_down';
const MOST_FAILURES = 5;

export interface HeardSignIns {
  /** Sign-ins of which the app has the tokens, in the last 24 hours; undefined until it is known. */
  readonly count: number | undefined;
  /** True: the app has fetched tokens since the page was opened. */
  readonly hasArrived: boolean;
  /** The event that said so, where the realm saves its events. */
  readonly event: UserEvent | undefined;
  /** A login whose tokens the app has not fetched so far. */
  readonly login: UserEvent | undefined;
  /** Since the app last fetched tokens; newest first. */
  readonly failures: readonly UserEvent[];
  /** Errors that were counted since the page was opened, and of which there is no event. */
  readonly counted: readonly string[];
  readonly savesEvents: boolean | undefined;
  readonly failure: Error | undefined;
}

const NOTHING: HeardSignIns = {
  ...{ count: undefined, hasArrived: false, event: undefined, login: undefined, failures: [], counted: [] },
  ...{ savesEvents: undefined, failure: undefined },
};

/**
 * Waits for sign-ins to a client. The stream of events says who signed in, and why somebody could not. Where the realm saves
 * no events, the counts still tell that it happened.
 * @param types of the events with which a sign-in is complete; undefined: nothing is heard
 */
export function useSignIns(
  realm: string,
  id: string,
  clientId: string,
  types: readonly string[] | undefined,
): HeardSignIns {
  const [heard, setHeard] = useState(NOTHING);
  // Each answer of the host has a list of its own, with the same types.
  const complete = types?.join(' ');
  useEffect(() => {
    if (complete === undefined) return undefined;
    setHeard(NOTHING);
    const ended = new AbortController();
    const change = (to: (before: HeardSignIns) => Partial<HeardSignIns>) =>
      setHeard((before) => (ended.signal.aborted ? before : { ...before, ...to(before) }));
    // A client of that name may have been there before, so that even a new one has a count.
    let first: { count: number; errors: ReadonlyMap<string, number> } | undefined;
    const look = async () => {
      if (document.visibilityState === 'hidden') return;
      try {
        const { connected, failures } = await signInsOf(realm, id);
        const errorsNow = new Map(failures.map(({ error, count }) => [error, count]));
        first ??= { count: connected, errors: errorsNow };
        const hasArrived = connected > first.count;
        // What failed before the app had its tokens is mended.
        if (hasArrived) first = { count: connected, errors: errorsNow };
        const { errors } = first;
        const counted = failures.filter((one) => one.count > (errors.get(one.error) ?? 0)).map(({ error }) => error);
        change((before) => ({
          ...{ count: connected, counted, failure: undefined },
          hasArrived: before.hasArrived || hasArrived,
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
      onEvent(given: object) {
        const event = given as UserEvent;
        if (isComplete(event, complete.split(' ')))
          change(() => ({ event, hasArrived: true, login: undefined, failures: [] }));
        else change(({ failures }) => afterEvent(event, failures));
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
  }, [realm, id, clientId, complete]);
  return heard;
}

function afterEvent(event: UserEvent, failures: readonly UserEvent[]): Partial<HeardSignIns> {
  if (event.type === LOGIN) return { login: event };
  if (!FAILURES.includes(event.type) || event.error === WAITS) return {};
  return { failures: [event, ...failures].slice(0, MOST_FAILURES) };
}
