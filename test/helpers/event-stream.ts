import type { ExecutionContext } from 'ava';
import { eventually } from './eventually.js';
import type { TestHost } from './host.js';

/** One message of a stream, as the browser's EventSource would deliver it. */
export interface Message {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A client of a stream. */
export interface Listening {
  readonly status: number;
  readonly headers: Headers;
  readonly messages: readonly Message[];
  /** Everything received, as text. */
  readonly text: () => string;
  /** The messages with one name. */
  of(event: string): readonly Message[];
  /** Resolves with the messages of that name once there are `count`. */
  heard(event: string, count?: number): Promise<readonly Message[]>;
  /** Resolves when the server has ended the stream properly. */
  readonly ended: Promise<void>;
  readonly isEnded: () => boolean;
  stop(): void;
}

/** Listens to a realm's stream of events until the end of the test. */
export async function listen(
  t: Pick<ExecutionContext, 'teardown'>,
  host: Pick<TestHost, 'url'>,
  { realm, token, query = '', lastEventId }: { realm: string; token: string; query?: string; lastEventId?: string },
): Promise<Listening> {
  const abort = new AbortController();
  t.teardown(() => abort.abort());
  const response = await fetch(`${host.url}/admin/realms/${realm}/events/stream${query}`, {
    headers: {
      authorization: `Bearer ${token}`,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
    signal: abort.signal,
  });
  const messages: Message[] = [];
  let text = '';
  let rest = '';
  let isEnded = false;
  const ended = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      const came = decoder.decode(chunk, { stream: true });
      text += came;
      const frames = (rest + came).split('\n\n');
      rest = frames.pop() ?? '';
      for (const frame of frames) if (/^event: /m.test(frame)) messages.push(messageOf(frame));
    }
    isEnded = true;
  })();
  // Stopping aborts the stream.
  ended.catch(() => {});
  const of = (event: string) => messages.filter((message) => message.event === event);
  return {
    status: response.status,
    headers: response.headers,
    messages,
    text: () => text,
    of,
    heard: (event, count = 1) => eventually(() => of(event).length >= count && of(event)),
    ended,
    isEnded: () => isEnded,
    stop: () => abort.abort(),
  };
}

function messageOf(frame: string): Message {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(frame)?.[1];
  return { event: field('event') ?? '', id: field('id'), data: JSON.parse(field('data') ?? 'null') };
}
