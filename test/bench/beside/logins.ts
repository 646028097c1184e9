import { keyhostCodePlan } from '../rows/login-rows.js';
import { runLoad } from '../run-load.js';
import type { Deed } from './beside.js';

const BROWSERS = 64;
const LEAST_WINDOW = 3;

/** Browsers that sign in with argon2 passwords, each again as soon as it has its tokens. */
export const logins: Deed = {
  name: 'logins',
  mostRuns: Infinity,
  takes: 1,
  server: ({ servers }) => servers.keyhost(),
  act: ({ seconds }, server) =>
    runLoad({
      url: '',
      code: keyhostCodePlan(server, 'logins', false),
      connections: BROWSERS,
      seconds: Math.max(LEAST_WINDOW, seconds),
      warmup: 0,
      pids: [server.pid],
    }),
};
