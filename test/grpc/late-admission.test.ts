import { status } from '@grpc/grpc-js';
import test from 'ava';
import { eventually } from '../helpers/eventually.js';
import { FrameConnection } from '../helpers/http2-frames.js';
import { endings, item, PROBE, recording, shareProbe } from '../helpers/probe-service.js';
import { connectRaw, framed, openCall, rawCall } from '../helpers/raw-grpc.js';

const CALL_TYPES = ['unary', 'down', 'up', 'both'] as const;
const probe = shareProbe(test, { config: { authentication: 'bearer' }, argv: ['--grpc-access-log-enabled'] });

async function bearer(): Promise<{ authorization: string }> {
  const { json } = await probe().host.token(
    'demo',
    { grant_type: 'client_credentials' },
    { authorization: `Basic ${Buffer.from('svc:svc-secret').toString('base64')}` },
  );
  return { authorization: `Bearer ${json.access_token}` };
}

test.serial('gRPC token check: a call that is complete before its token was checked is answered', async (t) => {
  const session = await connectRaw(t, probe().address);
  const token = await bearer();
  const calls = Array.from({ length: 100 }, async (_, index) => {
    const kind = CALL_TYPES[index % 4] ?? 'unary';
    const { headers, events } = recording(probe());
    const { status: code, messages } = await rawCall(session, PROBE[kind], framed(item(7)), { ...headers, ...token });
    t.deepEqual([code, messages], [status.OK, [item(7)]], kind);
    t.true(events.includes('ran') || events.includes('ended'), kind);
  });
  await Promise.all(calls);
});

test.serial(
  'gRPC token check: a call without a valid token ends even if its client does not end it, and no handler gets it',
  async (t) => {
    const session = await connectRaw(t, probe().address);
    const { authorization } = await bearer();
    for (const kind of CALL_TYPES) {
      for (const wrong of [undefined, 'Bearer x', `Basic ${authorization}`, `${authorization}x`]) {
        const { headers, events } = recording(probe());
        const more: Record<string, string> = wrong === undefined ? {} : { authorization: wrong };
        const { answer, send } = openCall(session, PROBE[kind], { ...headers, ...more });
        send(item(1));
        t.is((await answer).status, status.UNAUTHENTICATED, `${kind} ${wrong}`);
        t.deepEqual(events, [], kind);
      }
    }
  },
);

test.serial(
  'gRPC token check: a call that is cancelled while its token is checked is no complete request',
  async (t) => {
    const token = await bearer();
    for (const kind of CALL_TYPES) {
      const { headers, events } = recording(probe());
      const before = endings(probe()).length;
      const connection = await FrameConnection.open(t, probe().address);
      connection.cork(() => {
        connection.call(1, PROBE[kind], { ...headers, ...token });
        connection.data(1, framed(item(1)), true);
        connection.reset(1, 8);
      });
      await connection.settled();
      // A call that was over before it began is none.
      const whole = await connectRaw(t, probe().address);
      const other = recording(probe());
      await rawCall(whole, PROBE.unary, framed(item(1)), { ...other.headers, ...token });
      await eventually(() => endings(probe()).some(({ code }, index) => index >= before && code === 'OK'));
      t.false(events.includes('ran') || events.includes('ended'), `${kind}: ${events}`);
    }
  },
);
