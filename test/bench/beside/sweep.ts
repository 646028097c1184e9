import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { beginSessions } from '../admin/sessions.js';
import { realm } from '../bench-realm.js';
import { production, writeFolder } from '../keyhost.js';
import type { Deed } from './beside.js';

const SESSIONS = 10_000;
const REALM = 'sessions';
/** The interval of the host's sweeps. */
const SWEEP_MS = 60_000;
/** The window begins this long before a sweep. */
const BEFORE_MS = 1500;
/** In seconds; the shortest possible lifespan of sessions. */
const LIFESPAN = 5;
/** The remaining time is for sessions to expire. */
const LOGINS_MS = 40_000;

/** Expired sessions, and the sweep that removes them. */
export function sweep(): Deed {
  let ready = 0;
  const next = () => SWEEP_MS - ((performance.now() - ready) % SWEEP_MS);
  return {
    name: 'a sweep of expired sessions',
    mostRuns: 2,
    takes: SWEEP_MS / 1000,
    async server({ dir, processes }) {
      const folder = join(dir, 'swept');
      const lifespans = { ssoSessionIdleTimeout: LIFESPAN, ssoSessionMaxLifespan: LIFESPAN };
      const short = { ...realm(REALM, 'ES256', false), ...lifespans };
      const withoutPlugins = [short, realm('rs', 'RS256', false)].map((one) => ({ ...one, providers: {} }));
      await writeFolder(folder, withoutPlugins);
      const server = await processes.start(await production(folder));
      ready = performance.now();
      return server;
    },
    async prepare({ quick, say }, server) {
      if (next() < LOGINS_MS + LIFESPAN * 1000 + BEFORE_MS && !quick) await wait(next());
      const begun = await beginSessions(server, REALM, quick ? 500 : SESSIONS, Date.now() + LOGINS_MS);
      say(`waiting until ${begun} sessions are swept`);
      await wait(Math.max(0, next() - BEFORE_MS));
    },
    // The sweep starts on its own.
    act: async () => undefined,
  };
}
