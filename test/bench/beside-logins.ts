import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ALICE_PASSWORD, WEB } from './bench-realm.js';
import type { LoadPlan } from './load.js';
import type { Server } from './rows.js';
import { p99, tokenTimes } from './token-times.js';

const LOGINS = 64;

/**
 * The 99th percentile, in milliseconds, of client_credentials requests that come at a fixed rate, whether or not the ones
 * before were answered, while browsers log in with argon2 passwords.
 */
export async function tokensBesideLogins(server: Server, realm: string, seconds: number): Promise<number> {
  const oidc = `${server.url}/realms/${realm}/protocol/openid-connect`;
  const redirectUri = 'http://127.0.0.1/cb';
  const query = { client_id: 'web', redirect_uri: redirectUri, response_type: 'code', scope: 'openid', state: 's' };
  const plan: LoadPlan = {
    url: '',
    code: {
      authorize: `${oidc}/auth?${new URLSearchParams(query)}`,
      redirectUri,
      login: { username: 'alice', password: ALICE_PASSWORD },
      token: `${oidc}/token`,
      client: WEB,
    },
    connections: LOGINS,
    seconds: seconds + 1,
    warmup: 1,
    pid: server.pid,
  };
  const script = fileURLToPath(new URL('./load.js', import.meta.url));
  const logins = spawn(process.execPath, [script, JSON.stringify(plan)], { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = new Promise((resolve) => logins.once('close', resolve));
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const times = await tokenTimes(oidc, seconds);
  await ended;
  return p99(times);
}
