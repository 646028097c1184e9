import { type ChildProcess, spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// biome-ignore lint/plugin: between two questions
import { setTimeout as wait } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { freePort } from './free-port.js';
import { type Answer, fetchAnswer } from './host.js';
import { writePeerRow } from './peer-table.js';

/** The folder of a Keycloak distribution; undefined if none is configured. */
const { KEYCLOAK_HOME } = process.env;

/** The timeout of a start or an export, in milliseconds. */
const LIMIT = 180_000;
const ADMIN = { username: 'admin', password: 'admin' };

export interface Keycloak {
  readonly url: string;
  /** The Admin REST API below `/admin/realms`, as the admin of `master`. */
  admin(method: string, path: string, body?: unknown): Promise<Answer>;
  /** The status of a password grant with `admin-cli`. */
  logIn(realm: string, username: string, password: string): Promise<number>;
  /** Stops it, and exports one realm or all of them, with users and secrets, into a file. */
  exportTo(file: string, realm?: string): Promise<void>;
}

/**
 * A test with a real Keycloak, which writes its row of test/PEERS.md. Skipped unless KEYCLOAK_HOME is set.
 * @param run gets Keycloak's folder
 */
export function besideKeycloak(title: string, run: (t: ExecutionContext, home: string) => Promise<void>): void {
  const home = KEYCLOAK_HOME;
  if (home === undefined) {
    test.skip(`${title} (KEYCLOAK_HOME names no Keycloak)`, () => {});
    return;
  }
  test.serial(title, async (t) => {
    let result = 'failed';
    try {
      await run(t, home);
      result = 'passed';
    } finally {
      // The file contains "Keycloak - Version 26.7.3".
      const version = /[\d.]+/.exec(await readFile(join(home, 'version.txt'), 'utf8'))?.[0];
      await writePeerRow({ date: new Date(), beside: `Keycloak ${version}`, test: title, result });
    }
  });
}

/** A real Keycloak on a free port with its own data; killed with the test. */
export async function startKeycloak(t: ExecutionContext, home: string): Promise<Keycloak> {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-keycloak-'));
  const children: ChildProcess[] = [];
  t.teardown(async () => {
    for (const child of children) stop(child);
    await rm(dir, { recursive: true, force: true, maxRetries: 10 });
  });
  // Keycloak builds itself into its own folder, and instances must not share data.
  await cp(home, dir, { recursive: true, filter: (path) => path !== join(home, 'data') });
  const run = (argv: readonly string[]) => {
    const env = { ...process.env, KC_BOOTSTRAP_ADMIN_USERNAME: 'admin', KC_BOOTSTRAP_ADMIN_PASSWORD: 'admin' };
    const child = spawn(join(dir, 'bin', 'kc.sh'), [...argv], { env, detached: true, stdio: 'ignore' });
    children.push(child);
    return child;
  };
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = run(['start-dev', '--http-host', '127.0.0.1', '--http-port', String(port)]);
  const end = Date.now() + LIMIT;
  for (;;) {
    const isUp = await fetch(`${url}/realms/master`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) break;
    if (server.exitCode !== null || Date.now() > end) throw new Error(`Keycloak of ${home} did not start`);
    await wait(1000);
  }
  const grant = (realm: string, username: string, password: string) =>
    fetchAnswer(`${url}/realms/${realm}/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', username, password }),
    });
  return {
    url,
    admin: async (method, path, body) => {
      const { json } = await grant('master', ADMIN.username, ADMIN.password);
      return fetchAnswer(`${url}/admin/realms${path}`, {
        method,
        headers: { authorization: `Bearer ${String(json.access_token)}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    },
    logIn: async (realm, username, password) => (await grant(realm, username, password)).status,
    exportTo: async (file, realm) => {
      await ended(server, () => stop(server, 'SIGTERM'));
      const one = realm === undefined ? [] : ['--realm', realm];
      const child = run(['export', '--file', file, '--users', 'same_file', ...one]);
      const code = await ended(child);
      if (code !== 0) throw new Error(`kc.sh export ended with ${code}`);
    },
  };
}

/** Stops a shell script together with the program that it started. */
function stop(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  process.kill(-child.pid, signal);
}

async function ended(child: ChildProcess, begin: () => void = () => undefined): Promise<number | null> {
  const closed = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  begin();
  // biome-ignore lint/plugin: a guard against hanging
  const timer = setTimeout(() => stop(child), LIMIT);
  const code = await closed;
  clearTimeout(timer);
  return code;
}
