import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { ran } from '../helpers/command.js';
import { fetchAnswer } from '../helpers/host.js';
import { testPostgresql } from '../helpers/postgresql.js';
import { postgresqlPrograms, sharedPostgresql } from '../helpers/postgresql-server.js';
import { folder, type Run, run } from '../helpers/process.js';
import { testRealm } from '../helpers/realms.js';

const KEY = { KEYHOST_MASTER_KEY: 'a master key of some length' };
// A fixed issuer, since the port varies.
const START = ['start-dev', '--hostname', 'http://id.example.test', '--db', 'postgres'];
const CLIENT = { client_id: 'web', client_secret: 's3cret:+/%&é' };

const post = ({ url }: Run, path: string, form: Record<string, string>) =>
  fetchAnswer(`${url}/realms/demo/protocol/openid-connect/${path}`, {
    method: 'POST',
    body: new URLSearchParams({ ...CLIENT, ...form }),
  });
const logIn = (host: Run) =>
  post(host, 'token', { grant_type: 'password', username: 'alice', password: 'Alice-pass-1!' });

testPostgresql(
  'database backup: a dump that is made while hosts serve brings sessions, users and keys back in another database, as README.md says',
  async (t: ExecutionContext) => {
    t.timeout(240_000);
    const server = await sharedPostgresql();
    const from = await server.database();
    const to = await server.database();
    const dir = await folder(t, [testRealm('demo', { revokeRefreshToken: false })]);
    const env = { ...KEY, KEYHOST_DB_PASSWORD: server.password };
    const on = ({ database }: typeof from, node: string) => {
      const url = `postgres://${from.username}@127.0.0.1:${server.port}/${database}`;
      return [...START, '--db-url', url, '--data-dir', join(dir, node)];
    };
    const host = await run(t, dir, on(from, 'node'), env);
    const { refresh_token: refreshToken } = (await logIn(host)).json;

    const dump = join(dir, 'keyhost.dump');
    const connection = ['--host=127.0.0.1', `--port=${server.port}`, `--username=${from.username}`];
    const tool = async (name: string, ...words: readonly string[]) => {
      const program = join(postgresqlPrograms() ?? '', name);
      const { code, stderr } = await ran(program, [...connection, ...words], { env: { PGPASSWORD: server.password } });
      t.is(code, 0, stderr);
    };
    await tool('pg_dump', '--format=custom', `--file=${dump}`, from.database);
    // Changes after the dump are not in it.
    t.is((await post(host, 'logout', { refresh_token: String(refreshToken) })).status, 204);
    host.child.kill();
    await host.ended;

    await tool('pg_restore', '--no-owner', '--exit-on-error', '--single-transaction', `--dbname=${to.database}`, dump);
    const wrongKey = await run(t, dir, on(to, 'wrong'), { ...env, KEYHOST_MASTER_KEY: 'another master key' });
    t.deepEqual([wrongKey.url, await wrongKey.ended], [undefined, 1]);
    t.regex(wrongKey.output(), /\[master_key\]/);
    const again = await run(t, dir, on(to, 'again'), env);
    t.is((await logIn(again)).status, 200);
    const refreshed = await post(again, 'token', { grant_type: 'refresh_token', refresh_token: String(refreshToken) });
    t.is(refreshed.status, 200);
  },
);
