import type { ClientHttp2Session } from 'node:http2';
import { gzipSync } from 'node:zlib';
import { status } from '@grpc/grpc-js';
import test, { type ExecutionContext } from 'ava';
import { item, PROBE, recording, shareProbe } from '../helpers/probe-service.js';
import { connectRaw, framed, rawCall } from '../helpers/raw-grpc.js';

const LIMIT = 64 * 1024;

const probe = shareProbe(test, { argv: ['--grpc-max-message-size', String(LIMIT)] });

async function assertUndisturbed(t: ExecutionContext, session: ClientHttp2Session): Promise<void> {
  const answer = await rawCall(session, PROBE.unary, framed(item(7)), recording(probe()).headers);
  t.deepEqual([answer.status, answer.messages], [status.OK, [item(7)]]);
}

interface Wrong {
  readonly body: Buffer;
  readonly code: status;
  readonly details?: RegExp;
  readonly headers?: Record<string, string>;
  /** Set if the case must not follow a valid message in a stream. */
  readonly only?: 'unary';
}

const gzip = { 'grpc-encoding': 'gzip' };
const decoding = { code: status.INTERNAL, details: /^Error deserializing request$/ };

/** Invalid data that a client sends before it half-closes. */
const WRONG: Readonly<Record<string, Wrong>> = {
  'a header of three bytes': { body: Buffer.from([0, 0, 0]), code: status.INTERNAL, details: /within a message/ },
  'a header without its message': {
    body: framed(Buffer.alloc(0), 0, 1),
    code: status.INTERNAL,
    details: /within a message/,
  },
  'a message cut short': { body: framed(item(1), 0, 20), code: status.INTERNAL, details: /within a message/ },
  'a good message and one cut short': {
    body: Buffer.concat([framed(item(1)), framed(item(1), 0, 20)]),
    code: status.INTERNAL,
    details: /within a message/,
  },
  'a declared length of 4 GiB': {
    body: framed(item(1), 0, 0xffffffff),
    code: status.RESOURCE_EXHAUSTED,
    details: /4294967295 vs 65536/,
  },
  'a message above the limit': {
    body: framed(Buffer.concat([Buffer.from([0x1a, 0x81, 0x80, 0x04]), Buffer.alloc(LIMIT + 1)])),
    code: status.RESOURCE_EXHAUSTED,
    details: /larger than max/,
  },
  'a text that is not UTF-8': { body: framed(Buffer.from([0x12, 2, 0xc3, 0x28])), ...decoding },
  'a text cut short': { body: framed(Buffer.from([0x12, 0x64, 0x41])), ...decoding },
  'bytes cut short': { body: framed(Buffer.from([0x1a, 0x64, 0x41])), ...decoding },
  'a varint cut short': { body: framed(Buffer.from([0x08, 0x80])), ...decoding },
  'an overlong varint': { body: framed(Buffer.from([0x08, ...Array(11).fill(0x80), 1])), ...decoding },
  'a wrong wire type': { body: framed(Buffer.from([0x0a, 1, 0x41])), ...decoding },
  'a varint in place of a text': { body: framed(Buffer.from([0x10, 0])), ...decoding },
  'the field number 0': { body: framed(Buffer.from([0x00, 1])), ...decoding },
  'the wire type 7': { body: framed(Buffer.from([0x0f, 1])), ...decoding },
  'an end of a group that did not start': { body: framed(Buffer.from([0x0c])), ...decoding },
  'a group without an end': { body: framed(Buffer.from([0x2b, 0x08, 1])), ...decoding },
  'a compressed message without an encoding': {
    body: framed(gzipSync(item(1)), 1),
    code: status.INTERNAL,
    details: /compression flag/,
  },
  'a compressed message with the encoding identity': {
    body: framed(item(1), 1),
    code: status.INTERNAL,
    details: /compression flag/,
    headers: { 'grpc-encoding': 'identity' },
  },
  'the flag 2': { body: framed(item(1), 2), code: status.INTERNAL, details: /compression flag/ },
  'the flag 3 with an encoding': { body: framed(gzipSync(item(1)), 3), code: status.INTERNAL, headers: gzip },
  'the flag 255': { body: framed(item(1), 255), code: status.INTERNAL },
  'an unknown encoding': {
    body: framed(item(1), 1),
    code: status.UNIMPLEMENTED,
    details: /unsupported encoding "snappy"/,
    headers: { 'grpc-encoding': 'snappy' },
  },
  'gzip that is not gzip': {
    body: framed(item(1), 1),
    code: status.INTERNAL,
    details: /decompress/,
    headers: gzip,
  },
  'gzip cut short': { body: framed(gzipSync(item(1)).subarray(0, 12), 1), code: status.INTERNAL, headers: gzip },
  'a gzip bomb': {
    body: framed(gzipSync(Buffer.alloc(50 * 1024 * 1024)), 1),
    code: status.RESOURCE_EXHAUSTED,
    details: /larger than/,
    headers: gzip,
  },
  'no message': { body: Buffer.alloc(0), code: status.UNIMPLEMENTED, details: /but got none/, only: 'unary' },
  'two messages for one': {
    body: Buffer.concat([framed(item(1)), framed(item(2))]),
    code: status.UNIMPLEMENTED,
    details: /but got more/,
    only: 'unary',
  },
};

// The bomb is above the limit as it is, and must be refused for its content.
const small = WRONG['a gzip bomb'];
if (small !== undefined && small.body.length > LIMIT) throw new Error('the bomb is too large');

for (const [name, { body, code, details, headers, only }] of Object.entries(WRONG)) {
  test(`gRPC malformed requests: ${name} ends a call with ${status[code]}, and no handler gets a complete request`, async (t) => {
    const session = await connectRaw(t, probe().address);
    const kinds = only === undefined ? (['unary', 'down', 'up', 'both'] as const) : (['unary', 'down'] as const);
    for (const kind of kinds) {
      const { events, headers: own } = recording(probe());
      const answer = await rawCall(session, PROBE[kind], body, { ...own, ...headers });
      t.is(answer.status, code, `${kind}: ${answer.details}`);
      if (details !== undefined) t.regex(answer.details, details, kind);
      t.false(events.includes('ran'), `${kind}: ${events}`);
      t.false(events.includes('ended'), `${kind}: ${events}`);
    }
    await assertUndisturbed(t, session);
  });
}
