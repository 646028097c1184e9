import { useEffect, useState } from 'react';
import { signInsOf } from '../../api/apps.ts';
import { followEvents } from '../../api/event-stream.ts';
import type { UserEvent } from '../../api/events.ts';
import { isComplete } from './complete-sign-in.ts';

/** The interval at which the counts are read, in milliseconds. */
const POLL_MS = 3_000;
const LOGIN = 'LOGIN';
const FAILURES = [
  'PUSHED_AUTHORIZATION_REQUEST_ERROR',
  'LOGIN_ERROR',
  'CLIENT_LOGIN_ERROR',
  'CODE_TO_TOKEN_ERROR',
  'OAUTH2_DEVICE_CODE_TO_TOKEN_ERROR',
];
/** An error that is not a failure: the device polls too often. */
const SLOW_DOWN = 'slow_down';
const MAX_FAILURES = 5;

export interface ObservedSignIns {
  /** Sign-ins in the last 24 hours after which the app fetched its tokens; undefined while unknown. */
  readonly count: number | undefined;
  /** True if the app has fetched tokens since the page was opened. */
  readonly hasArrived: boolean;
  /** The event of this sign-in, if the realm saves events. */
  readonly event: UserEvent | undefined;
  /** A login whose tokens the app has not fetched yet. */
  readonly login: UserEvent | undefined;
  /** Failures since the app last fetched tokens, newest first. */
  readonly failures: readonly UserEvent[];
  /** Errors that were counted since the app last fetched tokens. There may be no event of them. */
  readonly counted: readonly string[];
  readonly savesEvents: boolean | undefined;
  readonly failure: Error | undefined;
}

const NOTHING: ObservedSignIns = {
  count: undefined,
  hasArrived: false,
  event: undefined,
  login: undefined,
  failures: [],
  counted: [],
  savesEvents: undefined,
  failure: undefined,
};

/**
 * Waits for sign-ins to a client. The stream of events has the user of each sign-in, and the reason of each failure. If
 * the realm saves no events, the counts still show that they happened.
 * @param types the events that complete a sign-in; undefined to wait for none
 */
export function useSignIns(
  realm: string,
  id: string,
  clientId: string,
  types: readonly string[] | undefined,
): ObservedSignIns {
  const [signIns, setSignIns] = useState(NOTHING);
  // Each answer of the host has a new list of the same types.
  const complete = types?.join(' ');
  useEffect(() => {
    if (complete === undefined) return undefined;
    setSignIns(NOTHING);
    const ended = new AbortController();
    const change = (to: (before: ObservedSignIns) => Partial<ObservedSignIns>) =>
      setSignIns((before) => (ended.signal.aborted ? before : { ...before, ...to(before) }));
    // The count at the previous poll, and the failures to ignore. Even a new client may have counts, of a deleted
    // client with the same client ID. Counts decrease when an hour leaves the 24 hours.
    let lastCount: number | undefined;
    let baseline: ReadonlyMap<string, number> = new Map();
    // The number of sign-ins that the stream has reported, now and at the previous poll.
    let streamed = 0;
    let streamedAtLastPoll = 0;
    const poll = async () => {
      if (document.visibilityState === 'hidden') return;
      const streamedBefore = streamed;
      try {
        const { connected, failures } = await signInsOf(realm, id);
        // These counts are older than a sign-in that the stream reported meanwhile.
        if (streamed !== streamedBefore) return;
        const hasStreamed = streamedBefore !== streamedAtLastPoll;
        const hasArrived = lastCount !== undefined && connected > lastCount;
        // Ignore failures from before the app fetched tokens.
        const resetsBaseline = lastCount === undefined || hasArrived || hasStreamed;
        const previous = baseline;
        baseline = new Map(
          failures.map(({ error, count }) => [
            error,
            resetsBaseline ? count : Math.min(count, previous.get(error) ?? 0),
          ]),
        );
        [lastCount, streamedAtLastPoll] = [connected, streamedBefore];
        const counted = failures.filter(({ error, count }) => count > (baseline.get(error) ?? 0));
        change((before) => ({
          count: connected,
          counted: counted.map(({ error }) => error),
          failure: undefined,
          hasArrived: before.hasArrived || hasArrived,
          // If the stream reported the sign-in, it also reports later failures.
          ...(hasArrived && !hasStreamed ? { login: undefined, failures: [] } : {}),
        }));
      } catch (failure) {
        change(() => ({ failure: failure as Error }));
      }
    };
    void poll();
    const timer = setInterval(() => void poll(), POLL_MS);
    let opened: number | undefined;
    const known = new Set<string>();
    const listener = {
      onLive: ({ eventsEnabled }: { eventsEnabled?: boolean }, at: number | undefined) => {
        opened ??= at;
        change(() => ({ savesEvents: eventsEnabled === true }));
      },
      onEvent(message: object) {
        const event = message as UserEvent;
        // A resumed stream repeats events, including some from seconds before the page was opened.
        if (known.has(event.id) || event.time < (opened ?? 0)) return;
        known.add(event.id);
        if (isComplete(event, complete.split(' '))) {
          streamed += 1;
          change(() => ({ event, hasArrived: true, login: undefined, failures: [], counted: [] }));
        } else change(({ failures }) => afterEvent(event, failures));
      },
      onGap: () => undefined,
      onWait: () => undefined,
      onEnd: () => undefined,
    };
    const query = { client: clientId };
    void followEvents({ realm, kind: 'user', query, lastId: undefined, signal: ended.signal }, listener);
    return () => {
      clearInterval(timer);
      ended.abort();
    };
  }, [realm, id, clientId, complete]);
  return signIns;
}

function afterEvent(event: UserEvent, failures: readonly UserEvent[]): Partial<ObservedSignIns> {
  if (event.type === LOGIN) return { login: event };
  if (!FAILURES.includes(event.type) || event.error === SLOW_DOWN) return {};
  return { failures: [event, ...failures].slice(0, MAX_FAILURES) };
}
