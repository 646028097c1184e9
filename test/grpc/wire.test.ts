import type { ClientHttp2Session } from 'node:http2';
import { gzipSync } from 'node:zlib';
import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import test, { type ExecutionContext } from 'ava';
import { eventually } from '../helpers/eventually.js';
import { item, PROBE, recording, shareProbe } from '../helpers/probe-service.js';
import { connectRaw, framed, openCall, rawCall } from '../helpers/raw-grpc.js';

const LIMIT = 64 * 1024;

const probe = shareProbe(test, { argv: ['--grpc-max-message-size', String(LIMIT)] });

async function assertUndisturbed(t: ExecutionContext, session: ClientHttp2Session): Promise<void> {
  const answer = await rawCall(session, PROBE.unary, framed(item(7)), recording(probe()).headers);
  t.deepEqual([answer.status, answer.messages], [status.OK, [item(7)]]);
}

test('gRPC wire: a compressed message and one without compression in a compressed call are read', async (t) => {
  const session = await connectRaw(t, probe().address);
  for (const body of [framed(gzipSync(item(5)), 1), framed(item(5))]) {
    const answer = await rawCall(session, PROBE.unary, body, {
      ...recording(probe()).headers,
      'grpc-encoding': 'gzip',
    });
    t.deepEqual([answer.status, answer.messages], [status.OK, [item(5)]]);
  }
});

test('gRPC wire: a message of exactly the limit is read', async (t) => {
  const session = await connectRaw(t, probe().address);
  const message = Buffer.concat([Buffer.from([0x1a, 0xfc, 0xff, 0x03]), Buffer.alloc(LIMIT - 4)]);
  t.is(message.length, LIMIT);
  const answer = await rawCall(session, PROBE.unary, framed(message), recording(probe()).headers);
  t.deepEqual([answer.status, answer.messages[0]?.length], [status.OK, LIMIT]);
});

test('gRPC wire: an oversized message ends the call though the client does not', async (t) => {
  const session = await connectRaw(t, probe().address);
  for (const kind of ['unary', 'up', 'both'] as const) {
    const { headers } = recording(probe());
    const { stream, answer } = openCall(session, PROBE[kind], headers);
    stream.write(framed(Buffer.alloc(0), 0, 0xffffffff));
    t.is((await answer).status, status.RESOURCE_EXHAUSTED, kind);
  }
  await assertUndisturbed(t, session);
});

test('gRPC wire: an unknown method or service is UNIMPLEMENTED', async (t) => {
  const session = await connectRaw(t, probe().address);
  for (const path of ['/test.raw.Probe/nope', '/nope.Nope/unary', '/', '/test.raw.Probe', '/test.raw.Probe/Unary']) {
    const answer = await rawCall(session, path, framed(item(1)));
    t.is(answer.status, status.UNIMPLEMENTED, path);
  }
  await assertUndisturbed(t, session);
});

test('gRPC wire: another content type is no gRPC call', async (t) => {
  const session = await connectRaw(t, probe().address);
  const { events, headers } = recording(probe());
  const answer = await rawCall(session, PROBE.unary, framed(item(1)), { ...headers, 'content-type': 'text/plain' });
  t.is(answer.http, 415);
  t.deepEqual(events, []);
  await assertUndisturbed(t, session);
});

test('gRPC wire: frames that arrive byte by byte are read', async (t) => {
  const session = await connectRaw(t, probe().address);
  for (const kind of ['unary', 'both'] as const) {
    const { stream, answer } = openCall(session, PROBE[kind], recording(probe()).headers);
    for (const byte of framed(item(3, 'byte by byte'))) {
      await new Promise((resolve) => stream.write(Buffer.from([byte]), resolve));
    }
    stream.end();
    const { status: code, messages } = await answer;
    t.deepEqual([code, messages], [status.OK, [item(3, 'byte by byte')]]);
  }
});

test('gRPC wire: a deadline ends a call that stays open', async (t) => {
  const session = await connectRaw(t, probe().address);
  for (const kind of ['unary', 'down', 'up', 'both'] as const) {
    const { events, headers } = recording(probe());
    const { answer, send } = openCall(session, PROBE[kind], { ...headers, 'grpc-timeout': '300m' });
    send(item(1));
    t.is((await answer).status, status.DEADLINE_EXCEEDED, kind);
    t.false(events.includes('ran') || events.includes('ended'), `${kind}: ${events}`);
  }
  await assertUndisturbed(t, session);
});

test('gRPC wire: an invalid timeout is refused, and a long one does not expire at once', async (t) => {
  const session = await connectRaw(t, probe().address);
  const { events, headers } = recording(probe());
  const refused = await rawCall(session, PROBE.unary, framed(item(1)), { ...headers, 'grpc-timeout': 'abc' });
  t.deepEqual([refused.status, /grpc-timeout/.test(refused.details), events], [status.INTERNAL, true, []]);
  for (const timeout of ['600H', '2592000S', '99999999H', '99999999M', '90S']) {
    for (const kind of ['unary', 'up'] as const) {
      const { headers: own } = recording(probe());
      const { answer, send, end } = openCall(session, PROBE[kind], { ...own, 'grpc-timeout': timeout });
      // Longer than the timer of a wrapped timeout takes.
      // biome-ignore lint/plugin: it may take longer, and nothing else tells that no timer went off
      await new Promise((resolve) => setTimeout(resolve, 20));
      send(item(1));
      end();
      t.is((await answer).status, status.OK, `${kind} ${timeout}`);
    }
  }
  await assertUndisturbed(t, session);
});

test('gRPC wire: a response before the half-close ends the stream, and the connection continues', async (t) => {
  const session = await connectRaw(t, probe().address);
  const headers = probe().handle({
    up: async () => ({ number: 1 }),
    both: async function* () {
      for (let number = 1; number <= 3; number += 1) yield { number, blob: new Uint8Array(30_000) };
    },
  });
  for (let round = 0; round < 20; round += 1) {
    for (const [kind, count] of [
      ['up', 1],
      ['both', 3],
    ] as const) {
      const { answer, send } = openCall(session, PROBE[kind], headers);
      send(item(1));
      const { status: code, messages } = await answer;
      t.deepEqual([code, messages.length], [status.OK, count], kind);
    }
  }
  await assertUndisturbed(t, session);
});

test('gRPC wire: a client that reads late gets the whole response that came before its half-close', async (t) => {
  const session = await connectRaw(t, probe().address);
  let taken = 0;
  const headers = probe().handle({
    both: async function* () {
      for (taken = 0; taken < 8; taken += 1) yield { number: taken + 1, blob: new Uint8Array(20_000) };
    },
  });
  const { stream, answer, send } = openCall(session, PROBE.both, headers);
  send(item(1));
  await new Promise((resolve) => stream.once('response', resolve));
  stream.pause();
  // The host has offered more by then than the window of the client, 65,535 bytes, holds.
  await eventually(() => taken >= 3);
  stream.resume();
  const { status: code, messages } = await answer;
  t.deepEqual([code, messages.length], [status.OK, 8]);
});

test('gRPC wire: a client of grpc-js that gets its response before it has sent all reads it', async (t) => {
  const client = new Client(probe().address, credentials.createInsecure());
  t.teardown(() => client.close());
  const headers = probe().handle({ up: async () => ({ number: 1, blob: new Uint8Array(100_000) }) });
  const same = (bytes: Buffer) => bytes;
  const calls = Array.from({ length: 50 }, () => {
    return new Promise<[ServiceError | null, Buffer | undefined]>((resolve) => {
      const metadata = Metadata.fromHttp2Headers(headers);
      const call = client.makeClientStreamRequest(PROBE.up, same, same, metadata, (error, message) =>
        resolve([error, message]),
      );
      call.on('error', () => {});
      call.write(item(1));
    });
  });
  for (const [error, message] of await Promise.all(calls)) t.deepEqual([error, message?.length], [null, 100_006]);
});

test('gRPC wire: metadata of 44 kB ends that call and no other', async (t) => {
  const session = await connectRaw(t, probe().address);
  const { events, headers } = recording(probe());
  const many = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`x-${index}`, 'y'.repeat(100)]));
  const { answer, end } = openCall(session, PROBE.unary, { ...headers, ...many });
  end();
  const { status: code, rstCode } = await answer;
  t.deepEqual([code, rstCode === 0, events], [undefined, false, []]);
  await assertUndisturbed(t, await connectRaw(t, probe().address));
});

test('gRPC wire: binary metadata comes as bytes, also several values and without padding', async (t) => {
  const session = await connectRaw(t, probe().address);
  let seen: unknown;
  const headers = probe().handle({
    unary: async (given, { metadata }) => {
      seen = metadata;
      return given;
    },
  });
  const all = { ...headers, 'x-bin': '/wD+,AQ', 'x-text': 'a b', authorization: 'Bearer nobody' };
  t.is((await rawCall(session, PROBE.unary, framed(item(1)), all)).status, status.OK);
  const { case: _, ...rest } = seen as Record<string, unknown>;
  t.deepEqual(rest, { 'x-bin': [Buffer.from([255, 0, 254]), Buffer.from([1])], 'x-text': ['a b'] });
});
