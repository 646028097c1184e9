import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { adminCaller, startAdministered } from '../helpers/admin.js';
import { testRealm } from '../helpers/realms.js';

test('T765 · password blacklists: a realm names no password blacklist outside of its folder, and learns nothing of files there', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-blacklists-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  await mkdir(join(dir, 'lists', 'below'), { recursive: true });
  for (const file of ['secret.txt', 'lists/words.txt', 'lists/.hidden', 'lists/below/deep.txt'])
    await writeFile(join(dir, file), 'letmein\n');
  const host = await startAdministered(t, {
    realms: [testRealm('demo', { providers: {} })],
    plugins: [],
    argv: ['--password-blacklists-dir', join(dir, 'lists')],
  });
  const call = await adminCaller(host);
  const answers = new Map<string, string>();
  for (const name of [
    '../secret.txt',
    '../absent.txt',
    './words.txt',
    'below/deep.txt',
    'below',
    '.hidden',
    '..',
    '.',
    '/etc/passwd',
    '..\\secret.txt',
    'words.txt\0',
    'words.txt/',
    '%2e%2e/secret.txt',
    `${'x'.repeat(300)}.txt`,
    ' words.txt',
    '',
  ]) {
    const { status, text } = await call('PUT', '/realms/demo', { passwordPolicy: `passwordBlacklist(${name})` });
    t.is(status, 400, JSON.stringify(name));
    t.false(text.includes(dir), JSON.stringify(name));
    answers.set(name, text.replaceAll(JSON.stringify(name).slice(1, -1), 'NAME').replaceAll(name, 'NAME'));
  }
  t.is(answers.get('../secret.txt'), answers.get('../absent.txt'), 'whether there is a file is not told');
  t.is((await call('PUT', '/realms/demo', { passwordPolicy: 'passwordBlacklist(words.txt)' })).status, 204);
});
