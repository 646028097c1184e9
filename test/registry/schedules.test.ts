import test from 'ava';
import type { BootError } from '../../core/config/boot-error.js';
import { nextTimeAfter, scheduleProblem } from '../../core/registry/schedules/due-times.js';
import { adminCaller } from '../helpers/admin.js';
import { eventually } from '../helpers/eventually.js';
import { startHost, TestClock } from '../helpers/host.js';
import { entry, lines, planned, put, sweeping } from '../helpers/sweeper.js';

interface ScheduleStatus {
  readonly realms: number;
  readonly ended: readonly object[];
}

for (const isolation of ['none', 'worker']) {
  test(`schedules: a part that throws is called again, later each time, and given up until the next time (${isolation})`, async (t) => {
    const clock = new TestClock();
    const host = await startHost(t, sweeping(isolation, clock));
    await planned(host);
    await put(host, 'todo', 'throw');
    clock.forward(60);
    await eventually(() => lines(host, 'scheduled work failed').length === 1);
    clock.forward(5);
    await eventually(() => lines(host, 'scheduled work done').length === 1);
    t.like(await entry(host, 'ended'), { place: 1 });
    await put(host, 'todo', 'throw always');
    clock.forward(300);
    for (const [failures, pause] of [5, 10, 20, 40].entries()) {
      await eventually(() => lines(host, 'scheduled work failed').length === failures + 2);
      clock.forward(pause);
    }
    await eventually(() => lines(host, 'scheduled work failed, and waits for its next time').length === 1);
    t.is((await entry(host, 'begun')).missed, 4);
    const call = await adminCaller(host);
    const schedule = async () => {
      const { json } = await call('GET', '/plugins');
      const [plugin] = (json as unknown as { plugins: { providers: { schedule: ScheduleStatus }[] }[] }).plugins;
      return plugin?.providers[0]?.schedule;
    };
    const shown = await schedule();
    t.like(shown, { every: 60, setting: 'times', realms: 1, running: [] });
    t.like(shown?.ended[0], { realm: 'demo', outcome: 'failed' });
    t.is((await call('PUT', '/realms/demo', { eventsListeners: ['jboss-logging'] })).status, 204);
    t.like(await eventually(async () => (await schedule())?.realms === 0 && (await schedule())), { ended: [] });
  });
}

test('schedules: a realm configures the time, and an invalid one is refused', async (t) => {
  const clock = new TestClock();
  const host = await startHost(t, sweeping('none', clock, { times: '0 3 * * *' }));
  const { next, schedule } = JSON.parse((await planned(host)) as string) as { next: number; schedule: string };
  t.is(new Date(next).toISOString().slice(10), 'T03:00:00.000Z');
  t.deepEqual(JSON.parse(schedule), { cron: '0 3 * * *' });
  for (const isolation of ['none', 'worker']) {
    const error = await t.throwsAsync(startHost(t, sweeping(isolation, clock, { times: 'at night' })));
    t.regex(
      (error as BootError).report(),
      /demo\.json:\d+:\d+ providers\.events-listener\.sweeper\.config\.times.*is not a valid cron expression/,
    );
  }
  const call = await adminCaller(host);
  const path = '/realms/demo/providers/events-listener/sweeper';
  const edited = await call('PUT', path, { config: { times: '* * * * * *' } });
  t.is(edited.status, 400);
  t.regex(edited.text, /must not come more often than every 10 seconds/);
});

test('schedules: times of schedules', (t) => {
  const at = (text: string) => Date.parse(text);
  const check = (
    schedule: Parameters<typeof nextTimeAfter>[0],
    due: string,
    now: string,
    next: string,
    missed: number,
  ) => {
    const times = nextTimeAfter(schedule, at(due), at(now));
    t.deepEqual([new Date(times.next).toISOString(), times.missed], [next, missed], JSON.stringify(schedule));
  };
  const noon = '2026-03-28T12:00:00Z';
  const later = '2026-03-28T12:00:25Z';
  check({ every: 10 }, noon, noon, '2026-03-28T12:00:10.000Z', 0);
  check({ every: 10 }, noon, later, '2026-03-28T12:00:30.000Z', 2);
  check({ cron: '0 3 * * *' }, '2026-03-28T03:00:00Z', '2026-03-30T12:00:00Z', '2026-03-31T03:00:00.000Z', 2);
  // In the night when summer time begins, the same local time is an hour earlier in UTC.
  const berlin = { cron: '30 4 * * *', timeZone: 'Europe/Berlin' };
  check(berlin, noon, noon, '2026-03-29T02:30:00.000Z', 0);
  check(berlin, '2026-03-27T03:30:00Z', '2026-03-27T03:30:00Z', '2026-03-28T03:30:00.000Z', 0);
  for (const [schedule, problem] of [
    [{ every: 10 }, undefined],
    [{ every: 9 }, /at least 10/],
    [{ cron: '* * * * * *' }, /more often/],
    [{ cron: '0 0 30 2 *' }, /never comes/],
    [{ cron: 'nightly' }, /not a valid cron expression/],
    [{ cron: '0 3 * * *', timeZone: 'Mars/Olympus' }, /not a valid cron expression or time zone/],
  ] as const) {
    const found = scheduleProblem(schedule);
    if (problem === undefined) t.is(found, undefined);
    else t.regex(found ?? '', problem);
  }
});
