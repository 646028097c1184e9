import { spawn } from 'node:child_process';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { ALICE_PASSWORD, CC, WEB } from './bench-realm.js';
import type { LoadPlan } from './load.js';
import type { Server } from './rows.js';

const RATE = 100;
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
  const agent = new Agent({ keepAlive: true });
  const times = await Promise.all(
    Array.from({ length: RATE * seconds }, async (_, index) => {
      await new Promise((resolve) => setTimeout(resolve, (index * 1000) / RATE));
      const began = performance.now();
      await post(agent, `${oidc}/token`, CC);
      return performance.now() - began;
    }),
  );
  await ended;
  agent.destroy();
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;
}

function post(agent: Agent, url: string, form: Record<string, string>): Promise<void> {
  const body = new URLSearchParams(form).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const call = request(url, { agent, method: 'POST', headers }, (response) => {
      response.resume();
      response.on('end', () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`${url} answered ${response.statusCode}`)),
      );
    });
    call.on('error', reject);
    call.end(body);
  });
}
