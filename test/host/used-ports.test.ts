import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { type HostOptions, parseOptions } from '../../core/config/options/options.js';
import { Log } from '../../core/di/host-tokens.js';
import { replacing } from '../../core/di/module.js';
import { createHost } from '../../core/host/host.js';
import { freePort } from '../helpers/free-port.js';
import { fetchAnswer } from '../helpers/host.js';
import { folder } from '../helpers/process.js';

const PORTS = ['http-port', 'grpc-port', 'management-port'];
const REALM = { realm: 'demo', enabled: true };
const nothing = () => {};

/** A port that another program uses. */
async function usedPort(t: ExecutionContext): Promise<number> {
  const server = createServer();
  const port = await freePort();
  await once(server.listen(port, '127.0.0.1'), 'listening');
  t.teardown(() => server.close());
  return port;
}

test('used ports: start-dev replaces the default ports only, start replaces none', (t) => {
  const replaceable = (...words: Parameters<typeof parseOptions>) => parseOptions(...words).replaceablePorts;
  t.deepEqual(replaceable([], {}, 'start-dev'), PORTS);
  t.deepEqual(replaceable(['--http-port', '8080'], {}, 'start-dev'), PORTS.slice(1));
  t.deepEqual(replaceable([], { KEYHOST_MANAGEMENT_PORT: '9000' }, 'start-dev'), PORTS.slice(0, 2));
  t.deepEqual(replaceable(['--grpc-port='], {}, 'start-dev'), PORTS);
  t.deepEqual(replaceable([], {}, 'start'), []);
});

test('used ports: the next free ports of http, gRPC and management are used, logged, and in every URL', async (t) => {
  const dir = await folder(t, [REALM]);
  await writeFile(join(dir, 'plugins.json'), JSON.stringify({ plugins: [{ module: '@keyhost/books' }] }));
  const places = ['--realms-dir', join(dir, 'realms'), '--data-dir', join(dir, 'data')];
  const options = parseOptions([...places, '--plugins-file', join(dir, 'plugins.json')], {}, 'start-dev');
  const [httpPort, grpcPort, managementPort] = [await usedPort(t), await usedPort(t), await usedPort(t)];
  const warnings: string[] = [];
  const logger = { debug: nothing, info: nothing, warn: (text: string) => void warnings.push(text), error: nothing };
  const moved: HostOptions = { ...options, watchPlugins: false, httpPort, grpcPort, managementPort };
  const host = await createHost(moved, { replace: [replacing(Log, logger)] });
  t.teardown(() => host.close());
  const addresses = [host.url, `http://${host.grpcAddress}`, host.managementUrl];
  const used = addresses.map((address) => Number(new URL(address).port));
  const wanted = [httpPort, grpcPort, managementPort];
  for (const [index, port] of used.entries()) {
    const first = wanted[index] ?? 0;
    t.true(port > first && port < first + 20, `${port} after ${first}`);
    t.true(warnings.includes(`port ${first} is in use: using ${port} instead`), warnings.join('\n'));
  }
  const { json } = await fetchAnswer(`${host.url}/realms/demo/.well-known/openid-configuration`);
  t.is(String(json.issuer), `${host.url}/realms/demo`);
  t.is(host.publicUrl, host.url);
  t.is((await fetchAnswer(`${host.managementUrl}/health`)).status, 200);
});

test('used ports: a port that may not be replaced is an error that names its option', async (t) => {
  const dir = await folder(t, [REALM]);
  const port = await usedPort(t);
  const files = [
    '--realms-dir',
    join(dir, 'realms'),
    '--data-dir',
    join(dir, 'data'),
    '--plugins-file',
    join(dir, 'plugins.json'),
  ];
  await writeFile(join(dir, 'plugins.json'), '{ "plugins": [] }');
  const options = parseOptions([...files, '--http-port', '0', '--management-port', `${port}`], {}, 'start-dev');
  const error = await t.throwsAsync(createHost({ ...options, watchPlugins: false }), { code: 'listen_failed' });
  t.is(error?.message, `cannot listen on 127.0.0.1:${port}: the port is already in use`);
  t.like(error, { hint: 'select another port with --management-port; 0 selects a free port' });
});
