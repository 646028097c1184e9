import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { codeRealm } from '../helpers/code-realm.js';
import { freshCode, redeem } from '../helpers/codes.js';
import { freePort } from '../helpers/free-port.js';
import type { TestHost } from '../helpers/host.js';
import { introspect, logIn, post, userinfo, WEB } from '../helpers/login.js';
import { testPostgresql } from '../helpers/postgresql.js';
import { sharedPostgresql } from '../helpers/postgresql-server.js';
import { folder, type Run, remote, run } from '../helpers/process.js';

const SHIFTED_CLOCK_MODULE = new URL('../faults/shifted-clock.js', import.meta.url).href;

/** Nodes with one database, whose clocks are ahead by these numbers of seconds. */
async function startWithShiftedClocks(t: ExecutionContext, seconds: readonly number[]): Promise<readonly Run[]> {
  const dir = await folder(t, [codeRealm('demo')]);
  const database = await (await sharedPostgresql()).database();
  await writeFile(join(dir, 'password'), database.password ?? '', { mode: 0o600 });
  const port = `${await freePort()}`;
  const store = [
    '--db',
    'postgres',
    '--db-url',
    `postgres://127.0.0.1:${database.port}/${database.database}`,
    '--db-username',
    database.username,
    '--db-password-file',
    join(dir, 'password'),
    '--hostname',
    `http://127.0.0.1:${port}`,
  ];
  const nodes: Run[] = [];
  for (const [node, ahead] of seconds.entries()) {
    const argv = ['start-dev', ...store, '--data-dir', join(dir, `data-${node}`)];
    const clock = join(dir, `clock-${node}`);
    await writeFile(clock, `${ahead * 1000}`);
    const env = { NODE_OPTIONS: `--import=${SHIFTED_CLOCK_MODULE}`, KEYHOST_TRIAL_CLOCK: clock };
    nodes.push(await run(t, dir, argv, env, node === 0 ? port : '0'));
  }
  return nodes;
}

testPostgresql(
  'nodes, clocks: what one node writes every other takes at once, though their clocks differ by seconds or an hour',
  async (t) => {
    const runs = await startWithShiftedClocks(t, [6, -6, 3600]);
    const nodes = runs.map(remote) as [TestHost, TestHost, TestHost];
    // Every node immediately accepts what another one has just written.
    for (const here of nodes) {
      const { access_token: first, refresh_token } = await logIn(here);
      let token = refresh_token;
      for (const there of nodes) {
        t.is((await redeem(there, await freshCode(here))).status, 200);
        t.is((await userinfo(there, first)).status, 200);
        t.true((await introspect(there, first)).json.active);
        const refreshed = await post(there, 'token', { ...WEB, grant_type: 'refresh_token', refresh_token: token });
        t.is(refreshed.status, 200, refreshed.text);
        t.is((await userinfo(here, refreshed.json.access_token ?? '')).status, 200);
        token = refreshed.json.refresh_token ?? '';
      }
    }
    const said = runs.map(({ output }) => /machine is (\d+) seconds (ahead of|behind)/.exec(output())?.slice(1));
    t.deepEqual(said, [
      ['6', 'ahead of'],
      ['6', 'behind'],
      ['3600', 'ahead of'],
    ]);
  },
);
