import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { ran } from '../helpers/command.js';
import { COMMAND } from '../helpers/process.js';

async function place(t: ExecutionContext): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-code-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/** Runs a command that loads chunks and ends. */
async function run(t: ExecutionContext, env: Record<string, string>, flags: readonly string[] = [], told = /^$/) {
  const end = await ran(process.execPath, [...flags, COMMAND, 'schema', 'plugins'], { env });
  t.deepEqual([end.code, JSON.parse(end.stdout).type], [0, 'object']);
  t.regex(end.stderr, told);
}

/** The files below a folder, with their content. */
async function files(folder: string): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) found.set(path, await readFile(path));
  }
  return found;
}

test('code cache: it belongs to its owner alone, is used, and is in the user’s cache folder', async (t) => {
  const caches = await place(t);
  await run(t, { XDG_CACHE_HOME: caches, KEYHOST_CODE_CACHE: '' });
  const kept = await files(join(caches, 'keyhost'));
  t.true(kept.size > 0);
  t.is((await stat(join(caches, 'keyhost'))).mode & 0o077, 0);
  const written = async () => Promise.all([...kept.keys()].map(async (file) => (await stat(file)).mtimeMs));
  const before = await written();
  await run(t, { XDG_CACHE_HOME: caches, KEYHOST_CODE_CACHE: '' });
  t.deepEqual(await written(), before, 'nothing had to be compiled and kept again');
});

test('code cache: another set of flags has a cache of its own', async (t) => {
  const dir = await place(t);
  await run(t, { KEYHOST_CODE_CACHE: dir });
  const one = (await readdir(dir)).length;
  await run(t, { KEYHOST_CODE_CACHE: dir }, ['--max-semi-space-size=2']);
  t.deepEqual([one, (await readdir(dir)).length], [1, 2]);
});

test('code cache: damaged or incomplete code is not run', async (t) => {
  const dir = await place(t);
  await run(t, { KEYHOST_CODE_CACHE: dir });
  for (const damage of [
    (good: Buffer) => good.subarray(0, good.length / 2),
    (good: Buffer) => Buffer.concat([good.subarray(0, good.length / 2), Buffer.alloc(good.length / 2)]),
    () => Buffer.from('{}'),
    () => Buffer.alloc(0),
  ]) {
    for (const [file, good] of await files(dir)) await writeFile(file, damage(good));
    await run(t, { KEYHOST_CODE_CACHE: dir });
  }
});

test('code cache: an unusable folder is reported if it was configured, and is no error otherwise', async (t) => {
  const told = (reason: string) => new RegExp(`^keyhost: KEYHOST_CODE_CACHE=\\S+ is ignored: ${reason}\n$`);
  const notOwn = told('it must be a folder that belongs to this user and that no other user can write to');
  const open = await place(t);
  await chmod(open, 0o777);
  await run(t, { KEYHOST_CODE_CACHE: open }, [], notOwn);
  t.deepEqual(await readdir(open), []);
  await run(t, { KEYHOST_CODE_CACHE: 'code' }, [], told('it must be an absolute path'));
  // Not even root can make a folder there.
  await run(t, { KEYHOST_CODE_CACHE: '/proc/keyhost' }, [], notOwn);
  const dir = await place(t);
  const file = join(dir, 'file');
  await writeFile(file, '');
  await run(t, { KEYHOST_CODE_CACHE: join(file, 'folder') }, [], notOwn);
  await run(t, { KEYHOST_CODE_CACHE: '', XDG_CACHE_HOME: file });
});

test('code cache: with off nothing is stored', async (t) => {
  const caches = await place(t);
  await run(t, { KEYHOST_CODE_CACHE: 'off', XDG_CACHE_HOME: caches });
  t.deepEqual(await readdir(caches), []);
});
