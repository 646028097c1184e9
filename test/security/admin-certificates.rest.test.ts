import { randomBytes } from 'node:crypto';
import test from 'ava';
import { adminCaller, administrator, clientUuid, startAdministered } from '../helpers/admin.js';
import { keystoreFixture, uploader } from '../helpers/certificates.js';
import { fetchAnswer, type TestHost } from '../helpers/host.js';
import { guardedRealm } from '../helpers/realms.js';
import { assertHealthy } from '../helpers/shared-host.js';

const ATTRIBUTE = 'jwt.credential';

function start(t: Parameters<typeof startAdministered>[0]): Promise<TestHost> {
  const { users = [], ...rest } = guardedRealm('demo');
  const managers = [
    administrator('manager', 'manage-clients', 'view-realm'),
    administrator('viewer', 'view-clients', 'view-realm'),
  ];
  const events = { adminEventsEnabled: true, adminEventsDetailsEnabled: true };
  return startAdministered(t, { realms: [{ ...rest, ...events, users: [...users, ...managers] }] });
}

const as = (host: TestHost, username: string) => adminCaller(host, { realm: 'demo', username, password: username });

async function uploaderAs(host: TestHost, username: string, client: string) {
  const form = { grant_type: 'password', client_id: 'admin-cli', username, password: username };
  const token = (await host.token('demo', form)).json.access_token ?? '';
  return { token: token as string, upload: await uploader(host, token, await clientUuid(host, client)) };
}

test('T420 · client keys: the private key of a client is for callers who may manage it, and in no event, log or export', async (t) => {
  const host = await start(t);
  const { upload } = await uploaderAs(host, 'manager', 'web');
  const texts = { keystoreFormat: 'PKCS12', storePassword: 'store-pass' };
  const { json, headers } = await upload(`${ATTRIBUTE}/upload`, await keystoreFixture('openssl.p12'), texts);
  const { privateKey = '', certificate } = json as Record<string, string>;
  t.true(privateKey.length > 1000);
  t.is(headers.get('cache-control'), 'no-store');
  const path = `/realms/demo/clients/${await clientUuid(host, 'web')}`;
  const manager = await as(host, 'manager');
  const viewer = await as(host, 'viewer');
  t.is((await manager('GET', `${path}/certificates/${ATTRIBUTE}`)).json.privateKey, privateKey);
  t.deepEqual((await viewer('GET', `${path}/certificates/${ATTRIBUTE}`)).json, {
    privateKey: '**********',
    certificate,
  });
  const config = { format: 'PKCS12', keyPassword: 'k', storePassword: 's' };
  for (const what of ['download', 'generate-and-download', 'generate']) {
    t.is((await viewer('POST', `${path}/certificates/${ATTRIBUTE}/${what}`, config)).status, 403, what);
  }
  const byViewer = (await uploaderAs(host, 'viewer', 'web')).upload;
  for (const what of ['upload', 'upload-certificate']) {
    t.is((await byViewer(`${ATTRIBUTE}/${what}`, 'x', { keystoreFormat: 'Certificate PEM' })).status, 403, what);
  }
  const root = await adminCaller(host);
  const answers = [
    await viewer('GET', path),
    await viewer('GET', '/realms/demo/clients'),
    await root('POST', '/realms/demo/partial-export?exportClients=true'),
    await root('GET', '/realms/demo/admin-events'),
  ];
  for (const { status, text } of answers) {
    t.is(status, 200);
    t.false(text.includes(privateKey));
  }
  const [told] = JSON.parse(answers[3]?.text ?? '') as { resourcePath: string; representation: string }[];
  t.regex(told?.resourcePath ?? '', /^clients\/[^/]+\/certificates\/jwt\.credential\/upload$/);
  t.deepEqual(JSON.parse(told?.representation ?? ''), { privateKey: '**********', certificate });
  t.false(JSON.stringify(host.log).includes(privateKey));
  const { clients } = JSON.parse(answers[2]?.text ?? '') as { clients: { clientId: string }[] };
  const again = { ifResourceExists: 'OVERWRITE', clients: clients.filter(({ clientId }) => clientId === 'web') };
  t.is((await root('POST', '/realms/demo/partialImport', again)).status, 200);
  const kept = await root('GET', `/realms/demo/clients/${await clientUuid(host, 'web')}/certificates/${ATTRIBUTE}`);
  t.is(kept.json.privateKey, privateKey, 'a mask that comes back is the key that is there');
  await assertHealthy(t, host);
});

test('T421 · client keys: manage-clients does not give the key of a client with more rights than the caller', async (t) => {
  const host = await start(t);
  const manager = await as(host, 'manager');
  const config = { format: 'PKCS12', keyPassword: 'k', storePassword: 's' };
  for (const client of ['realm-management', 'nl']) {
    const path = `/realms/demo/clients/${await clientUuid(host, client)}/certificates/${ATTRIBUTE}`;
    for (const what of ['generate', 'download', 'generate-and-download']) {
      t.is((await manager('POST', `${path}/${what}`, config)).status, 403, `${client} ${what}`);
    }
    const { upload } = await uploaderAs(host, 'manager', client);
    const pem = await keystoreFixture('certificate.pem');
    const answer = await upload(`${ATTRIBUTE}/upload-certificate`, pem, { keystoreFormat: 'Certificate PEM' });
    t.is(answer.status, 403, client);
  }
});

test('T422 · client keys: no upload is too much for the host: sizes, broken forms, and a keystore of millions of rounds', async (t) => {
  const host = await start(t);
  const { token, upload } = await uploaderAs(host, 'manager', 'web');
  const texts = { keystoreFormat: 'PKCS12', storePassword: 'sp' };
  const keystore = await keystoreFixture('keycloak.p12');
  // Its MAC takes 102,400 rounds; 8,388,607 have the same number of bytes.
  const rounds = Buffer.from('0203019000', 'hex');
  const slow = Buffer.from(keystore);
  Buffer.from('02037fffff', 'hex').copy(slow, keystore.lastIndexOf(rounds));
  const { status, text } = await upload(`${ATTRIBUTE}/upload`, slow, texts);
  t.is(status, 400);
  t.regex(text, /uses more than 1000000 rounds/);
  t.is((await upload(`${ATTRIBUTE}/upload`, randomBytes(300_000), texts)).status, 413);
  for (const size of [1, 100, 100_000]) {
    const answer = await upload(`${ATTRIBUTE}/upload`, randomBytes(size), texts);
    t.is(answer.status, 400, answer.text);
  }
  for (const cut of [1, 10, 500, 3000]) {
    t.is((await upload(`${ATTRIBUTE}/upload`, keystore.subarray(0, cut), texts)).status, 400, String(cut));
  }
  const deep = Buffer.concat([...Array(20_000).keys()].map(() => Buffer.from([0x30, 0x80])));
  t.is((await upload(`${ATTRIBUTE}/upload`, deep, texts)).status, 400);
  const nested = `{"keys":${'['.repeat(50_000)}`;
  t.is((await upload(`${ATTRIBUTE}/upload`, nested, { keystoreFormat: 'JSON Web Key Set' })).status, 400);
  const url = `${host.url}/admin/realms/demo/clients/${await clientUuid(host, 'web')}/certificates/${ATTRIBUTE}/upload`;
  const send = (type: string, body: string, headers: Record<string, string> = {}) =>
    fetchAnswer(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': type, ...headers },
      body,
    });
  t.is((await send('multipart/form-data', 'x')).status, 400);
  t.is((await send('multipart/form-data; boundary=b', '--b\r\nnonsense')).status, 400);
  t.is((await send('multipart/form-data; boundary=b', '')).status, 400);
  t.is((await send('application/json', '{}')).status, 415);
  t.is((await send('multipart/form-data; boundary=b', 'x', { 'content-encoding': 'gzip' })).status, 415);
  await assertHealthy(t, host);
});

test('T480 · client keys: the rounds of a keystore are counted over all that is in it, before they are gone through', async (t) => {
  const host = await start(t);
  const { upload } = await uploaderAs(host, 'manager', 'web');
  const forge = (await import('node-forge')).default;
  const pem = (await keystoreFixture('certificate.pem')).toString();
  const { privateKey } = forge.pki.rsa.generateKeyPair(2048);
  const keystoreWith = (count: number) => {
    const options = { algorithm: 'aes256', count, friendlyName: 'a' } as Parameters<
      typeof forge.pkcs12.toPkcs12Asn1
    >[3];
    const der = forge.pkcs12.toPkcs12Asn1(privateKey, [forge.pki.certificateFromPem(pem)], 'sp', options);
    return Buffer.from(forge.asn1.toDer(der).getBytes(), 'binary');
  };
  const texts = { keystoreFormat: 'PKCS12', storePassword: 'sp', keyAlias: 'a' };
  // Its key and its MAC take the same number of rounds.
  const { status, text } = await upload(`${ATTRIBUTE}/upload`, keystoreWith(300_000), texts);
  t.is(status, 400);
  t.regex(text, /the certificate does not match the key/);
  const dear = await upload(`${ATTRIBUTE}/upload`, keystoreWith(600_000), texts);
  t.is(dear.status, 400);
  t.regex(dear.text, /uses more than 1000000 rounds/);
  await assertHealthy(t, host);
});
