import { createPrivateKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import test from 'ava';
import * as jose from 'jose';
import * as openid from 'openid-client';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { adminCaller, adminClient, administered, administrator, clientUuid, ownRealm } from '../helpers/admin.js';
import { keystoreFixture, type UploadTexts, uploader } from '../helpers/certificates.js';
import type { TestHost } from '../helpers/host.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));

const ATTRIBUTE = 'jwt.credential';
const BOSS = { username: 'boss', password: 'boss' };
const PASSWORDS = { keyPassword: 'key-pass', storePassword: 'store-pass' };

interface Credential {
  readonly privateKey?: string;
  readonly certificate?: string;
  readonly publicKey?: string;
  readonly kid?: string;
  readonly jwks?: string;
}

/** A realm with a client that authenticates with a key, and functions for the operations of its certificates. */
async function start(changes: Partial<RealmRepresentation> = {}) {
  const signer = { clientId: 'signer', clientAuthenticatorType: 'client-jwt', serviceAccountsEnabled: true };
  // Generating large keys takes long, so the realm's own admin gets tokens that live longer than those of master.
  const { host } = await ownRealm(shared(), ({ clients = [], users = [] }) => ({
    accessTokenLifespan: 1800,
    users: [...users, administrator(BOSS.username, 'realm-admin')],
    clients: [...clients, signer],
    ...changes,
  }));
  const id = await clientUuid(host, 'signer');
  const admin = await adminClient(host, { realm: host.defaultRealm, ...BOSS });
  const call = await adminCaller(host, { realm: host.defaultRealm, ...BOSS });
  const upload = await uploader(host, (await admin.getAccessToken()) ?? '', id);
  return {
    host,
    admin,
    id,
    generate: async () =>
      (await call('POST', `/realms/${host.defaultRealm}/clients/${id}/certificates/${ATTRIBUTE}/generate`))
        .json as Credential,
    read: async () => (await admin.clients.getKeyInfo({ id, attr: ATTRIBUTE })) as Credential,
    upload: (file: Buffer | string, texts: UploadTexts) => upload(`${ATTRIBUTE}/upload`, file, texts),
    uploadCertificate: (file: Buffer | string, texts: UploadTexts) =>
      upload(`${ATTRIBUTE}/upload-certificate`, file, texts),
    call: (method: string, path: string, body?: unknown) =>
      call(method, `/realms/${host.defaultRealm}/clients/${id}/certificates/${ATTRIBUTE}${path}`, body),
    attributes: async () => (await admin.clients.findOne({ id }))?.attributes ?? {},
  };
}

/** True if a library can authenticate as `signer` with the key. */
async function logsIn(host: TestHost, key: KeyObject, algorithm = 'RS256', kid?: string): Promise<boolean> {
  const signing = await jose.importPKCS8(key.export({ type: 'pkcs8', format: 'pem' }).toString(), algorithm);
  const options = { execute: [openid.allowInsecureRequests] };
  const proof = openid.PrivateKeyJwt(kid === undefined ? signing : { key: signing, kid });
  const config = await openid.discovery(new URL(host.realm(host.defaultRealm)), 'signer', undefined, proof, options);
  try {
    return (await openid.clientCredentialsGrant(config)).access_token !== '';
  } catch (error) {
    if ((error as { error?: string }).error === 'invalid_client') return false;
    throw error;
  }
}

const rsaKey = (privateKey = '') =>
  createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs1' });
const certificateOf = ({ certificate = '' }: Credential) => new X509Certificate(Buffer.from(certificate, 'base64'));

test('client keys: a generated key signs in, is read back, and comes as a keystore that OpenSSL opens', async (t) => {
  const { host, admin, id, generate, read, attributes } = await start();
  t.deepEqual(await read(), {});
  const made = await generate();
  t.deepEqual(Object.keys(made).sort(), ['certificate', 'privateKey']);
  t.deepEqual(await read(), made);
  const held = await attributes();
  t.is(held[`${ATTRIBUTE}.private.key`], made.privateKey);
  t.is(held[`${ATTRIBUTE}.certificate`], made.certificate);
  const certificate = certificateOf(made);
  const key = rsaKey(made.privateKey);
  t.is(certificate.subject, 'CN=signer');
  t.true(certificate.verify(certificate.publicKey));
  t.true(certificate.checkPrivateKey(key));
  t.is(certificate.publicKey.asymmetricKeyDetails?.modulusLength, 4096);
  const years = (Date.parse(certificate.validTo) - Date.parse(certificate.validFrom)) / (365.25 * 86_400_000);
  t.is(Math.round(years), 3);
  t.true(await logsIn(host, key));
  t.false(await logsIn(host, generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey));
  const config = { format: 'PKCS12', keyAlias: 'mine', ...PASSWORDS } as const;
  const keystore = Buffer.from(await admin.clients.downloadKey({ id, attr: ATTRIBUTE }, config));
  t.notThrows(() => createSecureContext({ pfx: keystore, passphrase: 'store-pass' }));
  t.throws(() => createSecureContext({ pfx: keystore, passphrase: 'key-pass' }));
});

test('client keys: a key generated for download is in the keystore alone, and uploaded again it is the same', async (t) => {
  const { host, admin, id, read, upload, uploadCertificate, attributes } = await start();
  const config = { format: 'PKCS12', keyAlias: 'mine', ...PASSWORDS, keySize: 2048, validity: 1 } as const;
  const generated = await admin.clients.generateAndDownloadKey({ id, attr: ATTRIBUTE }, config);
  const keystore = Buffer.from(generated);
  t.notThrows(() => createSecureContext({ pfx: keystore, passphrase: 'store-pass' }));
  const kept = await read();
  t.deepEqual(Object.keys(kept), ['certificate']);
  t.false(`${ATTRIBUTE}.private.key` in (await attributes()));
  const certificate = certificateOf(kept);
  t.is(certificate.publicKey.asymmetricKeyDetails?.modulusLength, 2048);
  t.true(Date.parse(certificate.validTo) - Date.now() < 367 * 86_400_000);
  const texts = { keystoreFormat: 'PKCS12', keyAlias: 'MINE', ...PASSWORDS };
  const again = (await upload(keystore, texts)).json as Credential;
  t.is(again.certificate, kept.certificate);
  t.true(await logsIn(host, rsaKey(again.privateKey)));
  t.deepEqual(await read(), again);
  t.deepEqual((await uploadCertificate(keystore, texts)).json as Credential, kept);
  t.deepEqual(await read(), kept);
});

test('client keys: keystores of OpenSSL and of Keycloak are read, with RSA and EC keys', async (t) => {
  const { host, upload, read } = await start();
  const stores = [
    { file: 'openssl.p12', keyAlias: 'app', storePassword: 'store-pass', algorithm: 'RS256', type: 'pkcs1' },
    { file: 'keycloak.p12', keyAlias: 'a', storePassword: 'sp', algorithm: 'RS256', type: 'pkcs1' },
    // Keycloak also reads it under this name.
    {
      file: 'keycloak.p12',
      keystoreFormat: 'JKS',
      keyAlias: 'a',
      storePassword: 'sp',
      algorithm: 'RS256',
      type: 'pkcs1',
    },
    { file: 'ec.p12', storePassword: 'store-pass', algorithm: 'ES256', type: 'sec1' },
  ] as const;
  for (const { file, algorithm, type, ...texts } of stores) {
    const { status, json } = await upload(await keystoreFixture(file), { keystoreFormat: 'PKCS12', ...texts });
    t.is(status, 200, file);
    const credential = json as Credential;
    t.deepEqual(await read(), credential, file);
    const key = createPrivateKey({ key: Buffer.from(credential.privateKey ?? '', 'base64'), format: 'der', type });
    t.true(await logsIn(host, key, algorithm), file);
  }
});

test('client keys: a certificate, a public key and a key set replace the previous one, and sign in', async (t) => {
  const { host, generate, upload, read, attributes } = await start();
  await generate();
  const pem = (await keystoreFixture('certificate.pem')).toString();
  const base64 = pem.replace(/-----[^-]+-----|\s/g, '');
  for (const file of [pem, base64]) {
    const { json } = await upload(file, { keystoreFormat: 'Certificate PEM' });
    t.deepEqual(json as Credential, { certificate: base64 });
    t.deepEqual(await read(), { certificate: base64 });
  }
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const publicPem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  t.deepEqual((await upload(publicPem, { keystoreFormat: 'Public Key PEM' })).json as Credential, {
    publicKey: publicPem,
  });
  t.true(await logsIn(host, privateKey));
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwks = JSON.stringify({
    keys: [
      { ...publicKey.export({ format: 'jwk' }), use: 'enc', kid: 'other' },
      { ...keys.publicKey.export({ format: 'jwk' }), use: 'sig', kid: 'mine' },
    ],
  });
  const spki = keys.publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  const shown = { publicKey: spki, kid: 'mine', jwks };
  t.deepEqual((await upload(jwks, { keystoreFormat: 'JSON Web Key Set' })).json as Credential, shown);
  t.deepEqual(await read(), shown);
  t.like(await attributes(), { 'use.jwks.string': 'true', 'jwks.string': jwks });
  t.false(`${ATTRIBUTE}.public.key` in (await attributes()));
  t.true(await logsIn(host, keys.privateKey, 'ES256', 'mine'));
  t.false(await logsIn(host, privateKey));
  const made = await generate();
  t.deepEqual(await read(), made);
  t.false('jwks.string' in (await attributes()));
  t.true(await logsIn(host, rsaKey(made.privateKey)));
});

test('client keys: input that cannot be read or written is an error with a code, and changes nothing', async (t) => {
  const { host, id, upload, read, call } = await start();
  const p12 = await keystoreFixture('openssl.p12');
  const pem = (await keystoreFixture('certificate.pem')).toString();
  const missing = await call('POST', '/download', { format: 'PKCS12', ...PASSWORDS });
  t.deepEqual([missing.status, missing.json], [404, { error: 'keypair not generated for client' }]);
  t.is((await upload(pem, { keystoreFormat: 'Certificate PEM' })).status, 200);
  const before = await read();
  const weak = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const privateSet = JSON.stringify({ keys: [privateKey.export({ format: 'jwk' })] });
  const refused: [string | Buffer, UploadTexts, number, RegExp][] = [
    [pem, {}, 400, /keystoreFormat cannot be null/],
    ['', { keystoreFormat: 'Certificate PEM' }, 400, /file cannot be empty/],
    [pem, { keystoreFormat: 'BCFKS' }, 406, /formats: \[JSON Web Key Set, .*PKCS12\].*keytool/],
    [pem, { keystoreFormat: 'JKS' }, 400, /error loading keystore.*not a PKCS12 keystore/],
    [Buffer.from('feed', 'hex'), { keystoreFormat: 'JKS' }, 400, /error loading keystore.*not a PKCS12 keystore/],
    ...['feedfeed00000002', 'cececece00000002'].flatMap((head) =>
      ['JKS', 'PKCS12'].map((keystoreFormat): [Buffer, UploadTexts, number, RegExp] => [
        Buffer.from(head, 'hex'),
        { keystoreFormat, storePassword: 'store-pass' },
        400,
        /error loading keystore.*is a Java keystore.*keytool -importkeystore -deststoretype PKCS12/,
      ]),
    ),
    [pem, { keystoreFormat: 'constructor' }, 406, /Not supported keystore format/],
    ['nonsense', { keystoreFormat: 'Certificate PEM' }, 400, /must be one certificate/],
    ['nonsense', { keystoreFormat: 'Public Key PEM' }, 400, /must be one public key/],
    [weak.publicKey.export({ type: 'spki', format: 'pem' }), { keystoreFormat: 'Public Key PEM' }, 400, /1024 bits/],
    [
      privateKey.export({ type: 'pkcs8', format: 'pem' }),
      { keystoreFormat: 'Public Key PEM' },
      400,
      /must be one public key/,
    ],
    ['nonsense', { keystoreFormat: 'JSON Web Key Set' }, 400, /certificate-not-found.*not a JSON Web Key Set/],
    ['null', { keystoreFormat: 'JSON Web Key Set' }, 400, /certificate-not-found.*not a JSON Web Key Set/],
    ['{"keys":[null]}', { keystoreFormat: 'JSON Web Key Set' }, 400, /certificate-not-found/],
    ['{"keys":[{"kty":"RSA"}]}', { keystoreFormat: 'JSON Web Key Set' }, 400, /certificate-not-found.*no public key/],
    [privateSet, { keystoreFormat: 'JSON Web Key Set' }, 400, /contains private keys/],
    ['nonsense', { keystoreFormat: 'PKCS12', storePassword: 'x' }, 400, /error loading keystore/],
    [p12, { keystoreFormat: 'PKCS12', storePassword: 'wrong' }, 400, /PKCS12 key store mac invalid/],
    [p12, { keystoreFormat: 'PKCS12' }, 400, /PKCS12 key store mac invalid/],
    [
      p12,
      { keystoreFormat: 'PKCS12', storePassword: 'store-pass', keyAlias: 'other' },
      400,
      /certificate-not-found.*not found in the keystore/,
    ],
  ];
  for (const [file, texts, status, words] of refused) {
    const answer = await upload(file, texts);
    t.is(answer.status, status, `${JSON.stringify(texts)} ${answer.text}`);
    t.regex(answer.text, words);
  }
  t.deepEqual(await read(), before);
  const words: [string, object, number, RegExp][] = [
    ['/download', {}, 400, /password-missing.*store password for jks download/],
    ['/generate-and-download', {}, 400, /password-missing.*key password for jks generation and download/],
    ['/generate-and-download', { keyPassword: 'k' }, 400, /store password for jks generation and download/],
    ['/download', { ...PASSWORDS, format: 'JKS' }, 406, /Supported keystore formats: \[PKCS12\]/],
    ['/download', PASSWORDS, 406, /Supported keystore formats: \[PKCS12\]/],
    ['/generate-and-download', { ...PASSWORDS, format: 'BCFKS' }, 406, /Supported keystore formats: \[PKCS12\]/],
    ['/generate-and-download', { ...PASSWORDS, format: 'PKCS12', keySize: 1024 }, 400, /keySize: must be one of 2048/],
    ['/generate-and-download', { ...PASSWORDS, format: 'PKCS12', validity: 1000 }, 400, /validity: must be at most/],
  ];
  for (const [path, body, status, expected] of words) {
    const answer = await call('POST', path, body);
    t.is(answer.status, status, `${path} ${answer.text}`);
    t.regex(answer.text, expected);
  }
  t.deepEqual(await read(), before);
  const ec = await upload(await keystoreFixture('ec.p12'), { keystoreFormat: 'PKCS12', storePassword: 'store-pass' });
  t.is(ec.status, 200);
  t.regex((await call('POST', '/download', { ...PASSWORDS, format: 'PKCS12' })).text, /written for RSA keys/);
  const root = await adminCaller(host);
  const nobody = await root('POST', `/realms/${host.defaultRealm}/clients/nobody/certificates/${ATTRIBUTE}/generate`);
  t.deepEqual([nobody.status, nobody.json], [404, { error: 'Could not find client' }]);
  const json = await root('POST', `/realms/${host.defaultRealm}/clients/${id}/certificates/${ATTRIBUTE}/upload`, {
    file: pem,
  });
  t.is(json.status, 415);
});

test('client keys: a keystore contains the certificate of a realm that has one, unless it is not requested', async (t) => {
  const fixture = await readFile(new URL('../../../test/fixtures/keycloak-rsa-key.json', import.meta.url), 'utf8');
  const { components } = JSON.parse(fixture) as RealmRepresentation;
  const { admin, id, upload } = await start({ components: components ?? {} });
  t.is((await upload(await keystoreFixture('certificate.pem'), { keystoreFormat: 'Certificate PEM' })).status, 200);
  const size = async (realmCertificate?: boolean) => {
    const config = {
      format: 'PKCS12',
      storePassword: 'store-pass',
      ...(realmCertificate === false ? { realmCertificate } : {}),
    };
    return Buffer.from(await admin.clients.downloadKey({ id, attr: ATTRIBUTE }, config)).length;
  };
  const whole = await size();
  const own = await size(false);
  t.true(own > 700);
  t.true(whole > own + 700);
});
