import { status } from '@grpc/grpc-js';
import test from 'ava';
import { eventually } from '../helpers/eventually.js';
import { gate } from '../helpers/gate.js';
import { FrameConnection, GOAWAY, RST_STREAM } from '../helpers/http2-frames.js';
import { item, PROBE, recording, shareProbe } from '../helpers/probe-service.js';
import { connectRaw, framed, openCall, rawCall } from '../helpers/raw-grpc.js';

const MOST = 1000;
const probe = shareProbe(test, { config: { maxRequestMessages: MOST } });

/** Gives the server time to run ahead, which it must not do. The exact time does not matter. */
async function roundTrips(count: number): Promise<void> {
  const cleanups: (() => unknown)[] = [];
  const session = await connectRaw({ teardown: (cleanup) => void cleanups.push(cleanup) }, probe().address);
  const { headers } = recording(probe());
  for (let index = 0; index < count; index += 1) await rawCall(session, PROBE.unary, framed(item(1)), headers);
  for (const cleanup of cleanups) cleanup();
}

test('gRPC streams: a handler is at most a few messages ahead of a client that does not read', async (t) => {
  const session = await connectRaw(t, probe().address);
  const total = 300;
  for (const kind of ['down', 'both'] as const) {
    let made = 0;
    const stream = async function* () {
      for (; made < total; made += 1) yield { number: made, blob: new Uint8Array(60_000) };
    };
    const call = openCall(session, PROBE[kind], probe().handle({ down: stream, both: stream }));
    call.send(item(1));
    call.end();
    await new Promise((resolve) => call.stream.once('response', resolve));
    call.stream.pause();
    await eventually(() => made > 0);
    await roundTrips(50);
    // The client's window and buffer, and what is sent ahead.
    t.true(made < 12, `${kind}: ${made}`);
    call.stream.resume();
    const { status: code, messages } = await call.answer;
    t.deepEqual([code, messages.length, made], [status.OK, total, total], kind);
  }
});

test('gRPC streams: many small messages do not run ahead either', async (t) => {
  const session = await connectRaw(t, probe().address);
  let made = 0;
  const headers = probe().handle({
    async *down() {
      for (; made < 100_000; made += 1) yield {};
    },
  });
  const call = openCall(session, PROBE.down, headers);
  call.send(item(1));
  call.end();
  await new Promise((resolve) => call.stream.once('response', resolve));
  call.stream.pause();
  await roundTrips(50);
  // Five bytes each: two windows of 64 KiB and the messages that may wait.
  t.true(made < 30_000, String(made));
  call.stream.resume();
  const { status: code, messages } = await call.answer;
  t.deepEqual([code, messages.length], [status.OK, 100_000]);
});

test('gRPC streams: a client is at most the window ahead of a handler that does not read', async (t) => {
  const session = await connectRaw(t, probe().address);
  const total = 300;
  for (const kind of ['up', 'both'] as const) {
    const { opened, open } = gate();
    let read = 0;
    const count = async (items: AsyncIterable<unknown>) => {
      for await (const _ of items) {
        read += 1;
        await opened;
      }
      return {};
    };
    const headers = probe().handle({
      up: count,
      async *both(items) {
        yield await count(items);
      },
    });
    const { stream, answer, end } = openCall(session, PROBE[kind], headers);
    let taken = 0;
    const message = Buffer.concat([Buffer.from([0x1a, 0x90, 0x4e]), Buffer.alloc(10_000)]);
    for (let index = 0; index < total; index += 1) {
      stream.write(framed(message), () => {
        taken += 1;
      });
    }
    end();
    await eventually(() => read > 0);
    await roundTrips(50);
    t.true(taken < 20, `${kind}: ${taken}`);
    t.is(read, 1, kind);
    open();
    t.is((await answer).status, status.OK, kind);
    t.is(read, total, kind);
  }
});

test('gRPC streams: the number of messages of a call is limited, also in one piece', async (t) => {
  const session = await connectRaw(t, probe().address);
  for (const kind of ['up', 'both'] as const) {
    const enough = await rawCall(session, PROBE[kind], Buffer.alloc(MOST * 5), recording(probe()).headers);
    t.is(enough.status, status.OK, kind);
    const { events, headers } = recording(probe());
    const answer = await rawCall(session, PROBE[kind], Buffer.alloc(9_600 * 5), headers);
    t.is(answer.status, status.RESOURCE_EXHAUSTED, kind);
    t.regex(answer.details, /at most 1000 messages/);
    await eventually(() => events.includes('failed'));
    t.is(events.filter((event) => event === 'message').length, MOST, kind);
    t.false(events.includes('ended'), kind);
  }
});

test('gRPC streams: an endless handler is stopped when its client leaves, even one that does not read', async (t) => {
  for (const reads of [true, false]) {
    let stopped = false;
    let made = 0;
    const headers = probe().handle({
      async *down() {
        try {
          for (;;) {
            made += 1;
            yield { blob: new Uint8Array(20_000) };
          }
        } finally {
          stopped = true;
        }
      },
    });
    const session = await connectRaw(t, probe().address);
    const { stream, answer, send, end } = openCall(session, PROBE.down, headers);
    send(item(1));
    end();
    await new Promise((resolve) => stream.once('response', resolve));
    // More than fits into the windows: the client reads.
    if (reads) await eventually(() => made > 10);
    else stream.pause();
    await roundTrips(5);
    t.false(stopped);
    if (reads) stream.close(8);
    else session.destroy();
    await answer;
    await eventually(() => stopped);
    const last = made;
    await roundTrips(5);
    t.is(made, last);
  }
});

test('gRPC streams: cancelled calls leave the others alone: 800 on the same connection, 5,000 on others', async (t) => {
  const own = await FrameConnection.open(t, probe().address);
  const { events, headers } = recording(probe());
  own.call(1, PROBE.both, headers);
  own.data(1, framed(item(1)));
  await eventually(() => events.length === 1);
  const cancel = async (connection: FrameConnection, count: number) => {
    const others = recording(probe());
    for (let index = 1; index <= count; index += 1) {
      connection.call(index * 2 + 1, PROBE.both, others.headers);
      connection.data(index * 2 + 1, framed(item(1)));
      if (index % 100 === 0) await eventually(() => others.events.at(-1) === 'message');
      connection.reset(index * 2 + 1, 8);
    }
    await connection.settled();
    t.true(others.events.includes('failed'));
    t.false(others.events.includes('ended'));
  };
  await cancel(own, 800);
  for (let index = 0; index < 7; index += 1) {
    await cancel(await FrameConnection.open(t, probe().address), 715);
  }
  own.data(1, framed(item(2)), true);
  await eventually(() => events.includes('ended'));
  t.deepEqual(events, ['message', 'message', 'ended']);
  t.false(own.frames.some(({ type }) => type === GOAWAY || type === RST_STREAM));
});
