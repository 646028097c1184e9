import { status } from '@grpc/grpc-js';
import test from 'ava';
import { eventually } from '../helpers/eventually.js';
import { gate } from '../helpers/gate.js';
import { FrameConnection, GOAWAY, HEADERS } from '../helpers/http2-frames.js';
import { item, PROBE, type Probe, recording, startProbe } from '../helpers/probe-service.js';
import { connectRaw, framed, rawCall } from '../helpers/raw-grpc.js';
import { assertHealthy } from '../helpers/shared-host.js';

/** Handlers that wait for each other; `most` is how many ran at once. */
function together(probe: Probe) {
  const { opened, open } = gate();
  const seen = { running: 0, most: 0, open };
  const headers = probe.handle({
    async unary(given) {
      seen.running += 1;
      seen.most = Math.max(seen.most, seen.running);
      await opened;
      seen.running -= 1;
      return given;
    },
  });
  return { seen, headers };
}

test('gRPC load: 10,000 parallel streams of a connection are all answered', async (t) => {
  const probe = await startProbe(t, {
    argv: ['--grpc-max-concurrent-streams', '20000'],
    limits: { concurrency: 20_000 },
  });
  const session = await connectRaw(t, probe.address, 20_000);
  const { seen, headers } = together(probe);
  const before = process.memoryUsage().rss;
  const answers = Array.from({ length: 10_000 }, () => rawCall(session, PROBE.unary, framed(item(9)), headers));
  await eventually(() => seen.running === 10_000);
  t.log(`${Math.round((process.memoryUsage().rss - before) / 1024 / 1024)} MB for both ends of 10,000 calls`);
  seen.open();
  const all = await Promise.all(answers);
  t.true(all.every((answer) => answer.status === status.OK && answer.messages[0]?.equals(item(9))));
  await assertHealthy(t, probe.host);
});

test('gRPC load: no more calls run than the limit of streams, and a client that respects it gets all its responses', async (t) => {
  const probe = await startProbe(t, { argv: ['--grpc-max-concurrent-streams', '10'] });
  const { seen, headers } = together(probe);
  const session = await connectRaw(t, probe.address);
  t.is(session.remoteSettings.maxConcurrentStreams, 10);
  const answers = Array.from({ length: 40 }, () => rawCall(session, PROBE.unary, framed(item(1)), headers));
  await eventually(() => seen.running === 10);
  seen.open();
  for (const answer of await Promise.all(answers)) t.is(answer.status, status.OK);
  t.is(seen.most, 10);

  const greedy = together(probe);
  const connection = await FrameConnection.open(t, probe.address);
  await connection.settled();
  for (let stream = 1; stream < 40; stream += 2) {
    connection.call(stream, PROBE.unary, greedy.headers);
    connection.data(stream, framed(item(1)), true);
  }
  await connection.until(({ type }) => type === GOAWAY);
  greedy.seen.open();
  t.true(greedy.seen.most <= 10, String(greedy.seen.most));
  t.is((await rawCall(session, PROBE.unary, framed(item(1)), recording(probe).headers)).status, status.OK);
  await assertHealthy(t, probe.host);
});

test('gRPC load: a flood of 2,000 resets ends that connection at most, and leaves no call behind', async (t) => {
  const probe = await startProbe(t, { argv: ['--grpc-access-log-enabled'] });
  const session = await connectRaw(t, probe.address);
  const { headers } = recording(probe);
  const { seen, headers: waiting } = together(probe);
  const held = rawCall(session, PROBE.unary, framed(item(5)), waiting);
  await eventually(() => seen.running === 1);
  const flood = await FrameConnection.open(t, probe.address);
  for (let stream = 1; stream < 4_000; stream += 2) {
    flood.call(stream, PROBE.both, headers);
    flood.reset(stream, 8);
  }
  await Promise.race([flood.settled(), flood.until(({ type }) => type === GOAWAY)]);
  t.is((await rawCall(session, PROBE.unary, framed(item(1)), headers)).status, status.OK);
  seen.open();
  t.deepEqual((await held).messages, [item(5)]);
  t.false(flood.frames.some(({ type }) => type === HEADERS));
  await assertHealthy(t, probe.host);
});
