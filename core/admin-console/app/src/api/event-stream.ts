import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { encodeSegment } from '../address.ts';
import type { EventConfig, EventKind, EventQuery } from './events.ts';
import { ApiFailure } from './failure.ts';
import { fetchResponse } from './request.ts';

/** The delay before the next attempt, in milliseconds; it doubles after each failure. */
const MIN_WAIT_MS = 1_000;
const MAX_WAIT_MS = 30_000;
/** Statuses that a retry would not change: the user must sign in again, or get rights, first. */
const FINAL_STATUSES = new Set([401, 403, 404]);

export interface StreamListener {
  /**
   * Called when the stream is connected, or when the realm's event settings have changed.
   * @param at the host's time at which the stream began or resumed, in milliseconds since the epoch
   */
  onLive(config: EventConfig, at: number | undefined): void;
  onEvent(event: object): void;
  /** Called if events are missing at this point. */
  onGap(): void;
  /** Called when the connection is lost; it is retried. */
  onWait(): void;
  /** Called when no more events follow. */
  onEnd(failure: ApiFailure): void;
}

interface FollowRequest {
  readonly realm: string;
  readonly kind: EventKind;
  readonly query: EventQuery;
  /** The ID of the last event that a stream sent: the new stream begins after it. */
  readonly lastId: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Follows a realm's events until the signal is aborted, across lost connections and expired tokens.
 * @returns the ID after which a later call continues
 */
export async function followEvents(request: FollowRequest, listener: StreamListener): Promise<string | undefined> {
  const { realm, kind, query, signal } = request;
  let { lastId } = request;
  let waitMs = MIN_WAIT_MS;
  while (!signal.aborted) {
    let end: StreamEnd = 'broken';
    try {
      const response = await fetchResponse(`/realms/${encodeSegment(realm)}/events/stream`, {
        query: { ...query, kind },
        roles: ['view-events'],
        lastEventId: lastId,
        signal,
      });
      end = await readStream(response, (message) => {
        waitMs = MIN_WAIT_MS;
        lastId = message.id ?? lastId;
        return handleMessage(message, listener);
      });
    } catch (failure) {
      if (signal.aborted) break;
      if (failure instanceof ApiFailure && isFinal(failure)) {
        listener.onEnd(failure);
        break;
      }
    }
    if (typeof end === 'number' && FINAL_STATUSES.has(end)) {
      listener.onEnd(
        new ApiFailure(end === 403 ? 'forbidden' : end === 404 ? 'absent' : 'ended', {
          status: end,
          roles: ['view-events'],
        }),
      );
      break;
    }
    if (end === 'renew') continue;
    if (signal.aborted) break;
    listener.onWait();
    await pause(waitMs * (0.75 + Math.random() / 2), signal);
    waitMs = Math.min(waitMs * 2, MAX_WAIT_MS);
  }
  return lastId;
}

/** How a stream ended: by the token's expiry, a status, or a broken connection. */
type StreamEnd = 'renew' | 'broken' | number;

async function readStream(
  response: Response,
  onMessage: (message: EventSourceMessage) => StreamEnd | undefined,
): Promise<StreamEnd> {
  let end: StreamEnd = 'broken';
  const parser = createParser({
    onEvent: (message) => {
      end = onMessage(message) ?? end;
    },
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done = true, value } = (await reader?.read()) ?? {};
    if (done) return end;
    parser.feed(value ?? '');
  }
}

function handleMessage({ id, event, data }: EventSourceMessage, listener: StreamListener): StreamEnd | undefined {
  const body = JSON.parse(data) as EventConfig & { status?: number };
  if (event === 'state') listener.onLive(body, id === undefined ? undefined : Number(id));
  if (event === 'user' || event === 'admin') listener.onEvent(body);
  if (event === 'gap') listener.onGap();
  if (event === 'renew') return 'renew';
  return event === 'end' ? body.status : undefined;
}

/** False for failures that pass: too many streams, or an unreachable host. */
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
