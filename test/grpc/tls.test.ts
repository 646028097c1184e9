import { once } from 'node:events';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect as connectTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { status } from '@grpc/grpc-js';
import test, { type ExecutionContext } from 'ava';
import { eventually } from '../helpers/eventually.js';
import { assertHealthy } from '../helpers/shared-host.js';
import { addressOf, booksHost, pem, readPem, SERVER_TLS } from './clients/books-hosts.js';
import { clientFor, getAuthor } from './node-client.js';

/** The subject of the certificate that new connections are shown. */
async function shown(address: string): Promise<string> {
  const [host, port] = address.split(':');
  const socket: TLSSocket = connectTls({
    host,
    port: Number(port),
    ca: await readPem('ca'),
    ALPNProtocols: ['h2'],
  });
  try {
    await once(socket, 'secureConnect');
    return String(socket.getPeerCertificate().subject.CN);
  } finally {
    socket.destroy();
  }
}

async function hostWithFiles(t: ExecutionContext) {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-grpc-tls-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const certificate = join(dir, 'cert.pem');
  const key = join(dir, 'key.pem');
  const put = async (name: string) => {
    await copyFile(pem(name), certificate);
    await copyFile(pem(`${name}-key`), key);
  };
  await put('server');
  const host = await booksHost(t, ['--grpc-certificate-file', certificate, '--grpc-certificate-key-file', key]);
  return { host, address: addressOf(host), certificate, key, put };
}

/** The received bytes, once the other side has closed the connection. */
async function answered(address: string, bytes: Buffer): Promise<Buffer> {
  const [host, port] = address.split(':');
  const socket = connectTcp({ host: host ?? '', port: Number(port) });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', () => {});
  socket.write(bytes);
  await once(socket, 'close');
  return Buffer.concat(chunks);
}

test('gRPC TLS: a renewed certificate serves new connections, and calls continue on the old ones', async (t) => {
  const { host, address, put } = await hostWithFiles(t);
  const trusted = await clientFor(t, address, { ca: 'ca' });
  t.is((await getAuthor(trusted)).code, status.OK);
  t.is(await shown(address), 'server');
  await put('renewed');
  await eventually(async () => (await shown(address)) === 'renewed');
  t.is((await getAuthor(trusted)).code, status.OK);
  t.is((await getAuthor(await clientFor(t, address, { ca: 'ca' }))).code, status.OK);
  t.true(host.log.some(({ message }) => message === 'certificate reloaded'));
});

test('gRPC TLS: an invalid certificate leaves the old one serving, and is logged', async (t) => {
  const { host, address, certificate, put } = await hostWithFiles(t);
  const told = () => host.log.filter(({ message }) => message.startsWith('new certificate is invalid')).length;
  await writeFile(certificate, 'garbage');
  await eventually(() => told() > 0);
  t.is(await shown(address), 'server');
  const before = told();
  // A certificate of another pair: each file is valid on its own.
  await copyFile(pem('renewed'), certificate);
  await eventually(() => told() > before);
  t.is(await shown(address), 'server');
  t.is((await getAuthor(await clientFor(t, address, { ca: 'ca' }))).code, status.OK);
  await put('renewed');
  await eventually(async () => (await shown(address)) === 'renewed');
  t.pass();
});

test('gRPC TLS: mutual TLS serves clients with a certificate of the authority, and no others', async (t) => {
  const host = await booksHost(t, [...SERVER_TLS, '--grpc-client-ca-file', pem('ca')]);
  const address = addressOf(host);
  t.is((await getAuthor(await clientFor(t, address, { ca: 'ca', client: 'client' }))).code, status.OK);
  t.is((await getAuthor(await clientFor(t, address, { ca: 'ca' }))).code, status.UNAVAILABLE);
  t.is((await getAuthor(await clientFor(t, address, { ca: 'ca', client: 'stranger' }))).code, status.UNAVAILABLE);
  await assertHealthy(t, host);
});

test('gRPC TLS: plain HTTP/2 on the TLS port is ended, and the port continues to serve', async (t) => {
  const host = await booksHost(t, SERVER_TLS);
  const address = addressOf(host);
  await answered(address, Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u0004\0\0\0\0\0', 'latin1'));
  t.is((await getAuthor(await clientFor(t, address))).code, status.UNAVAILABLE);
  t.is((await getAuthor(await clientFor(t, address, { ca: 'ca' }))).code, status.OK);
  await assertHealthy(t, host);
});

test('gRPC TLS: TLS on the plain port is ended, and the port continues to serve', async (t) => {
  const host = await booksHost(t);
  const address = addressOf(host);
  const [name, port] = address.split(':');
  const socket = connectTls({ host: name, port: Number(port), rejectUnauthorized: false, ALPNProtocols: ['h2'] });
  const ended = await new Promise<string>((resolve) => {
    socket.on('secureConnect', () => resolve('a handshake'));
    socket.on('error', () => resolve('an error'));
    socket.on('close', () => resolve('an end'));
  });
  t.not(ended, 'a handshake');
  t.is((await getAuthor(await clientFor(t, address, { ca: 'ca' }))).code, status.UNAVAILABLE);
  t.is((await getAuthor(await clientFor(t, address))).code, status.OK);
  await assertHealthy(t, host);
});

test('gRPC TLS: an invalid certificate fails the start', async (t) => {
  const { certificate, key } = await hostWithFiles(t);
  await copyFile(pem('renewed'), certificate);
  const error = await t.throwsAsync(
    booksHost(t, ['--grpc-certificate-file', certificate, '--grpc-certificate-key-file', key]),
  );
  t.like(error, { code: 'listen_failed' });
  t.regex(String(error?.message), /invalid certificate/);
});
