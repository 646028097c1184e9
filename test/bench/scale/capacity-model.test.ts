import test from 'ava';
import { capacityFor, type Demand } from './capacity-model.js';
import { MEASURED } from './measured-costs.js';

const SMALL: Demand = {
  users: 1000,
  sessions: 500,
  eventDays: 0,
  logins: 1,
  refreshes: 0,
  clientCredentials: 0,
  introspections: 0,
};

test('capacity model: a small installation has two nodes, so that one may fail', (t) => {
  t.is(capacityFor(SMALL, MEASURED).nodes, 2);
});

test('capacity model: twice the work takes twice the cores, and half of them stay free', (t) => {
  const busy = { ...SMALL, logins: 100 };
  const once = capacityFor(busy, MEASURED);
  const twice = capacityFor({ ...busy, logins: 200 }, MEASURED);
  t.is(twice.nodeCores, 2 * once.nodeCores);
  t.is(once.nodeCores, (100 * (MEASURED.login.hostCpu + MEASURED.hash) * 2) / 1e6);
});

test('capacity model: it names the nearest limit', (t) => {
  t.regex(capacityFor({ ...SMALL, sessions: 10_000_000_000 }, MEASURED).limit, /^memory, \d+ % of one primary$/);
  t.regex(capacityFor({ ...SMALL, refreshes: 1_000_000 }, MEASURED).limit, /^(cores|wal), /);
});
