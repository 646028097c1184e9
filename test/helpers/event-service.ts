import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AdminEvent, Event, StoredEvent } from '@keyhost/spi';
import type { ExecutionContext } from 'ava';

type Kept = (Event | AdminEvent) & { readonly type?: string };

/** A service with an HTTP API that stores events, such as another system. */
export interface EventService {
  readonly url: string;
  /** Each batch that was accepted. */
  readonly batches: readonly (readonly StoredEvent[])[];
  /** Each event once, in its latest version and in order of first arrival. */
  readonly kept: ReadonlyMap<string, Kept>;
  /** The queries that it received. */
  readonly queries: readonly object[];
  /** The number of requests to store events, including those that it rejected. */
  asked: number;
  /** Its behaviour: `die` ends the plugin's worker after the batch was accepted. */
  state: 'up' | 'away' | 'hang' | 'die';
  /** It answers once this resolves. */
  gate: Promise<void>;
  /** Its answer to events that it accepted. */
  answer: (events: readonly StoredEvent[]) => object | undefined;
  /** Its answer to a query; undefined: the stored events. */
  found: object | undefined;
}

export async function startEventService(t: Pick<ExecutionContext, 'teardown'>): Promise<EventService> {
  const batches: StoredEvent[][] = [];
  const kept = new Map<string, Kept>();
  const queries: object[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const asked = JSON.parse(Buffer.concat(chunks).toString()) as { events?: StoredEvent[]; kind?: string };
    if (asked.events !== undefined) service.asked += 1;
    await service.gate;
    if (service.state === 'hang') return;
    if (service.state === 'away') return void response.writeHead(503).end();
    if (request.url === '/query') {
      queries.push(asked);
      const all = [...kept.values()].filter((event) => 'operationType' in event === (asked.kind === 'admin'));
      return void response.end(JSON.stringify(service.found ?? { events: all.reverse() }));
    }
    if (request.url === '/clear') {
      const gone = [...kept].filter(([, event]) => 'operationType' in event === (asked.kind === 'admin'));
      for (const [id] of gone) kept.delete(id);
      return void response.end(JSON.stringify({ removed: gone.length }));
    }
    const { events = [] } = asked;
    batches.push(events);
    for (const { event } of events) kept.set(event.id, event as Kept);
    const isLast = service.state === 'die';
    if (isLast) service.state = 'up';
    response.end(JSON.stringify({ ...service.answer(events), ...(isLast ? { die: true } : {}) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const service: EventService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    batches,
    kept,
    queries,
    asked: 0,
    state: 'up',
    gate: Promise.resolve(),
    answer: () => undefined,
    found: undefined,
  };
  return service;
}

/**
 * The source of a plugin with an `EventStore` of that name that sends events to the service at its configured `url`.
 */
export const eventStore = (id: string, isReadable = false) => `import { EventStore, provide } from '@keyhost/spi';
const ask = async (session, url, path, body) => {
  const answer = await fetch(url + path, { method: 'POST', body: JSON.stringify(body), signal: session.signal });
  if (!answer.ok) throw new Error('the service answered ' + answer.status);
  const { die, ...rest } = JSON.parse(await answer.text());
  if (die) setImmediate(() => { throw new Error('the end of the worker'); });
  return die ? new Promise(() => {}) : rest;
};
export default { name: '${id}', api: 1, providers: [provide(EventStore, {
  id: '${id}',
  realmConfig: { type: 'object', properties: { url: { type: 'string' } }, required: ['url'], additionalProperties: false },
  open: () => ({ create: (session, { url }) => ({
    store: ({ events }) => ask(session, url, '/', { events }),
    ${isReadable ? "query: (query) => ask(session, url, '/query', query), clear: (request) => ask(session, url, '/clear', request)," : ''}
  }) }),
})] };`;
