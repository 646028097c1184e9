import { setTimeout as wait } from 'node:timers/promises';
import { atMost } from '../figure.js';
import type { Measurement } from '../measurement.js';
import { median } from '../median.js';
import type { Server } from '../processes.js';
import { DISCOVERY } from '../rows/keyhost-targets.js';
import { runLoad } from '../run-load.js';
import { adminHeaders, administer } from './admin-token.js';
import { beginSessions } from './sessions.js';

const SESSIONS = 10_000;
const QUICK_SESSIONS = 500;
const REALM = 'sessions';
/** Cheap requests per second: the longest one shows a stall of the event loop. */
const RATE = 200;
const WINDOW = 4;
/** Each run begins its own sessions. */
const MOST_RUNS = 3;
/** The estimated time to begin a session, in seconds. */
const LOGIN = 0.002;

/** Ends all sessions of a realm at once, alongside requests that cost next to nothing. */
export const signOutMeasurement: Measurement = {
  name: 'Admin API: sign-out of 10,000 sessions',
  lasts: ({ runs, quick }) => Math.min(runs, MOST_RUNS) * ((quick ? QUICK_SESSIONS : SESSIONS) * LOGIN + 2 * WINDOW),
  async measure({ servers, runs, quick, say }) {
    const server = await servers.keyhost();
    const count = quick ? QUICK_SESSIONS : SESSIONS;
    const [beside, quiet, took]: [number[], number[], number[]] = [[], [], []];
    for (let run = 1; run <= Math.min(runs, MOST_RUNS); run += 1) {
      say(`run ${run}: ${count} logins`);
      await beginSessions(server, REALM, count);
      quiet.push(await longestAnswer(server));
      const headers = await adminHeaders(server);
      const answered = longestAnswer(server);
      await wait(1000);
      const began = performance.now();
      await administer(server, headers, 'POST', `/realms/${REALM}/logout-all`);
      took.push(performance.now() - began);
      beside.push(await answered);
    }
    const name = `Admin API: sign-out of ${count.toLocaleString('en')} sessions`;
    return [
      {
        name: `${name}, longest answer beside it`,
        unit: 'ms',
        ours: median(beside),
        theirs: median(quiet),
        peer: 'the same when quiet',
        goals: [atMost(50)],
      },
      { name: `${name}, time`, unit: 'ms', ours: median(took), goals: [] },
    ];
  },
};

async function longestAnswer({ url, pid }: Server): Promise<number> {
  const plan = { url: `${url}/realms/rs${DISCOVERY}`, connections: 1, rate: RATE, seconds: WINDOW, warmup: 0.5 };
  return (await runLoad({ ...plan, pids: [pid] })).longest;
}
