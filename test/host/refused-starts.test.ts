import { spawn, spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { keyhost, ran } from '../helpers/command.js';
import { fetchAnswer } from '../helpers/host.js';
import { COMMAND, folder, run } from '../helpers/process.js';
import { testRealm } from '../helpers/realms.js';

const FREE = ['--http-port', '0', '--grpc-port', '0', '--management-port', '0'];
const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;

async function scratch(t: ExecutionContext): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-refused-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/** One sentence, what to do, and nothing else: no stack. */
function tells(t: ExecutionContext, output: string, sentence: RegExp): void {
  const said = output.split('\n').filter((line) => !line.startsWith('{') && line !== '');
  t.is(said.length, 2, output);
  t.regex(said[0] ?? '', sentence);
  t.regex(said[1] ?? '', /^ {2}→ \S/);
}

test('refused starts: a Node.js that is too old names the required version', async (t) => {
  const old = "Object.defineProperty(process,'versions',{value:{...process.versions,node:'18.20.4'}})";
  const { code, stderr } = await ran(process.execPath, [
    '--import',
    `data:text/javascript,${old}`,
    COMMAND,
    'start-dev',
  ]);
  t.is(code, 1);
  tells(t, stderr, /^keyhost: this is Node 18\.20\.4, and Keyhost needs 20\.19 or later$/);
});

test('refused starts: a used port is named with the option that changes it: http, gRPC and management', async (t) => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  t.teardown(() => taken.close());
  const port = String((taken.address() as { port: number }).port);
  for (const option of ['--http-port', '--grpc-port', '--management-port']) {
    const dir = await folder(t, [testRealm('demo')]);
    if (option === '--grpc-port') {
      const plugins = ['newsletter', 'external-app-notification', 'books'].map((name) => ({
        module: `@keyhost/${name}`,
      }));
      await writeFile(join(dir, 'plugins.json'), JSON.stringify({ plugins }));
    }
    const host = await run(t, dir, ['start-dev', '--log-level', 'error', option, port]);
    t.is(await host.ended, 1, option);
    tells(
      t,
      host.output(),
      new RegExp(`^keyhost: cannot listen on 127\\.0\\.0\\.1:${port}: the port is already in use`),
    );
    t.true(host.output().includes(`select another port with ${option}`), host.output());
  }
});

test('refused starts: a development start in an empty folder creates what it needs, logs that, and serves it', async (t) => {
  const dir = await scratch(t);
  // The helper's own places would be options, and those are never made.
  const script = `exec "${process.execPath}" "${COMMAND}" start-dev ${FREE.join(' ')}`;
  const child = spawn('sh', ['-c', script], { cwd: dir });
  t.teardown(() => child.kill('SIGKILL'));
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += String(chunk);
        const found = /^Keyhost ready http=(\S+)/m.exec(output)?.[1];
        if (found !== undefined) resolve(found);
      });
    child.once('close', () => reject(new Error(output)));
  });
  t.regex(output, /^Created plugins\.json, realms\/demo\.json$/m);
  t.deepEqual((await readdir(dir)).sort(), ['.data', 'plugins.json', 'realms']);
  const form = { grant_type: 'password', client_id: 'cli', username: 'alice', password: 'alice' };
  const body = new URLSearchParams(form);
  const { status } = await fetchAnswer(`${url}/realms/demo/protocol/openid-connect/token`, { method: 'POST', body });
  t.is(status, 200);
});

test('refused starts: production creates nothing, not even a folder that an option names', async (t) => {
  const dir = await scratch(t);
  const named = ['start-dev', ...FREE, '--plugins-file', 'mine.json'];
  const production = ['start', ...FREE, '--hostname', 'https://id.example.test', '--http-enabled'];
  for (const [words, made] of [
    [production, []],
    [named, ['realms']],
  ] as const) {
    const { code, stderr } = await ran(process.execPath, [COMMAND, ...words], { cwd: dir });
    t.is(code, 1);
    t.regex(stderr, /cannot read plugins\.json \[plugins_file_invalid]/);
    t.deepEqual(
      (await readdir(dir)).filter((name) => name !== '.data'),
      made,
    );
  }
});

test('refused starts: a folder without permission is named: of the data, of the realms, and of a first start', async (t) => {
  const closed = async () => {
    const dir = await folder(t, [{ realm: 'demo' }]);
    await writeFile(join(dir, 'plugins.json'), '{ "plugins": [] }');
    for (const name of ['.', 'realms', 'plugins.json'])
      await chmod(join(dir, name), name.endsWith('.json') ? 0o644 : 0o755);
    await chmod(join(dir, 'realms/demo.json'), 0o644);
    return dir;
  };
  // Root may do everything, so the host then runs as another user.
  const asNobody = (words: string[], cwd: string) => keyhost(words, { cwd, as: isRoot ? NOBODY : undefined });
  const start = ['start-dev', ...FREE, '--log-level', 'error'];
  const places = (dir: string) => ['--plugins-file', join(dir, 'plugins.json'), '--data-dir', join(dir, 'data')];
  const data = await closed();
  await chmod(data, 0o555);
  const ofData = await asNobody([...start, ...places(data), '--realms-dir', join(data, 'realms')], data);
  t.is(ofData.code, 1, ofData.stderr);
  tells(t, ofData.stderr, /^keyhost: cannot use the data directory \S+ \(EACCES\): permission denied \[store_failed]$/);
  await chmod(data, 0o755);

  const realms = await closed();
  await chmod(realms, 0o777);
  await chmod(join(realms, 'realms'), 0o000);
  const ofRealms = await asNobody([...start, ...places(realms), '--realms-dir', join(realms, 'realms')], realms);
  t.is(ofRealms.code, 1, ofRealms.stderr);
  tells(t, ofRealms.stderr, /^keyhost: cannot read the realms folder \S+: permission denied \[realm_invalid]$/);
  await chmod(join(realms, 'realms'), 0o755);

  const empty = await scratch(t);
  await chmod(empty, 0o555);
  const ofFirst = await asNobody(start, empty);
  t.is(ofFirst.code, 1, ofFirst.stderr);
  tells(t, ofFirst.stderr, /^keyhost: cannot use plugins\.json: permission denied$/);
  await chmod(empty, 0o755);
});

const canMount = isRoot && spawnSync('unshare', ['-m', 'true']).status === 0;
const diskTest = canMount ? test : test.skip;

diskTest(
  `refused starts: a full disk is reported${canMount ? '' : ' (only where a test may mount a small disk)'}`,
  async (t) => {
    const dir = await folder(t, [testRealm('demo')]);
    for (const size of ['16k', '256k']) {
      const words = [
        ...FREE,
        '--log-level',
        'fatal',
        '--data-dir',
        join(dir, 'small'),
        '--realms-dir',
        join(dir, 'realms'),
      ];
      const start = [process.execPath, COMMAND, 'start-dev', ...words, '--plugins-file', join(dir, 'plugins.json')];
      await mkdir(join(dir, 'small'), { recursive: true });
      const script = `mount -t tmpfs -o size=${size} none ${join(dir, 'small')} && exec ${start.join(' ')}`;
      const { code, stderr } = await ran('unshare', ['-m', 'sh', '-c', script]);
      t.is(code, 1, stderr);
      tells(t, stderr, /^keyhost: .*the disk is full( \[store_failed])?$/);
    }
  },
);
