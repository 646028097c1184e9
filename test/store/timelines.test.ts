import test from 'ava';
import type { Session } from '../../core/store/postgresql/session.js';
import { Timelines } from '../../core/store/postgresql/timelines.js';

/** A connection to a server with this timeline; or one that fails with this SQLSTATE. */
function connection(timeline: string, { system = '7', code }: { system?: string; code?: string } = {}): Session {
  return {
    timeline: undefined,
    async send() {
      if (code !== undefined) throw Object.assign(new Error('it failed'), { code, severity: 'ERROR' });
      return [{ rows: [{ system, timeline }], tag: 'SELECT 1' }];
    },
  } as unknown as Session;
}

test('timelines: a former primary is refused for a minute, unless the newest one is seen again', async (t) => {
  let now = 0;
  const timelines = new Timelines(() => now);
  const [former, newest] = [connection('00000009'), connection('0000000A')];
  await timelines.check(former);
  t.false(timelines.isOutdated(former));
  await timelines.check(newest);
  t.true(timelines.isOutdated(former));
  t.false(timelines.isOutdated(newest));
  const message = 'it is a former primary: its timeline is 9, and 10 was seen';
  await t.throwsAsync(timelines.check(connection('00000009')), { message });
  now += 59_000;
  await t.throwsAsync(timelines.check(connection('00000009')), { message });
  await timelines.check(connection('0000000A'));
  now += 59_000;
  await t.throwsAsync(timelines.check(connection('00000009')), { message });
  now += 60_000;
  await timelines.check(connection('00000009'));
  t.false(timelines.isOutdated(former), 'it is the primary again');
});

test('timelines: those of another database cluster are not compared', async (t) => {
  const timelines = new Timelines();
  const before = connection('00000005');
  await timelines.check(before);
  await timelines.check(connection('00000001', { system: '8' }));
  t.false(timelines.isOutdated(before));
});

test('timelines: a database without them is used without them', async (t) => {
  for (const code of ['42883', '42501', '0A000']) {
    const timelines = new Timelines();
    const session = connection('', { code });
    await timelines.check(session);
    t.is(session.timeline, undefined);
    t.false(timelines.isOutdated(session));
  }
});

test('timelines: an error that may pass fails one connection, and later ones are checked', async (t) => {
  for (const code of ['57P01', '57014', '55000']) {
    const timelines = new Timelines();
    await t.throwsAsync(timelines.check(connection('', { code })), { message: 'it failed' });
    await timelines.check(connection('0000000A'));
    await t.throwsAsync(timelines.check(connection('00000009')), { message: /^it is a former primary/ });
  }
});
