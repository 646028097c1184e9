import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { segment } from '../address.ts';
import type { EventConfig, EventKind, EventQuery } from './events.ts';
import { ApiFailure } from './failure.ts';
import { opened } from './request.ts';

/** Milliseconds until the next attempt: twice as many after each that fails. */
const FIRST_WAIT_MS = 1_000;
const LAST_WAIT_MS = 30_000;
/** Who comes back is let in only if something of these changes. */
const FINAL = new Set([401, 403, 404]);

export interface StreamListener {
  /**
   * The stream stands, or other events are kept from now on: what happens is told.
   * @param at milliseconds since the epoch, by the host: when the stream began or was taken up
   */
  onLive(keeps: EventConfig, at: number | undefined): void;
  onEvent(event: object): void;
  /** Events are missing here. */
  onGap(): void;
  /** The connection is gone; it is tried again. */
  onWait(): void;
  /** No more is told. */
  onEnd(failure: ApiFailure): void;
}

interface Following {
  readonly realm: string;
  readonly kind: EventKind;
  readonly query: EventQuery;
  /** The last id that a stream gave: what came since is told. */
  readonly lastId: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Listens to a realm's events until the signal is aborted, over every break of the connection and every end of a token.
 * @returns the id with which listening goes on later
 */
export async function follow(following: Following, listener: StreamListener): Promise<string | undefined> {
  const { realm, kind, query, signal } = following;
  let { lastId } = following;
  let wait = FIRST_WAIT_MS;
  while (!signal.aborted) {
    let last: Last = 'broken';
    try {
      const response = await opened(`/realms/${segment(realm)}/events/stream`, {
        query: { ...query, kind },
        roles: ['view-events'],
        lastEventId: lastId,
        signal,
      });
      last = await read(response, (message) => {
        wait = FIRST_WAIT_MS;
        lastId = message.id ?? lastId;
        return told(message, listener);
      });
    } catch (failure) {
      if (signal.aborted) break;
      if (failure instanceof ApiFailure && isFinal(failure)) {
        listener.onEnd(failure);
        break;
      }
    }
    if (typeof last === 'number' && FINAL.has(last)) {
      listener.onEnd(
        new ApiFailure(last === 403 ? 'forbidden' : last === 404 ? 'absent' : 'ended', {
          status: last,
          roles: ['view-events'],
        }),
      );
      break;
    }
    if (last === 'renew') continue;
    if (signal.aborted) break;
    listener.onWait();
    await pause(wait * (0.75 + Math.random() / 2), signal);
    wait = Math.min(wait * 2, LAST_WAIT_MS);
  }
  return lastId;
}

/** How a stream ended: with the token, with a status, or without a word. */
type Last = 'renew' | 'broken' | number;

async function read(response: Response, tell: (message: EventSourceMessage) => Last | undefined): Promise<Last> {
  let last: Last = 'broken';
  const parser = createParser({
    onEvent: (message) => {
      last = tell(message) ?? last;
    },
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done = true, value } = (await reader?.read()) ?? {};
    if (done) return last;
    parser.feed(value ?? '');
  }
}

function told({ id, event, data }: EventSourceMessage, listener: StreamListener): Last | undefined {
  const body = JSON.parse(data) as EventConfig & { status?: number };
  if (event === 'state') listener.onLive(body, id === undefined ? undefined : Number(id));
  if (event === 'user' || event === 'admin') listener.onEvent(body);
  if (event === 'gap') listener.onGap();
  if (event === 'renew') return 'renew';
  return event === 'end' ? body.status : undefined;
}

/** Too many streams are fewer later, and a host that is away comes back. */
function isFinal({ kind, status }: ApiFailure): boolean {
  return kind === 'ended' || (status >= 400 && status < 500 && status !== 429);
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done);
  });
}
