import { copyFile, mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { keyhost } from '../helpers/command.js';
import { fetchAnswer } from '../helpers/host.js';
import { folder, type Run, run } from '../helpers/process.js';
import { testRealm } from '../helpers/realms.js';

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
const modeOf = async (file: string) => ((await stat(file)).mode & 0o777).toString(8);

/** A running host with a session, and the path of its backup. */
async function scene(t: ExecutionContext) {
  const dir = await folder(t, [testRealm('demo', { revokeRefreshToken: false })]);
  const host = await run(t, dir, START, KEY);
  const { json } = await logIn(host);
  const copy = join(dir, 'copy.db');
  return { dir, host, copy, refreshToken: String(json.refresh_token), data: ['--data-dir', join(dir, 'data')] };
}

async function stop({ child, ended }: Run): Promise<void> {
  child.kill();
  await ended;
}

test('keyhost backup: a backup of a running host restores sessions, users and keys in another folder', async (t) => {
  const { dir, host, copy, refreshToken, data } = await scene(t);
  let done = false;
  const load = (async () => {
    let answered = 0;
    for (; !done; answered += 1) t.is((await logIn(host)).status, 200);
    return answered;
  })();
  const made = await keyhost(['backup', '--to', copy, ...data]);
  done = true;
  t.deepEqual([made.code, made.stderr], [0, '']);
  t.true((await load) > 0);
  t.regex(made.stdout, /copy\.db: [\d.]+ [KM]B, the complete store[\s\S]*master key is not in this file/);
  t.is(await modeOf(copy), '600');
  t.false((await readFile(copy)).includes(KEY.KEYHOST_MASTER_KEY));
  // Changes after the backup are not in it.
  t.is((await post(host, 'logout', { refresh_token: refreshToken })).status, 204);
  await stop(host);

  const other = join(dir, 'other');
  await mkdir(join(other, 'realms'), { recursive: true });
  await copyFile(join(dir, 'plugins.json'), join(other, 'plugins.json'));
  const restored = await keyhost(['restore', '--from', copy, '--data-dir', join(other, 'data')]);
  t.deepEqual([restored.code, restored.stderr], [0, '']);
  t.deepEqual([await modeOf(join(other, 'data')), await modeOf(join(other, 'data/keyhost.db'))], ['700', '600']);
  const wrongKey = await run(t, other, START, { KEYHOST_MASTER_KEY: 'another master key' });
  t.deepEqual([wrongKey.url, await wrongKey.ended], [undefined, 1]);
  t.regex(wrongKey.output(), /\[master_key\]/);
  const again = await run(t, other, START, KEY);
  t.is((await logIn(again)).status, 200);
  t.is((await post(again, 'token', { grant_type: 'refresh_token', refresh_token: refreshToken })).status, 200);
});

test('keyhost backup: nothing is overwritten: neither a file by a backup nor a store by a restore', async (t) => {
  const { dir, host, copy, data } = await scene(t);
  await writeFile(copy, 'mine');
  const refused = await keyhost(['backup', '--to', copy, ...data]);
  t.is(refused.code, 1);
  t.regex(refused.stderr, /copy\.db already exists \[backup_failed\]\n {2}→ nothing was overwritten/);
  t.is(await readFile(copy, 'utf8'), 'mine');
  const second = join(dir, 'second.db');
  t.is((await keyhost(['backup', '--to', second, ...data])).code, 0);
  t.regex((await keyhost(['restore', '--from', second, ...data])).stderr, /\[store_locked\]/);
  const live = await keyhost(['restore', '--from', join(dir, 'data/keyhost.db'), '--data-dir', join(dir, 'new')]);
  t.regex(live.stderr, /is not a backup, but the store of a server that is running[\s\S]*keyhost backup/);
  await stop(host);
  const taken = await keyhost(['restore', '--from', second, ...data]);
  t.regex(taken.stderr, /a store already exists: \S+keyhost\.db \[backup_failed\]/);
});

test('keyhost backup: a damaged backup is not restored, and a failed backup leaves nothing', async (t) => {
  const { dir, host, copy, data } = await scene(t);
  t.is((await keyhost(['backup', '--to', copy, ...data])).code, 0);
  await stop(host);
  const bytes = await readFile(copy);
  const spoilt: [string, () => Promise<void>][] = [
    ['cut short', () => truncate(copy, bytes.length - 100)],
    ['half of it', () => truncate(copy, bytes.length / 2)],
    [
      'overwritten',
      () => writeFile(copy, Buffer.concat([bytes.subarray(0, 8192), Buffer.alloc(bytes.length - 8192, 7)])),
    ],
    ['empty', () => writeFile(copy, '')],
    ['another file', () => writeFile(copy, 'not a database, but long enough to have a header'.repeat(100))],
  ];
  for (const [name, spoil] of spoilt) {
    await writeFile(copy, bytes);
    await spoil();
    const { code, stderr } = await keyhost(['restore', '--from', copy, '--data-dir', join(dir, 'new')]);
    t.is(code, 1, name);
    t.regex(stderr, /\[(store_failed|backup_failed)\]/, name);
    t.deepEqual(await readdir(join(dir, 'new')), ['keyhost.lock'], name);
  }
  const missing = join(dir, 'no/such/folder/copy.db');
  t.regex(
    (await keyhost(['backup', '--to', missing, ...data])).stderr,
    /cannot write \S+: ENOENT[^\n]*\[backup_failed\]/,
  );
  t.regex((await keyhost(['backup', '--to', copy, '--data-dir', join(dir, 'none')])).stderr, /no store found in/);
  t.regex((await keyhost(['restore', '--from', missing])).stderr, /file \S+ not found/);
  t.deepEqual(
    (await readdir(dir)).filter((name) => name.endsWith('.part')),
    [],
  );
});

test('keyhost backup: --help of backup and restore, and missing arguments', async (t) => {
  for (const [command, option] of [
    ['backup', '--to FILE'],
    ['restore', '--from FILE'],
  ] as const) {
    const help = await keyhost([command, '--help']);
    t.deepEqual([help.code, help.stdout.startsWith(`Usage: keyhost ${command} ${option}`)], [0, true]);
    t.regex((await keyhost([command, '--data-dir', 'x'])).stderr, new RegExp(`${option.slice(0, -5)} is required`));
  }
});
