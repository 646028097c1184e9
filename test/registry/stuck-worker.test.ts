import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { eventually } from '../helpers/eventually.js';
import { fetchAnswer } from '../helpers/host.js';
import { enabledResources, providersFolder, resourcePlugin } from '../helpers/plugins.js';
import { COMMAND } from '../helpers/process.js';
import { testRealm } from '../helpers/realms.js';

test('stuck worker: threads that hang in native code cannot be ended: with the second one the process makes way for a new one', async (t) => {
  const source = `import { execSync } from 'node:child_process';
    ${resourcePlugin('stuck', "execSync('sleep 30'); return { body: {} };")}`;
  const providersDir = await providersFolder(t, { stuck: source });
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-stuck-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  await mkdir(join(dir, 'realms'));
  const realm = testRealm('demo', { providers: enabledResources(['stuck']) });
  await writeFile(join(dir, 'realms', 'demo.json'), JSON.stringify(realm));
  await writeFile(join(dir, 'plugins.json'), '{ "plugins": [ { "module": "stuck", "isolation": "worker" } ] }');
  const ports = ['--http-port', '0', '--grpc-port', '0', '--management-port', '0'];
  const places = ['--realms-dir', join(dir, 'realms'), '--plugins-file', join(dir, 'plugins.json'), '--data-dir', dir];
  const child = spawn(process.execPath, [COMMAND, 'start-dev', ...ports, ...places, '--providers-dir', providersDir]);
  t.teardown(() => child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const ended = new Promise<[number | null, string | null]>((resolve) => {
    child.once('exit', (...end) => resolve(end));
  });
  await eventually(() => output.includes('Keyhost ready'));
  const url = `${/ready http=(\S+)/.exec(output)?.[1]}/realms/demo`;
  const management = /management=(\S+)/.exec(output)?.[1];
  t.is((await fetchAnswer(`${url}/stuck`)).status, 503);
  await eventually(async () => (await fetchAnswer(`${url}/stuck/well`)).status === 200);
  await eventually(async () =>
    (await fetchAnswer(`${management}/metrics`)).text.includes('keyhost_worker_threads_stuck 1'),
  );
  const { status } = await fetchAnswer(`${url}/protocol/openid-connect/certs`);
  t.is(status, 200, 'one of them leaves the host as it is');
  await fetchAnswer(`${url}/stuck`);
  t.deepEqual(await ended, [null, 'SIGKILL']);
  t.regex(output, /plugins hang in native code, draining/);
});
