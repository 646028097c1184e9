import { once } from 'node:events';
import { copyFile, mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type SecureVersion } from 'node:tls';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { addressOf, booksHost, SERVER_TLS } from '../grpc/clients/books-hosts.js';
import { startHost } from '../helpers/host.js';
import { testRealm } from '../helpers/realms.js';

const TLS = fileURLToPath(new URL('../../../test/fixtures/tls/', import.meta.url));
const CBC = 'ECDHE-ECDSA-AES128-SHA256:ECDHE-RSA-AES128-SHA256:ECDHE-ECDSA-AES256-SHA:ECDHE-RSA-AES256-SHA:AES128-SHA';
const NO_FORWARD_SECRECY = 'AES128-GCM-SHA256:AES256-GCM-SHA384';
const GOOD = 'ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384';

/** The version and suite negotiated with a client that supports these; undefined if there is none in common. */
async function agreed(
  address: string,
  ciphers: string,
  maxVersion: SecureVersion = 'TLSv1.2',
  minVersion = maxVersion,
) {
  const port = Number(address.slice(address.lastIndexOf(':') + 1).replace(/\D.*/, ''));
  // OpenSSL's default security level excludes old suites; levels do not apply to TLS 1.3.
  const wanted = maxVersion === 'TLSv1.3' ? ciphers : `${ciphers}:@SECLEVEL=0`;
  const options = { ciphers: wanted, minVersion, maxVersion, rejectUnauthorized: false };
  const socket = connect({
    host: '127.0.0.1',
    servername: 'localhost',
    port,
    ALPNProtocols: ['h2', 'http/1.1'],
    ...options,
  });
  try {
    await once(socket, 'secureConnect');
    return `${socket.getProtocol()} ${socket.getCipher().name}`;
  } catch {
    return undefined;
  } finally {
    socket.destroy();
  }
}

async function httpsHost(t: ExecutionContext, ...argv: string[]) {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-tls-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const certificate = join(dir, 'cert.pem');
  const key = join(dir, 'key.pem');
  await copyFile(join(TLS, 'cert.pem'), certificate);
  await copyFile(join(TLS, 'key.pem'), key);
  const files = ['--https-certificate-file', certificate, '--https-certificate-key-file', key];
  const host = await startHost(t, { realms: [testRealm('demo')], argv: ['--https-port', '0', ...files, ...argv] });
  return { host, certificate };
}

test('T309 · TLS: TLS takes neither CBC nor a key exchange without forward secrecy nor old versions, also after a new certificate', async (t) => {
  const { host, certificate } = await httpsHost(t);
  const grpc = await booksHost(t, SERVER_TLS);
  const refused = async (address: string) => {
    t.is(await agreed(address, CBC), undefined, address);
    t.is(await agreed(address, NO_FORWARD_SECRECY), undefined, address);
    t.is(await agreed(address, `${GOOD}:${CBC}`, 'TLSv1.1', 'TLSv1'), undefined, address);
    t.regex((await agreed(address, `${CBC}:${GOOD}`)) ?? '', /^TLSv1\.2 ECDHE-\w+-AES256-GCM-SHA384$/, address);
    t.is(await agreed(address, 'TLS_AES_128_GCM_SHA256', 'TLSv1.3'), 'TLSv1.3 TLS_AES_128_GCM_SHA256', address);
  };
  await refused(host.url);
  await refused(addressOf(grpc));
  const renewed = new Date(Date.now() + 60_000);
  await utimes(certificate, renewed, renewed);
  while (!host.log.some(({ message }) => message === 'certificate reloaded')) await new Promise(setImmediate);
  await refused(host.url);
});

test('T309 · TLS: an operator names suites and versions, for https and gRPC', async (t) => {
  const suites = [
    '--https-cipher-suites',
    'TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256,TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256',
  ];
  const { host: old } = await httpsHost(t, ...suites);
  t.regex((await agreed(old.url, CBC)) ?? '', /^TLSv1\.2 ECDHE-\w+-AES128-SHA256$/);
  t.is(await agreed(old.url, GOOD), undefined);
  t.is(await agreed(old.url, 'TLS_AES_128_GCM_SHA256', 'TLSv1.3'), undefined);
  const newest = ['--https-protocols', 'TLSv1.3'];
  const { host } = await httpsHost(t, ...newest);
  const grpc = await booksHost(t, [...SERVER_TLS, ...newest]);
  for (const address of [host.url, addressOf(grpc)]) {
    t.is(await agreed(address, GOOD), undefined, address);
    t.is(await agreed(address, 'TLS_AES_256_GCM_SHA384', 'TLSv1.3'), 'TLSv1.3 TLS_AES_256_GCM_SHA384', address);
  }
});
