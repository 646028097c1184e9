import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { PostgresqlSettings } from '../../core/config/options/database-options.js';
import { openStore } from '../../core/store/open-store.js';
import { sqliteDriver } from '../../core/store/sqlite/driver.js';
import { keyhost } from '../helpers/command.js';
import { eventually } from '../helpers/eventually.js';
import { fetchAnswer } from '../helpers/host.js';
import { testPostgresql } from '../helpers/postgresql.js';
import { sharedPostgresql } from '../helpers/postgresql-server.js';
import { COMMAND, folder, type Run, run } from '../helpers/process.js';
import { testRealm } from '../helpers/realms.js';
import { temporaryDirectory } from '../store/temporary-directory.js';

const KEY = { KEYHOST_MASTER_KEY: 'a master key of some length' };
// A fixed issuer, since the port varies.
const START = ['start-dev', '--hostname', 'http://id.example.test'];
const CLIENT = { client_id: 'web', client_secret: 's3cret:+/%&é' };

const post = ({ url }: Run, path: string, form: Record<string, string>) =>
  fetchAnswer(`${url}/realms/demo/protocol/openid-connect/${path}`, {
    method: 'POST',
    body: new URLSearchParams({ ...CLIENT, ...form }),
  });
const logIn = (host: Run) =>
  post(host, 'token', { grant_type: 'password', username: 'alice', password: 'Alice-pass-1!' });
const refresh = (host: Run, token: string) =>
  post(host, 'token', { grant_type: 'refresh_token', refresh_token: token });

async function stop({ child, ended }: Run): Promise<void> {
  child.kill();
  await ended;
}

/** A database, as the command line names it. */
async function database(t: ExecutionContext) {
  const settings = await (await sharedPostgresql()).database();
  const passwordFile = join(await temporaryDirectory(t), 'password');
  await writeFile(passwordFile, `${settings.password}\n`);
  const url = `postgres://${settings.username}@${settings.host}:${settings.port}/${settings.database}`;
  const host = [...START, '--db', 'postgres', '--db-url', url, '--db-password-file', passwordFile];
  return { settings, url, host, password: ['--db-password-file', passwordFile] };
}

testPostgresql(
  'keyhost store copy: a login and a refresh token live on when the store goes to PostgreSQL, and when it comes back',
  async (t: ExecutionContext) => {
    t.timeout(240_000);
    const dir = await folder(t, [testRealm('demo', { revokeRefreshToken: false, eventsEnabled: true })]);
    const { url, host: onDatabase, password } = await database(t);
    const data = join(dir, 'data');
    const first = await run(t, dir, START, KEY);
    const { refresh_token: before } = (await logIn(first)).json;
    const locked = await keyhost(['store', 'copy', '--from', data, '--to', url, ...password]);
    t.is(locked.code, 1);
    t.regex(locked.stderr, /\[store_locked\]/);
    await stop(first);

    const there = await keyhost(['store', 'copy', '--from', data, '--to', url, ...password]);
    t.deepEqual([there.code, there.stderr.includes('users: ')], [0, true], there.stderr);
    t.regex(there.stdout, /^users +\d+ rows {2}[0-9a-f]{32}$/m);
    t.regex(
      there.stdout,
      /all tables are equal\.\n\d+ realm keys are encrypted: start the server with the same master key\.\n$/,
    );
    t.regex(there.stderr, /^users: \d+ of \d+ rows copied \(100 %\), [\d,]+ a second$/m);
    const second = await run(t, dir, [...onDatabase, '--data-dir', join(dir, 'node')], KEY);
    t.is((await refresh(second, String(before))).status, 200);
    const { refresh_token: meanwhile } = (await logIn(second)).json;

    const back = join(dir, 'back');
    const refused = await keyhost(['store', 'copy', '--from', url, '--to', back, ...password]);
    t.is(refused.code, 1);
    t.regex(refused.stderr, /servers are running on 127\.0\.0\.1:\d+\/\w+: \S+:\d+ \[copy_failed\]\n {2}→ .*stop them/);
    await stop(second);
    const copied = await keyhost(['store', 'copy', '--from', url, '--to', back, '--quiet', ...password]);
    t.deepEqual([copied.code, copied.stderr], [0, '']);
    const third = await run(t, dir, [...START, '--data-dir', back], KEY);
    for (const token of [before, meanwhile]) t.is((await refresh(third, String(token))).status, 200);
    t.is((await logIn(third)).status, 200);
    await stop(third);
    const wrongKey = await run(t, dir, [...START, '--data-dir', back], { KEYHOST_MASTER_KEY: 'another master key' });
    t.is(await wrongKey.ended, 1);
    t.regex(wrongKey.output(), /\[master_key\]/);
  },
);

/** A store with this many entries, which take a while to copy. */
async function longStore(t: ExecutionContext, entries: number): Promise<string> {
  const dataDir = await temporaryDirectory(t);
  await (await openStore({ dataDir, postgresql: undefined })).close();
  const db = new (sqliteDriver().DatabaseSync)(join(dataDir, 'keyhost.db'));
  db.exec(
    `INSERT INTO entries WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${entries}) ` +
      "SELECT 'r', 'n', 'key-' || i, '{}', NULL FROM n",
  );
  db.close();
  return dataDir;
}

async function rowsIn({ database: name }: PostgresqlSettings, table: string): Promise<number> {
  const server = await sharedPostgresql();
  const { rows } = await server.run(`SELECT count(*)::int AS rows FROM ${table}`, name).catch(() => ({ rows: [] }));
  return (rows[0] as { rows: number } | undefined)?.rows ?? 0;
}

const ENTRIES = 60_000;

/** Kills a copy once it is under way, starts a host on its target, and copies to the end. */
async function killAndGoOn(
  t: ExecutionContext,
  words: readonly string[],
  start: readonly string[],
  isUnderWay: () => Promise<boolean>,
): Promise<void> {
  const child = spawn(process.execPath, [COMMAND, ...words], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  await eventually(isUnderWay);
  child.kill('SIGKILL');
  t.deepEqual(await ended, [null, 'SIGKILL'], 'it was not done yet');
  const started = await run(t, await folder(t), [...start]);
  t.is(await started.ended, 1);
  t.regex(
    started.output(),
    /is an unfinished copy of \S+ \[store_failed\]\n {2}→ run the same keyhost store copy again/,
  );
  const again = await keyhost(words);
  t.is(again.code, 0, again.stderr);
  t.regex(again.stdout, new RegExp(`^entries +${ENTRIES} rows [\\s\\S]*Continued the copy of an earlier run`, 'm'));
  const full = await keyhost(words);
  t.is(full.code, 1);
  t.regex(full.stderr, /already contains a store \[copy_failed\]\n {2}→ nothing was overwritten/);
}

testPostgresql(
  'keyhost store copy: a copy into a database that is killed is refused by a start, and gone on with',
  async (t: ExecutionContext) => {
    t.timeout(240_000);
    const from = await longStore(t, ENTRIES);
    const { settings, url, host, password } = await database(t);
    const words = ['store', 'copy', '--from', from, '--to', url, ...password];
    await killAndGoOn(t, words, host, async () => (await rowsIn(settings, 'entries')) > 2_000);
    t.is(await rowsIn(settings, 'entries'), ENTRIES);
  },
);

test('keyhost store copy: an interrupted copy is refused by a start, and can be continued', async (t) => {
  t.timeout(240_000);
  const from = await longStore(t, ENTRIES);
  const to = await temporaryDirectory(t);
  const sizeOf = async () => (await stat(join(to, 'keyhost.db.copying')).catch(() => ({ size: 0 }))).size;
  const words = ['store', 'copy', '--from', from, '--to', to];
  await killAndGoOn(t, words, [...START, '--data-dir', to], async () => (await sizeOf()) > 500_000);
  t.deepEqual((await readdir(to)).sort(), ['keyhost.db', 'keyhost.lock']);
});

testPostgresql('keyhost store copy: what cannot be copied is told, and no password is', async (t: ExecutionContext) => {
  const from = await longStore(t, 1);
  const { settings, url, password } = await database(t);
  const wrong = await keyhost(['store', 'copy', '--from', from, '--to', url], {
    env: { KEYHOST_TO_DB_PASSWORD: 'not-the-password' },
  });
  t.is(wrong.code, 1);
  t.regex(wrong.stderr, /refuses the user keyhost/);
  const inUrl = url.replace('@', `:${settings.password}@`);
  const told = await keyhost(['store', 'copy', '--from', from, '--to', inUrl]);
  t.is(told.code, 1);
  t.regex(told.stderr, /--to: contains a password/);
  for (const { stdout, stderr } of [wrong, told]) {
    for (const secret of [settings.password ?? '', 'not-the-password']) t.false(`${stdout}${stderr}`.includes(secret));
  }
  const none = await keyhost(['store', 'copy', '--from', url, '--to', join(from, 'other'), ...password]);
  t.regex(none.stderr, /no store found in 127\.0\.0\.1/);
  // Each of two databases has its own password; the host's variables name neither.
  const other = await database(t);
  const env = {
    KEYHOST_DB: 'postgres',
    KEYHOST_DB_URL: 'postgres://elsewhere/none',
    KEYHOST_FROM_DB_PASSWORD: settings.password ?? '',
    KEYHOST_DB_PASSWORD: 'not-the-password',
  };
  t.is((await keyhost(['store', 'copy', '--from', from, '--to', url, ...password])).code, 0);
  const files = ['--to-db-password-file', other.password[1] as string];
  const both = await keyhost(['store', 'copy', '--from', url, '--to', other.url.replace('keyhost@', ''), ...files], {
    env: { ...env, KEYHOST_TO_DB_USERNAME: 'keyhost' },
  });
  t.is(both.code, 0, both.stderr);
});

test('keyhost store copy: --help and missing arguments', async (t) => {
  const help = await keyhost(['store', 'copy', '--help']);
  t.is(help.code, 0);
  t.regex(
    help.stdout,
    /^Usage: keyhost store copy --from PLACE --to PLACE [\s\S]*keyhost store copy --from \.data --to postgres:\/\//,
  );
  t.is((await keyhost(['store', '--help'])).code, 0);
  t.is((await keyhost(['store'])).code, 2);
  for (const [words, said] of [
    [['store', 'move'], /unknown command "store move"/],
    [['store', 'copy', '--from', 'a'], /--to is required/],
    [['store', 'copy', '--from', 'a', '--to', './a'], /are the same place/],
    [['store', 'copy', '--from', 'a', '--to', 'mysql://db/keyhost'], /--to must be a data directory or the address/],
    [['store', 'copy', '--from', 'a', '--to', 'b', 'c'], /unexpected argument "c"/],
    [
      ['store', 'copy', '--from', 'a', '--to', 'b', '--from-db-username', 'x'],
      /--from-db-username requires a database in --from/,
    ],
    [['store', 'copy', '--from', 'a', '--to', 'b', '--db-username', 'x'], /--db-username requires a database/],
  ] as const) {
    const { code, stderr } = await keyhost(words);
    t.is(code, 1, words.join(' '));
    t.regex(stderr, said);
  }
});
