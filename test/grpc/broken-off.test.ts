import { status } from '@grpc/grpc-js';
import test from 'ava';
import { eventually } from '../helpers/eventually.js';
import { DATA, FrameConnection, GOAWAY, HEADERS, RST_STREAM } from '../helpers/http2-frames.js';
import { endings, item, PROBE, recording, shareProbe } from '../helpers/probe-service.js';
import { connectRaw, framed, rawCall } from '../helpers/raw-grpc.js';

const probe = shareProbe(test, { argv: ['--grpc-access-log-enabled'] });

const WAYS: Readonly<Record<string, (connection: FrameConnection) => void>> = {
  'a reset with CANCEL': (connection) => connection.reset(1, 8),
  'a reset with INTERNAL_ERROR': (connection) => connection.reset(1, 2),
  'a reset with NO_ERROR': (connection) => connection.reset(1, 0),
  'a half-close with a reset behind it': (connection) => {
    connection.cork(() => {
      connection.data(1, new Uint8Array(), true);
      connection.reset(1, 8);
    });
  },
  'an end of the connection': (connection) => connection.finish(),
  'a connection that breaks': (connection) => connection.destroy(),
  'a GOAWAY and an end': (connection) => {
    connection.goAway();
    connection.finish();
  },
};

// Serially, since all calls share one log.
for (const [name, breakOff] of Object.entries(WAYS)) {
  test.serial(`gRPC resets: ${name} without a half-close is no end of the request`, async (t) => {
    for (const kind of ['unary', 'down', 'up', 'both'] as const) {
      const { events, headers } = recording(probe());
      const connection = await FrameConnection.open(t, probe().address);
      const before = endings(probe()).length;
      connection.call(1, PROBE[kind], headers);
      connection.data(1, framed(item(1)));
      if (kind === 'up' || kind === 'both') await eventually(() => events.includes('message'));
      else await connection.settled();
      breakOff(connection);
      await eventually(() => endings(probe()).length > before);
      t.deepEqual(endings(probe()).slice(before), [{ method: PROBE[kind], code: 'CANCELLED' }], kind);
      if (kind === 'up' || kind === 'both') await eventually(() => events.includes('failed'));
      t.deepEqual(events, kind === 'up' || kind === 'both' ? ['message', 'failed'] : [], kind);
    }
    const session = await connectRaw(t, probe().address);
    const answer = await rawCall(session, PROBE.unary, framed(item(7)), recording(probe()).headers);
    t.deepEqual([answer.status, answer.messages], [status.OK, [item(7)]]);
  });
}

test.serial('gRPC resets: a reset of one call leaves the others of the connection alone', async (t) => {
  const connection = await FrameConnection.open(t, probe().address);
  const { events, headers } = recording(probe());
  connection.call(1, PROBE.both, headers);
  connection.data(1, framed(item(1)));
  connection.call(3, PROBE.both, recording(probe()).headers);
  connection.reset(3, 8);
  await connection.settled();
  connection.data(1, framed(item(2)), true);
  await eventually(() => events.includes('ended'));
  const trailers = await connection.until(
    ({ type, stream, flags }) => type === HEADERS && stream === 1 && (flags & 1) === 1,
  );
  t.truthy(trailers);
  t.deepEqual(
    connection.frames.filter(({ type, stream, payload }) => type === DATA && stream === 1 && payload.length > 0).length,
    2,
  );
  t.false(connection.frames.some(({ type }) => type === RST_STREAM || type === GOAWAY));
});

test.serial('gRPC resets: an early response is followed by a reset that stops the client', async (t) => {
  const connection = await FrameConnection.open(t, probe().address);
  connection.call(1, PROBE.up, probe().handle({ up: async () => ({ number: 1 }) }));
  const reset = await connection.until(({ type, stream }) => type === RST_STREAM && stream === 1);
  t.is(reset.payload.readUInt32BE(), 0);
  const own = connection.frames.filter(({ stream }) => stream === 1).map(({ type }) => type);
  t.deepEqual([own[0], own.slice(-2)], [HEADERS, [HEADERS, RST_STREAM]]);
});

test.serial(
  'gRPC resets: frames that break HTTP/2 are answered with a GOAWAY, and other connections work',
  async (t) => {
    const session = await connectRaw(t, probe().address);
    const broken: ((connection: FrameConnection) => void)[] = [
      (connection) => connection.send(HEADERS, 4, 1, Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff])),
      (connection) => connection.data(1, framed(item(1))),
      (connection) => connection.call(2, PROBE.unary),
      (connection) => connection.send(DATA, 0, 0, Buffer.alloc(20_000)),
    ];
    for (const send of broken) {
      const connection = await FrameConnection.open(t, probe().address);
      send(connection);
      await connection.until(({ type }) => type === GOAWAY);
    }
    const answer = await rawCall(session, PROBE.unary, framed(item(7)), recording(probe()).headers);
    t.is(answer.status, status.OK);
  },
);
