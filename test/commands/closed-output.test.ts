import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { providersFolder, resourcePlugin } from '../helpers/plugins.js';
import { COMMAND, folder, run } from '../helpers/process.js';

/** Runs `keyhost` with outputs that nothing reads, as `keyhost … | head -0` does. */
async function unread(words: readonly string[], closed: readonly ('stdout' | 'stderr')[] = ['stdout']) {
  const child = spawn(process.execPath, [COMMAND, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk);
  });
  for (const name of closed) child[name].destroy();
  const code = await new Promise((resolve) => child.once('exit', (status, signal) => resolve(status ?? signal)));
  return { code, stderr };
}

test('closed output: a command without a reader does its work and ends with its exit code, without a stack', async (t) => {
  const dir = await folder(t);
  const providers = await providersFolder(t, { late: resourcePlugin('late', 'return { body: 1 };') });
  const pluginsFile = join(dir, 'plugins.json');
  await writeFile(pluginsFile, '{ "plugins": [ { "module": "late" } ] }');
  await writeFile(join(dir, 'realms/demo.json'), '{ "realm": "demo" }');
  const argv = ['start-dev', '--providers-dir', providers];
  const { url, output } = await run(t, dir, argv);
  t.truthy(url, output());
  const places = ['--providers-dir', providers, '--plugins-file', pluginsFile];
  const realms = ['--realms-dir', join(dir, 'realms')];
  const data = ['--data-dir', join(dir, 'data')];
  for (const words of [
    ['--help'],
    ['plugin', '--help'],
    ['plugin', 'status', ...data],
    ['plugin', 'reload', ...data],
    ['plugin', 'list', ...places, ...realms],
    ['plugin', 'verify', join(providers, 'late'), ...places],
    ['plugin', 'enable', 'late', '--realm', 'demo', ...places, ...realms],
    ['plugin', 'disable', 'late', '--realm', 'demo', ...places, ...realms],
    ['plugin', 'lock', ...places],
    ['realm', 'check', join(dir, 'realms/demo.json'), ...places],
    ['realm', 'export', 'demo', ...data],
    ['schema', 'realm'],
    ['schema', 'plugins'],
  ]) {
    t.deepEqual(await unread(words), { code: 0, stderr: '' }, words.join(' '));
  }
  t.regex(await readFile(pluginsFile, 'utf8'), /"integrity": "sha512-/, 'the work after the first line was done');
  const doctor = await unread(['doctor', ...places, ...realms, ...data]);
  t.notRegex(doctor.stderr, /EPIPE| at /);
  t.deepEqual(await unread(['plugin', 'verify', join(dir, 'nowhere'), ...places]), { code: 1, stderr: '' });
  t.is((await unread(['plugin', 'unknown'], ['stdout', 'stderr'])).code, 1);
  t.deepEqual(await unread(['plugin', 'remove', 'late', ...places, ...realms]), { code: 0, stderr: '' });
  t.is(await readFile(pluginsFile, 'utf8'), '{ "plugins": [] }');
});

test('closed output: a start that cannot print the first admin’s password reports that, and the remedy', async (t) => {
  const dir = await folder(t);
  const ports = ['--http-port', '0', '--grpc-port', '0', '--management-port', '0'];
  const places = ['--data-dir', join(dir, 'data'), '--realms-dir', join(dir, 'realms')];
  const { code, stderr } = await unread([
    'start-dev',
    ...ports,
    ...places,
    '--plugins-file',
    join(dir, 'plugins.json'),
  ]);
  t.is(code, 1);
  t.regex(stderr, /keyhost: cannot print the password of the admin .* \[bootstrap_admin]\n {2}→ start with an output/);
  t.notRegex(stderr, /EPIPE/);
});
