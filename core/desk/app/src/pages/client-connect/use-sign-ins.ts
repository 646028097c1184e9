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
  /** Errors that were counted since the app last fetched tokens, and of which there may be no event. */
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
    // A client of that name may have been there before, so that even a new one has counts. Hours that are over leave them.
    let last: number | undefined;
    let mended: ReadonlyMap<string, number> = new Map();
    // Sign-ins that the stream has told of, and how many it had told of at the last look.
    let [told, toldThen] = [0, 0];
    const look = async () => {
      if (document.visibilityState === 'hidden') return;
      const toldNow = told;
      try {
        const { connected, failures } = await signInsOf(realm, id);
        // What was counted before a sign-in that is shown by now is old.
        if (told !== toldNow) return;
        const hasTold = toldNow !== toldThen;
        const hasArrived = last !== undefined && connected > last;
        // What failed before the app had its tokens is mended.
        const isMended = last === undefined || hasArrived || hasTold;
        const before = mended;
        mended = new Map(
          failures.map(({ error, count }) => [error, isMended ? count : Math.min(count, before.get(error) ?? 0)]),
        );
        [last, toldThen] = [connected, toldNow];
        const counted = failures.filter(({ error, count }) => count > (mended.get(error) ?? 0));
        change((heardBefore) => ({
          ...{ count: connected, counted: counted.map(({ error }) => error), failure: undefined },
          hasArrived: heardBefore.hasArrived || hasArrived,
          // Where the stream tells of it, it also tells of what failed since.
          ...(hasArrived && !hasTold ? { login: undefined, failures: [] } : {}),
        }));
      } catch (failure) {
        change(() => ({ failure: failure as Error }));
      }
    };
    void look();
    const timer = setInterval(() => void look(), LOOK_MS);
    let opened: number | undefined;
    const known = new Set<string>();
    const listener = {
      onLive: ({ eventsEnabled }: { eventsEnabled?: boolean }, at: number | undefined) => {
        opened ??= at;
        change(() => ({ savesEvents: eventsEnabled === true }));
      },
      onEvent(given: object) {
        const event = given as UserEvent;
        // A stream that is taken up repeats events, with those of some seconds before the page was opened.
        if (known.has(event.id) || event.time < (opened ?? 0)) return;
        known.add(event.id);
        if (isComplete(event, complete.split(' '))) {
          told += 1;
          change(() => ({ event, hasArrived: true, login: undefined, failures: [], counted: [] }));
        } else change(({ failures }) => afterEvent(event, failures));
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
