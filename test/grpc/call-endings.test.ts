import { once } from 'node:events';
import { status } from '@grpc/grpc-js';
import { type GrpcCall, GrpcError, HostError } from '@keyhost/spi';
import test, { type ExecutionContext } from 'ava';
import { eventually } from '../helpers/eventually.js';
import { FrameConnection } from '../helpers/http2-frames.js';
import { type Handlers, type Item, item, PROBE, shareProbe } from '../helpers/probe-service.js';
import { connectRaw, framed, openCall, rawCall } from '../helpers/raw-grpc.js';

const probe = shareProbe(test, {}, /^gRPC call failed/);

const CALL_TYPES = ['unary', 'down', 'up', 'both'] as const;

/** Handlers of all types that send some messages and then throw. */
function failing(error: unknown, before: readonly object[]): Handlers {
  const stream = async function* () {
    yield* before;
    throw error;
  };
  const single = async () => {
    throw error;
  };
  return { unary: single, up: single, down: stream, both: stream };
}

test('gRPC call endings: an error of a handler arrives once, whole, and after the messages before it', async (t) => {
  const session = await connectRaw(t, probe().address);
  const details = 'Zu groß: 100 % von “x”\nüber %41';
  const trailers = {
    'x-text': 'a b',
    'x-data-bin': new Uint8Array([0, 255, 44]),
    'grpc-status-details-bin': Buffer.of(8),
  };
  const headers = probe().handle(
    failing(new GrpcError('ABORTED', details, { trailers }), [{ number: 1 }, { number: 2 }]),
  );
  for (const kind of CALL_TYPES) {
    const answer = await rawCall(session, PROBE[kind], framed(item(1)), headers);
    t.is(answer.headers['grpc-status'], String(status.ABORTED), kind);
    t.is(answer.details, details, kind);
    t.is(answer.headers['x-text'], 'a b', kind);
    t.is(answer.headers['x-data-bin'], 'AP8s', kind);
    t.is(answer.headers['grpc-status-details-bin'], 'CA==', kind);
    t.deepEqual(answer.messages, kind === 'down' || kind === 'both' ? [item(1), item(2)] : [], kind);
  }
});

test('gRPC call endings: an error of the host has its HTTP status’s code, and an unexposed or plain one has no details', async (t) => {
  const session = await connectRaw(t, probe().address);
  const secret = 'meant: the password of the database';
  const cases: [unknown, status, string][] = [
    [new HostError('gone', 'not here', { status: 404, expose: true }), status.NOT_FOUND, 'not here'],
    [new HostError('gone', secret, { status: 500 }), status.UNKNOWN, 'The server failed: see its log'],
    [new Error(secret), status.UNKNOWN, 'The server failed: see its log'],
    [secret, status.UNKNOWN, 'The server failed: see its log'],
    [undefined, status.UNKNOWN, 'The server failed: see its log'],
    [null, status.UNKNOWN, 'The server failed: see its log'],
  ];
  for (const [error, code, details] of cases) {
    const headers = probe().handle(failing(error, []));
    for (const kind of CALL_TYPES) {
      const answer = await rawCall(session, PROBE[kind], framed(item(1)), headers);
      t.deepEqual([answer.status, answer.details], [code, details], `${kind} ${error}`);
      t.notRegex(JSON.stringify(answer.headers), /password/);
    }
  }
  const told = probe().host.log.filter(
    ({ level, fields }) => level === 'error' && /password/.test(JSON.stringify(fields)),
  );
  t.is(told.length, 3 * CALL_TYPES.length);
  t.like(told[0]?.fields, { method: PROBE.unary, plugin: 'probe' });
});

test('gRPC call endings: a status that cannot be sent ends the call all the same, and never as OK', async (t) => {
  const session = await connectRaw(t, probe().address);
  const surrogate = failing(new GrpcError('ABORTED', 'half \ud83d a pair'), [{ number: 1 }]);
  for (const kind of CALL_TYPES) {
    const answer = await rawCall(session, PROBE[kind], framed(item(1)), probe().handle(surrogate));
    t.deepEqual([answer.status, answer.details], [status.ABORTED, 'half \ufffd a pair'], kind);
  }
  const wrong: Record<string, string | Uint8Array>[] = [
    { 'grpc-status': '0' },
    { 'Grpc-Message': 'fine' },
    { 'content-type': 'text/plain' },
    { connection: 'close' },
    { ':status': '200' },
    { 'two words': 'x' },
    { 'x-text': 'two\nlines' },
    { 'x-text': 'ü' },
    { 'x-text': new Uint8Array([1]) },
    { 'x-bin': 'no bytes' },
  ];
  for (const trailers of wrong) {
    const headers = probe().handle(failing(new GrpcError('ABORTED', 'x', { trailers }), [{ number: 1 }]));
    for (const kind of ['unary', 'both'] as const) {
      const answer = await rawCall(session, PROBE[kind], framed(item(1)), headers);
      t.is(answer.status, status.UNKNOWN, `${kind} ${JSON.stringify(trailers)}`);
    }
  }
});

test('gRPC call endings: a response that is no message of its type ends the call with UNKNOWN', async (t) => {
  const session = await connectRaw(t, probe().address);
  for (const wrong of [{ title: 'meant' }, { number: 2 ** 40 }, { text: 5 }, { blob: 'meant' }, { number: 'meant' }]) {
    const headers = probe().handle({
      unary: async () => wrong,
      both: async function* () {
        yield wrong;
      },
    });
    for (const kind of ['unary', 'both'] as const) {
      const answer = await rawCall(session, PROBE[kind], framed(item(1)), headers);
      t.deepEqual([answer.status, answer.messages], [status.UNKNOWN, []], `${kind} ${JSON.stringify(wrong)}`);
    }
  }
  const headers = probe().handle({ down: (() => ({})) as never });
  t.is((await rawCall(session, PROBE.down, framed(item(1)), headers)).status, status.UNKNOWN);
});

/** Handlers that never end, and record how their call ended. */
function waiting() {
  const seen = { call: undefined as GrpcCall | undefined, aborted: false, end: undefined as unknown };
  const watch = (call: GrpcCall) => {
    seen.call = call;
    call.signal.addEventListener('abort', () => {
      seen.aborted = true;
    });
  };
  const drain = async (items: AsyncIterable<Item>) => {
    try {
      for await (const _ of items);
      seen.end = 'ended';
    } catch (error) {
      seen.end = error;
    }
  };
  const handlers: Handlers = {
    unary: (_, call) => {
      watch(call);
      return new Promise(() => {});
    },
    async *down(_, call) {
      watch(call);
      yield { number: 1 };
      await new Promise(() => {});
    },
    async up(items, call) {
      watch(call);
      await drain(items);
      return {};
    },
    async *both(items, call) {
      watch(call);
      yield { number: 1 };
      await drain(items);
    },
  };
  return { seen, headers: probe().handle(handlers) };
}

/** @param begin opens a call with a message, and gives what breaks it off */
async function assertBrokenOff(
  t: ExecutionContext,
  kind: (typeof CALL_TYPES)[number],
  begin: (headers: Record<string, string>) => Promise<() => Promise<unknown>>,
) {
  const { seen, headers } = waiting();
  const breakOff = await begin(headers);
  await eventually(() => seen.call !== undefined);
  t.false(seen.aborted, kind);
  await breakOff();
  await eventually(() => seen.aborted);
  if (kind === 'unary' || kind === 'down') return;
  await eventually(() => seen.end !== undefined);
  t.is((seen.end as GrpcError).grpcStatus, 'CANCELLED', kind);
}

test('gRPC call endings: a deadline aborts the signal, and the request ends with an error', async (t) => {
  const session = await connectRaw(t, probe().address);
  const all = CALL_TYPES.map((kind) =>
    assertBrokenOff(t, kind, async (headers) => {
      const { answer, send, end } = openCall(session, PROBE[kind], { ...headers, 'grpc-timeout': '1500m' });
      send(item(1));
      if (kind === 'unary' || kind === 'down') end();
      return async () => t.is((await answer).status, status.DEADLINE_EXCEEDED, kind);
    }),
  );
  await Promise.all(all);
});

test('gRPC call endings: a cancel aborts the signal, and the request ends with an error', async (t) => {
  for (const kind of CALL_TYPES) {
    await assertBrokenOff(t, kind, async (headers) => {
      const connection = await FrameConnection.open(t, probe().address);
      connection.call(1, PROBE[kind], headers);
      connection.data(1, framed(item(1)), kind === 'unary' || kind === 'down');
      return async () => connection.reset(1, 8);
    });
  }
});

test('gRPC call endings: a deadline ends a call at once even if its client does not read, and later messages are dropped', async (t) => {
  const session = await connectRaw(t, probe().address);
  let aborted = false;
  let later = 0;
  let finished = false;
  const headers = probe().handle({
    async *down(_, { signal }) {
      const abortion = once(signal, 'abort').then(() => {
        aborted = true;
      });
      try {
        // Above the window of the client, below what is sent ahead.
        for (let number = 1; number <= 2; number += 1) yield { number, blob: new Uint8Array(50_000) };
        await abortion;
        for (;;) {
          yield { number: 3 };
          later += 1;
        }
      } finally {
        finished = true;
      }
    },
  });
  const { stream, answer, send, end } = openCall(session, PROBE.down, { ...headers, 'grpc-timeout': '1500m' });
  send(item(1));
  end();
  await new Promise((resolve) => stream.once('response', resolve));
  stream.pause();
  await eventually(() => finished);
  t.deepEqual([aborted, later], [true, 0]);
  stream.resume();
  const { status: code, messages } = await answer;
  t.deepEqual([code, messages.length], [status.DEADLINE_EXCEEDED, 2]);
});

test('gRPC call endings: several messages of a request can be read in parallel', async (t) => {
  const session = await connectRaw(t, probe().address);
  const seen: unknown[] = [];
  const headers = probe().handle({
    async up(items) {
      const from = items[Symbol.asyncIterator]();
      for (const result of await Promise.all([from.next(), from.next(), from.next(), from.next()]))
        seen.push(result.done === true ? 'ended' : result.value.number);
      return {};
    },
  });
  const { answer, send, end } = openCall(session, PROBE.up, headers);
  for (let number = 1; number <= 3; number += 1) send(item(number));
  end();
  t.is((await answer).status, status.OK);
  t.deepEqual(seen, [1, 2, 3, 'ended']);
});
