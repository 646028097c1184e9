import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { status } from '@grpc/grpc-js';
import test, { type ExecutionContext } from 'ava';
import { fetchAnswer } from '../helpers/host.js';
import { COMMAND } from '../helpers/process.js';
import { booksRealm, SERVICE } from './clients/books-hosts.js';
import { clientFor, getAuthor, health, reflects } from './node-client.js';

const PRODUCTION = ['start', '--hostname', 'https://id.example.test', '--http-enabled'];

interface Started {
  readonly http: string;
  readonly grpc: string;
  readonly output: () => string;
  /** Ends it as an operator would. @returns its exit code */
  stop(): Promise<number | null>;
}

/** A host in a process of its own, with the books plugin configured so; a host that does not start gives its output. */
async function start(t: ExecutionContext, argv: readonly string[], config: object = {}): Promise<Started | string> {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-grpc-start-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  await mkdir(join(dir, 'realms'));
  await writeFile(join(dir, 'realms/demo.json'), JSON.stringify(booksRealm('demo')));
  await writeFile(join(dir, 'plugins.json'), JSON.stringify({ plugins: [{ module: '@keyhost/books', config }] }));
  const ports = ['--http-port', '0', '--grpc-port', '0', '--management-port', '0'];
  const places = ['data-dir', 'realms-dir', 'plugins-file'].flatMap((flag) => [
    `--${flag}`,
    join(dir, { 'data-dir': 'data', 'realms-dir': 'realms' }[flag] ?? 'plugins.json'),
  ]);
  const child = spawn(process.execPath, [COMMAND, ...argv, ...ports, ...places]);
  t.teardown(() => child.kill('SIGKILL'));
  let output = '';
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const addresses = await new Promise<string[] | undefined>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += String(chunk);
        const ready = /^Keyhost ready http=(\S+) grpc=(\S+)/m.exec(output);
        if (ready !== null) resolve([...ready]);
      });
    }
    void ended.then(() => resolve(undefined));
  });
  if (addresses === undefined) return output;
  const [, http = '', grpc = ''] = addresses;
  const stop = () => {
    child.kill('SIGTERM');
    return ended;
  };
  return { http, grpc, output: () => output, stop };
}

async function started(t: ExecutionContext, argv: readonly string[], config?: object): Promise<Started> {
  const result = await start(t, argv, config);
  if (typeof result === 'string') throw new Error(result);
  return result;
}

test('gRPC start: in production access tokens are required, reflection is off, and the address is logged', async (t) => {
  const { http, grpc, output, stop } = await started(t, PRODUCTION);
  const client = await clientFor(t, grpc);
  t.is((await getAuthor(client)).code, status.UNAUTHENTICATED);
  const form = { grant_type: 'client_credentials', client_id: 'reader', client_secret: 'reader-secret' };
  const { json } = await fetchAnswer(`${http}/realms/demo/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ ...form, scope: 'books' }),
  });
  t.like(await getAuthor(client, `Bearer ${json.access_token}`), {
    code: status.OK,
    message: { first_name: 'Charles' },
  });
  t.is(await health(client, SERVICE), 'SERVING');
  t.is(await reflects(client), 'UNIMPLEMENTED');
  client.close();
  t.is(await stop(), 0, output());
});

test('gRPC start: in production reflection can be enabled', async (t) => {
  const { grpc } = await started(t, [...PRODUCTION, '--grpc-reflection', 'true']);
  t.is(await reflects(await clientFor(t, grpc)), 'OK');
});

test('gRPC start: in development everybody may call, and reflection is on', async (t) => {
  const { grpc } = await started(t, ['start-dev']);
  const client = await clientFor(t, grpc);
  t.is((await getAuthor(client)).code, status.OK);
  t.is(await reflects(client), 'OK');
});

test('gRPC start: an unreadable reflection request ends its call alone', async (t) => {
  const { grpc } = await started(t, ['start-dev']);
  const client = await clientFor(t, grpc);
  // A field of a length that is not there.
  const malformed = Buffer.from([0x0a, 0xff]);
  t.deepEqual(await Promise.all([reflects(client, malformed), reflects(client), reflects(client, malformed)]), [
    'INTERNAL',
    'OK',
    'INTERNAL',
  ]);
  t.is(await reflects(client), 'OK');
});

test('gRPC start: in production a service without authentication is served only if that is configured', async (t) => {
  const open = { 'grpc-service/books': { authentication: 'none' } };
  const refused = await start(t, PRODUCTION, open);
  t.regex(String(refused), /production_unsafe[\s\S]*grpc-service\/books/);
  const { grpc } = await started(t, [...PRODUCTION, '--allow-open-providers', 'demo/grpc-service/books'], open);
  t.is((await getAuthor(await clientFor(t, grpc))).code, status.OK);
});
