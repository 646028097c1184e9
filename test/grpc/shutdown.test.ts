import { status } from '@grpc/grpc-js';
import test from 'ava';
import { eventually } from '../helpers/eventually.js';
import { gate } from '../helpers/gate.js';
import { fetchAnswer } from '../helpers/host.js';
import { item, PROBE, startProbe } from '../helpers/probe-service.js';
import { connectRaw, framed, openCall, rawCall } from '../helpers/raw-grpc.js';

const HEALTH = '/grpc.health.v1.Health';
const SERVING = Buffer.from([8, 1]);
const NOT_SERVING = Buffer.from([8, 2]);

test('gRPC shutdown: a stopping host reports NOT_SERVING, lets calls finish and does not hang', async (t) => {
  const probe = await startProbe(t);
  const { opened, open } = gate();
  let running = 0;
  const headers = probe.handle({
    async unary(given) {
      running += 1;
      await opened;
      return given;
    },
    async *both(items) {
      running += 1;
      yield* items;
    },
  });
  const session = await connectRaw(t, probe.address);
  const watcher = await connectRaw(t, probe.address);
  const named = Buffer.from('test.raw.Probe');
  const watched = Buffer.concat([Buffer.from([0x0a, named.length]), named]);
  t.deepEqual((await rawCall(watcher, `${HEALTH}/Check`, framed(watched))).messages, [SERVING]);
  const watches = [watched, Buffer.alloc(0)].map((request) => {
    const call = openCall(watcher, `${HEALTH}/Watch`);
    let bytes = 0;
    call.stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    call.stream.end(framed(request));
    return { ...call, seen: () => bytes / 7 };
  });
  await eventually(() => watches.every(({ seen }) => seen() === 1));
  const idle = await connectRaw(t, probe.address);
  const unary = rawCall(session, PROBE.unary, framed(item(3)), headers);
  const both = openCall(session, PROBE.both, headers);
  both.send(item(1));
  await eventually(() => running === 2);
  const closing = probe.host.close();
  await eventually(() => watches.every(({ seen }) => seen() === 2));
  await eventually(() => idle.closed || idle.destroyed);
  await t.throwsAsync(connectRaw(t, probe.address));
  // While calls end, readiness fails, so that load balancers use other hosts.
  t.is((await fetchAnswer(`${probe.host.managementUrl}/health/ready`)).status, 503);
  both.send(item(2));
  both.end();
  open();
  t.deepEqual((await both.answer).messages, [item(1), item(2)]);
  t.deepEqual([(await unary).status, (await unary).messages], [status.OK, [item(3)]]);
  // A host that waited for its limit would reset the rest: these calls get the reason instead.
  for (const { answer } of watches) {
    const { status: code, messages } = await answer;
    t.deepEqual([code, messages], [status.UNAVAILABLE, [SERVING, NOT_SERVING]]);
  }
  await closing;
});
