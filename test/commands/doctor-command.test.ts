import { chmod, copyFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import test from 'ava';
import type { Finding } from '../../core/commands/doctor/finding.js';
import { keyhost } from '../helpers/command.js';
import { folder, run } from '../helpers/process.js';
import { ROOT } from '../helpers/readme-blocks.js';
import { testRealm } from '../helpers/realms.js';

const TLS = join(ROOT, 'test/fixtures/tls');

test('keyhost doctor: it finds what must be changed before a start, and names the option', async (t) => {
  const dir = await folder(t);
  const cert = join(TLS, 'cert.pem');
  const key = join(dir, 'key.pem');
  await copyFile(join(TLS, 'key.pem'), key);
  await chmod(key, 0o644);
  // An hour behind, and in the way.
  const other = createServer((_, response) => {
    response.sendDate = false;
    response.setHeader('date', new Date(Date.now() - 3_600_000).toUTCString()).end();
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  t.teardown(() => other.close());
  const { port } = other.address() as AddressInfo;
  const { code, stdout, stderr } = await keyhost([
    'doctor',
    '--production',
    '--json',
    '--data-dir',
    join(dir, 'data'),
    '--proxy-headers',
    'xforwarded',
    '--hostname',
    'https://id.example.invalid',
    '--http-host',
    '0.0.0.0',
    '--http-port',
    '0',
    '--https-port',
    '0',
    '--https-certificate-file',
    cert,
    '--https-certificate-key-file',
    key,
    '--grpc-port',
    String(port),
    '--management-port',
    '0',
    '--clock-from',
    `http://127.0.0.1:${port}`,
  ]);
  t.is(code, 1, stderr);
  const found = JSON.parse(stdout) as Finding[];
  const told = (state: string) =>
    found.filter((one) => one.state === state).map(({ check, text }) => `${check}: ${text}`);
  const [inUse, unresolved, readable, clock, ...others] = told('problem');
  t.is(inUse, `ports: 127.0.0.1:${port} is in use (--grpc-port)`);
  t.regex(unresolved ?? '', /^hostname: the name id\.example\.invalid cannot be resolved \(E/);
  t.is(readable, `TLS: every user of this machine can read ${key}`);
  t.regex(clock ?? '', /^clock: the clock differs by 3\d{3} seconds from http:/);
  t.deepEqual(others, []);
  t.regex(told('warning').join('\n'), /hostname: any program that reaches 0\.0\.0\.0 can forge the headers/);
  t.true(found.every(({ state, fix }) => (state === 'ok') === (fix === undefined)));

  const misspelt = await keyhost(['doctor', '--clock-from', 'nonsense']);
  t.regex(misspelt.stderr, /--clock-from: "nonsense" is not the URL of a server/);
  const bare = await keyhost(['doctor', '--production', '--data-dir', join(dir, 'data'), '--grpc-port', '0']);
  t.is(bare.code, 1);
  t.regex(
    bare.stdout,
    /clock +it is \S+Z, not before Keyhost was installed\. To compare it with a server, use --clock-from URL$/m,
  );
  t.regex(
    bare.stdout,
    /^problem {2}hostname {2}--hostname is required: tokens contain this address\n {19}→ set --hostname$/m,
  );
});

test('keyhost doctor: it checks a running host: its health, public address, store and email servers', async (t) => {
  const smtp = createServer();
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
  const { port } = smtp.address() as AddressInfo;
  const mail = { host: '127.0.0.1', port: String(port), from: 'id@example.com' };
  const dir = await folder(t, [testRealm('demo', { smtpServer: mail }), testRealm('silent', { verifyEmail: true })]);
  const host = await run(t, dir, ['start-dev']);
  t.truthy(host.url, host.output());
  const data = ['--data-dir', join(dir, 'data'), '--mail-dir', join(dir, 'mail')];
  const well = await keyhost(['doctor', ...data, '--hostname', host.url ?? '']);
  t.is(well.code, 0, well.stdout + well.stderr);
  for (const said of [
    /^ok {7}ports {5}the server runs, and its health is UP$/m,
    /^ok {7}hostname {2}http:\/\/127\.0\.0\.1:\d+ leads to this server$/m,
    /^ok {7}database {2}\S+ has 3 realms$/m,
    new RegExp(`^ok {7}mail {6}realm demo: 127\\.0\\.0\\.1:${port} can be reached$`, 'm'),
    /^ok {7}mail {6}realm silent has no mail server: emails become files in \S+mail$/m,
    /\n\nno problems\n$/,
  ])
    t.regex(well.stdout, said);
  await new Promise((resolve) => smtp.close(resolve));
  const ill = await keyhost(['doctor', '--data-dir', join(dir, 'data'), '--hostname', `${host.url}/elsewhere`]);
  t.is(ill.code, 1);
  t.regex(
    ill.stdout,
    /^problem {2}hostname {2}\S+\/elsewhere\/realms\/master\S+ answers 404\n {19}→ correct --hostname/m,
  );
  t.regex(
    ill.stdout,
    /^problem {2}mail {6}realm demo: \S+ cannot be reached \(ECONNREFUSED\)\n {19}→ correct smtpServer/m,
  );
  t.regex(ill.stdout, /\n\n2 problems\n$/);
});
