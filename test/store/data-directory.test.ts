import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { openDatabase } from '../../core/store/sqlite/open-database.js';
import { openStore } from '../../core/store/sqlite/open-store.js';
import { NOW, REALM, user } from './records.js';
import { temporaryDirectory } from './temporary-directory.js';

const FAILED = { name: 'BootError', code: 'store_failed' };
const mode = async (path: string) => (await stat(path)).mode & 0o777;

test('data directory: every open writes through to the disk before it acknowledges', async (t) => {
  const file = join(await temporaryDirectory(t), 'keyhost.db');
  for (const attempt of ['first', 'second', 'third']) {
    const db = openDatabase(file, NOW);
    t.is(db.get<{ synchronous: number }>('PRAGMA synchronous')?.synchronous, 2, attempt);
    t.is(db.get<{ journal_mode: string }>('PRAGMA journal_mode')?.journal_mode, 'wal', attempt);
    db.close();
  }
});

const posix = process.platform === 'win32' ? test.skip : test;

posix('data directory: the data directory and its files are for their owner alone', async (t) => {
  const dataDir = join(await temporaryDirectory(t), 'deep', 'data');
  await (await openStore({ dataDir })).close();
  t.is(await mode(dataDir), 0o700);
  await chmod(dataDir, 0o755);
  await chmod(join(dataDir, 'keyhost.db'), 0o644);
  const store = await openStore({ dataDir });
  await store.realms.put({ id: REALM, name: REALM, representation: { realm: REALM } }, { expectedVersion: 0 });
  t.is(await mode(dataDir), 0o700);
  for (const file of await readdir(dataDir)) t.is(await mode(join(dataDir, file)), 0o600, file);
  await store.close();
});

test('data directory: written data survive closing, and the write-ahead log is empty', async (t) => {
  const dataDir = await temporaryDirectory(t);
  const store = await openStore({ dataDir });
  await store.users.put(user('alice'), { expectedVersion: 0 });
  await store.close();
  const log = await readFile(join(dataDir, 'keyhost.db-wal')).catch(() => Buffer.alloc(0));
  t.is(log.length, 0);
  const again = await openStore({ dataDir });
  t.deepEqual(await again.users.byId(REALM, 'id-alice'), user('alice'));
  await again.close();
});

test('data directory: a data directory belongs to one process until that process is gone', async (t) => {
  const dataDir = await temporaryDirectory(t);
  const child = spawn(process.execPath, [fileURLToPath(new URL('./hold-store.js', import.meta.url)), dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const locked = { name: 'BootError', code: 'store_locked' };
  t.true((await t.throwsAsync(openStore({ dataDir }), locked)).message.includes(dataDir));
  child.kill('SIGKILL');
  await once(child, 'exit');
  const store = await openStore({ dataDir });
  await t.throwsAsync(openStore({ dataDir }), locked, 'nor does it belong twice to this process');
  await store.close();
  await (await openStore({ dataDir })).close();
});

test('data directory: a damaged store is refused and never taken for an empty one', async (t) => {
  const dataDir = await temporaryDirectory(t);
  const file = join(dataDir, 'keyhost.db');
  const store = await openStore({ dataDir });
  const users = Array.from({ length: 500 }, (_, index) => user(`user-${index}`));
  await store.realms.put({ id: REALM, name: REALM, representation: { realm: REALM } }, { expectedVersion: 0, users });
  await store.close();
  const whole = await readFile(file);
  const refused = async (what: string) => {
    const error = await t.throwsAsync(openStore({ dataDir }), FAILED, what);
    t.true(error?.message.includes(file), what);
  };
  for (const length of [0, 1, 100, 4096, 8192, whole.length - 4096, whole.length - 1]) {
    await writeFile(file, whole);
    await truncate(file, length);
    await refused(`cut to ${length} bytes`);
  }
  const flips = [0, 16, 30, 100, 101, 103, 4096, 4099, 8192 + 3, whole.length - 4096, whole.length - 4096 + 5];
  for (const offset of flips) {
    const bytes = Buffer.from(whole);
    bytes.writeUInt8(bytes.readUInt8(offset) ^ 0x10, offset);
    await writeFile(file, bytes);
    await refused(`bit flipped in byte ${offset}`);
  }
  await writeFile(file, 'not a database at all, but long enough to have a header in it'.repeat(200));
  await refused('another file');
  await rm(file);
  await writeFile(`${file}-wal`, whole.subarray(0, 4096));
  await refused('only the write-ahead log');
  await rm(`${file}-wal`);
  await writeFile(file, whole);
  const healed = await openStore({ dataDir });
  t.is(await healed.users.count(REALM), 500);
  await healed.close();
});

test('data directory: a place that cannot be a data directory is refused with a hint', async (t) => {
  const parent = await temporaryDirectory(t);
  await (await open(join(parent, 'file'), 'w')).close();
  await t.throwsAsync(openStore({ dataDir: join(parent, 'file') }), FAILED);
  await t.throwsAsync(openStore({ dataDir: join(parent, 'file', 'below') }), FAILED);
  await mkdir(join(parent, 'data', 'keyhost.lock'), { recursive: true });
  const error = await t.throwsAsync(openStore({ dataDir: join(parent, 'data') }), FAILED);
  t.truthy((error as unknown as { hint?: string }).hint);
});
