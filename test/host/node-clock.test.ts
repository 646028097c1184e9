import test from 'ava';
import { NodeClock } from '../../core/host/node-clock.js';

const NOW = 1_800_000_000_000;

/** A machine and a database, whose clocks are moved by hand. */
function scene() {
  const state = { machine: NOW, elapsed: 1_000, database: NOW, before: 0, after: 0 };
  const clock = new NodeClock({ machineNow: () => state.machine, monotonicNow: () => state.elapsed });
  const passes = (ms: number) => {
    for (const key of ['machine', 'elapsed', 'database'] as const) state[key] += ms;
  };
  const time = async () => {
    passes(state.before);
    const now = state.database;
    passes(state.after);
    return now;
  };
  return { state, clock, passes, ask: () => clock.correctBy({ time }) };
}

test('clock of nodes: a single node uses the clock of its machine', (t) => {
  const { clock, passes } = scene();
  t.is(clock.now(), NOW);
  passes(5);
  t.is(clock.now(), NOW + 5);
});

test('clock of nodes: users of the clock can read it, and not move it', async (t) => {
  const { clock, passes } = scene();
  t.deepEqual(Reflect.ownKeys(clock.clock), ['now']);
  t.is(Object.getPrototypeOf(clock.clock), Object.prototype);
  t.true(Object.isFrozen(clock.clock));
  passes(5);
  t.is(clock.clock.now(), NOW + 5);
});

test('clock of nodes: one of several nodes uses the database’s clock, even if its own is off and jumps', async (t) => {
  const { state, clock, passes, ask } = scene();
  state.machine += 5_000;
  await ask();
  t.is(clock.now(), NOW);
  state.machine += 3_600_000;
  passes(250);
  t.is(clock.now(), NOW + 250, 'a jump is nothing that it notices');
  await ask();
  t.is(clock.now(), NOW + 250);
});

test('clock of nodes: a response corrects the time no further than it proves it wrong', async (t) => {
  const { state, clock, ask } = scene();
  await ask();
  Object.assign(state, { before: 400, after: 0 });
  await ask();
  t.is(clock.now(), NOW + 400, 'the question took its time');
  Object.assign(state, { before: 0, after: 400 });
  await ask();
  t.is(clock.now(), NOW + 800, 'the answer did');
  Object.assign(state, { before: 0, after: 0 });
  state.database += 2_000;
  await ask();
  t.is(clock.now(), state.database, 'a standby that became the primary has a clock of its own');
});

test('clock of nodes: a machine whose clock is far off is logged once, and once more when it is right again', async (t) => {
  t.timeout(120_000);
  const now = Date.UTC(2030, 0, 1);
  const said: string[] = [];
  const say = (message: string) => void said.push(message);
  const logger = { info: say, warn: say, error: say, debug: say };
  let off = 3_600_000;
  const clock = new NodeClock({ machineNow: () => now + off, monotonicNow: () => 1_000 });
  let asked = 0;
  let heard = () => {};
  const third = new Promise<void>((resolve) => {
    heard = resolve;
  });
  const end = await clock.follow(
    {
      time: async () => {
        asked += 1;
        if (asked === 2) off = 0;
        if (asked === 4) heard();
        return now;
      },
    },
    logger,
  );
  await third;
  await end();
  t.deepEqual(said, [
    'the clock of this machine is 3600 seconds ahead of the clock of the database, which all nodes use',
    'the clock of this machine is in sync with the database again',
  ]);
});
