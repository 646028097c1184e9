import { spawn, spawnSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { notifySupervisor } from '../../core/host/supervisor.js';
import { eventually } from '../helpers/eventually.js';
import { folder, run } from '../helpers/process.js';

/** Binds a datagram socket, which Node cannot, and prints the received messages. */
const RECEIVER = `
import os, socket, sys
receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
receiver.bind(sys.argv[1])
print('bound', flush=True)
while True:
    data, files, _, _ = receiver.recvmsg(4096, 4096)
    print(data.decode(), flush=True)
    for _, kind, value in files:
        if kind == socket.SCM_RIGHTS: os.close(int.from_bytes(value[:4], sys.byteorder))
`;
const isThere = (program: string) => spawnSync(program, ['--version']).status === 0;
const real = ['python3', 'systemd-notify'].every(isThere) ? test : test.skip;

test('systemd notification: a service manager learns when the host serves and when it stops, and nothing else of the environment', async (t) => {
  const dir = await folder(t, []);
  const told = join(dir, 'told');
  const tools = join(dir, 'tools');
  await mkdir(tools);
  await writeFile(
    join(tools, 'systemd-notify'),
    `#!/bin/sh\necho "$* $NOTIFY_SOCKET $KEYHOST_MASTER_KEY" >> ${told}\n`,
    {
      mode: 0o755,
    },
  );
  const env = { NOTIFY_SOCKET: '/run/asked', KEYHOST_MASTER_KEY: 'a key of sixteen and more' };
  const host = await run(t, dir, ['start-dev'], { ...env, PATH: `${tools}:${process.env.PATH}` });
  const lines = async () => (await readFile(told, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
  await eventually(async () => (await lines()).length === 1);
  t.deepEqual(await lines(), ['READY=1 /run/asked ']);
  host.child.kill('SIGTERM');
  t.is(await host.ended, 0);
  t.deepEqual(await lines(), ['READY=1 /run/asked ', 'STOPPING=1 /run/asked ']);
});

test('systemd notification: a host that cannot notify its service manager logs that, and serves', async (t) => {
  const dir = await folder(t, []);
  const env = { NOTIFY_SOCKET: '/run/asked', PATH: join(dir, 'no-tools') };
  const host = await run(t, dir, ['start-dev'], env);
  await eventually(() => host.output().includes('cannot run systemd-notify READY=1'));
  t.is((await fetch(`${host.url}/realms/master`)).status, 200);
  host.child.kill('SIGTERM');
  t.is(await host.ended, 0);
});

test('systemd notification: a child process that cannot start is an error in the log, and no more', async (t) => {
  const errors: string[] = [];
  const logger = { debug() {}, info() {}, warn() {}, error: (message: string) => void errors.push(message) };
  // A variable cannot contain that character, so `spawn` throws, as it does if the system refuses to start a process.
  await notifySupervisor('READY', { NOTIFY_SOCKET: '/run/asked\0' }, logger);
  t.deepEqual(errors, ['cannot run systemd-notify READY=1: systemd gets no notification']);
});

real('systemd notification: systemd’s own tool brings both to the socket that it names', async (t) => {
  const dir = await folder(t, []);
  const socket = join(dir, 'notify');
  const receiver = spawn('python3', ['-c', RECEIVER, socket], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.teardown(async () => {
    receiver.kill();
    await rm(socket, { force: true });
  });
  let received = '';
  receiver.stdout.on('data', (chunk) => (received += String(chunk)));
  await eventually(() => received.includes('bound'));
  const host = await run(t, dir, ['start-dev'], { NOTIFY_SOCKET: socket });
  await eventually(() => received.includes('READY=1'));
  t.notRegex(received, /STOPPING/);
  host.child.kill('SIGTERM');
  t.is(await host.ended, 0);
  t.regex(received, /READY=1[\s\S]*STOPPING=1/);
  t.notRegex(host.output(), /systemd-notify/);
});
