import { fileURLToPath } from 'node:url';
import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { loadSync, type ServiceDefinition } from '@grpc/proto-loader';
import test, { type ExecutionContext } from 'ava';
import { eventually } from '../helpers/eventually.js';
import { startHost, type TestHost } from '../helpers/host.js';
import { figures } from '../helpers/metrics.js';
import { testRealm } from '../helpers/realms.js';

const PLUGINS = fileURLToPath(new URL('../../../test/fixtures/plugins', import.meta.url));
const METHODS = loadSync(`${PLUGINS}/streams/proto/streams.proto`, { keepCase: true, defaults: true })[
  'test.streams.Streams'
] as ServiceDefinition;

type Item = { number?: number; text?: string };
interface Answer {
  readonly items: Item[];
  readonly code: status;
  readonly details: string;
  readonly trailers: Metadata;
}

async function boot(t: ExecutionContext, entry: object = {}): Promise<TestHost> {
  return startHost(t, {
    realms: [testRealm('demo', { providers: { 'grpc-service': { streams: { enabled: true } } } })],
    plugins: [{ module: 'streams', isolation: 'worker', ...entry }],
    argv: ['--providers-dir', PLUGINS],
  });
}

class StreamsClient {
  readonly #client: Client;

  constructor(t: ExecutionContext, host: TestHost) {
    this.#client = new Client(host.grpcAddress ?? '', credentials.createInsecure());
    t.teardown(() => this.#client.close());
  }

  open(method: string, metadata = new Metadata(), options = {}) {
    const { path, requestSerialize, responseDeserialize } = METHODS[method] as ServiceDefinition[string];
    return this.#client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, metadata, options);
  }

  call(method: string, items: readonly Item[], metadata?: Metadata): Promise<Answer> {
    const call = this.open(method, metadata, { deadline: Date.now() + 300_000 });
    for (const item of items) call.write(item);
    call.end();
    return collectAnswer(call);
  }

  async seen(): Promise<Record<string, number>> {
    return JSON.parse((await this.call('unary', [{ text: 'seen' }])).items[0]?.text ?? '');
  }

  /** Waits until the counters of the plugin satisfy the condition. */
  async waitForCounters(holds: (seen: Record<string, number>) => boolean): Promise<void> {
    await eventually(async () => holds(await this.seen()));
  }
}

function collectAnswer(call: ReturnType<StreamsClient['open']>): Promise<Answer> {
  const items: Item[] = [];
  call.on('data', (item: Item) => items.push(item));
  call.on('error', (_: ServiceError) => {});
  return new Promise((resolve) => {
    call.on('status', ({ code, details, metadata }) => resolve({ items, code, details, trailers: metadata }));
  });
}

test('streams of workers: all four kinds of call work in a worker, in order and in full', async (t) => {
  const client = new StreamsClient(t, await boot(t));
  const numbers = Array.from({ length: 1000 }, (_, index) => ({ number: index + 1 }));
  const unary = await client.call('unary', [{ number: 7 }]);
  t.deepEqual([unary.code, unary.items[0]?.number], [status.OK, 7]);
  const down = await client.call('down', [{ number: 1000 }]);
  t.is(down.code, status.OK, down.details);
  t.deepEqual(
    down.items.map(({ number }) => number),
    numbers.map(({ number }) => number),
  );
  const up = await client.call('up', numbers);
  t.deepEqual([up.code, up.items[0]?.number], [status.OK, 500_500]);
  const both = await client.call('both', numbers);
  t.is(both.code, status.OK, both.details);
  t.deepEqual(
    both.items.map(({ number }) => number),
    numbers.map(({ number }) => -number),
  );
  for (const method of ['up', 'both']) t.is((await client.call(method, [])).code, status.OK);
  const nothing = await client.call('unary', [{ text: 'nothing' }]);
  t.deepEqual([nothing.code, nothing.items], [status.OK, []]);
});

test('streams of workers: metadata, the deadline and errors with their trailers cross', async (t) => {
  const host = await boot(t);
  const client = new StreamsClient(t, host);
  const metadata = new Metadata();
  metadata.set('word', 'said');
  metadata.set('word-bin', Buffer.from([0, 255]));
  const { items } = await client.call('unary', [{ text: 'call' }], metadata);
  t.deepEqual(JSON.parse(items[0]?.text ?? ''), {
    word: ['said'],
    bytes: [[0, 255]],
    deadline: 'number',
    principal: 'undefined',
    aborted: false,
  });
  const refused = await client.call('unary', [{ text: 'refuse' }]);
  t.deepEqual([refused.code, refused.details], [status.FAILED_PRECONDITION, 'not today']);
  t.deepEqual([refused.trailers.get('when'), refused.trailers.get('raw-bin')], [['tomorrow'], [Buffer.from([1, 2])]]);
  const broken = await client.call('down', [{ number: 50, text: 'break' }]);
  t.deepEqual([broken.items.length, broken.code, broken.details], [50, status.DATA_LOSS, 'it broke']);
  t.deepEqual(broken.trailers.get('at'), ['50']);
  const unclear = await client.call('unary', [{ text: 'function' }]);
  t.is(unclear.code, status.UNKNOWN);
  const reasons = host.log.map(({ fields }) => (fields as { reason?: string }).reason ?? '');
  t.true(
    reasons.some((reason) => reason.includes('only plain data crosses')),
    reasons.join(),
  );
});

test('streams of workers: a producer in a worker gets no further than a reader lets it, and is closed when the client goes', async (t) => {
  const client = new StreamsClient(t, await boot(t));
  const endless = client.open('down');
  endless.write({ number: 0 });
  endless.end();
  const answer = collectAnswer(endless);
  await new Promise((resolve) => endless.once('data', resolve));
  endless.pause();
  let made = 0;
  // These calls give a producer without backpressure the time to run ahead.
  for (let n = 0; n < 50; n += 1) made = (await client.seen()).made ?? 0;
  const settled = (await client.seen()).made ?? 0;
  t.true(settled - made < 20, `${made} to ${settled}`);
  endless.cancel();
  t.is((await answer).code, status.CANCELLED);
  await client.waitForCounters(({ closed, aborted }) => closed === 1 && aborted === 1);
});

test('streams of workers: a client that goes in the middle of its messages ends the iterable of the handler with an error', async (t) => {
  const host = await boot(t);
  const client = new StreamsClient(t, host);
  const call = client.open('up');
  call.write({ number: 1 });
  const answer = collectAnswer(call);
  await client.seen();
  call.cancel();
  t.is((await answer).code, status.CANCELLED);
  await client.waitForCounters(({ brokenOff }) => brokenOff === 1);
  const running = await figures(host, 'keyhost_provider_calls_running');
  t.deepEqual(running, { 'provider=grpc-service/streams,realm=demo': 0 });
});

test('streams of workers: a worker that ends in the middle of a call makes it UNAVAILABLE, and the next one is served', async (t) => {
  const client = new StreamsClient(t, await boot(t));
  const endless = client.open('down');
  endless.write({ number: 0 });
  endless.end();
  const answer = collectAnswer(endless);
  await new Promise((resolve) => endless.once('data', resolve));
  const exit = await client.call('unary', [{ text: 'exit' }]);
  t.is(exit.code, status.UNAVAILABLE);
  t.is((await answer).code, status.UNAVAILABLE);
  for (;;) {
    const { code } = await client.call('unary', [{}]);
    if (code === status.OK) break;
    t.is(code, status.UNAVAILABLE);
  }
  t.deepEqual(await client.seen(), { made: 0, closed: 0, aborted: 0, brokenOff: 0 });
});
