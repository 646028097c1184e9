import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import test from 'ava';
import forge from 'node-forge';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { adminCaller, administered } from '../helpers/admin.js';
import { keyhost } from '../helpers/command.js';
import { fetchAnswer, inRealm, TestClock, type TestHost } from '../helpers/host.js';
import { introspect, logIn } from '../helpers/login.js';
import { folder } from '../helpers/process.js';
import { testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const KEYS = 'org.keycloak.keys.KeyProvider';
const HOUR = 3600;
const clock = new TestClock();
const shared = shareHost(test, administered({ realms: [], clock }));

const headerOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string };

/** The configuration of a key whose certificate is valid between two times, in seconds from now. */
function keyConfig(from: number, until: number, more: Record<string, string[]> = {}): Record<string, string[]> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey);
  certificate.serialNumber = '01';
  certificate.validity.notBefore = new Date(clock.now() + from * 1000);
  certificate.validity.notAfter = new Date(clock.now() + until * 1000);
  const name = [{ name: 'commonName', value: 'demo' }];
  certificate.setSubject(name);
  certificate.setIssuer(name);
  certificate.sign(forge.pki.privateKeyFromPem(privateKey), forge.md.sha256.create());
  const pem = forge.pki.certificateToPem(certificate);
  return { privateKey: [privateKey], certificate: [pem], priority: ['500'], algorithm: ['RS256'], ...more };
}

const component = (name: string, config: Record<string, string[]>) => ({ name, providerId: 'rsa', config });
const withKeys = (...configs: Record<string, string[]>[]) =>
  inRealm(shared(), (name): RealmRepresentation => {
    const components = { [KEYS]: configs.map((config, index) => component(`key ${index}`, config)) };
    return { ...testRealm(name), accessTokenLifespan: 10 * HOUR, ssoSessionIdleTimeout: 20 * HOUR, components };
  });

async function keysOf(host: TestHost) {
  const call = await adminCaller(host);
  const { json } = await call('GET', `/realms/${host.defaultRealm}/keys`);
  return json as unknown as {
    active: Record<string, string>;
    keys: { kid: string; status: string; algorithm: string }[];
  };
}
const warnings = (host: TestHost) =>
  host.log.filter(
    ({ message }) => message.startsWith(`realm ${host.defaultRealm}:`) && /certificate is not valid/.test(message),
  );

test.serial(
  'T858 · expired certificates: a key does not sign after its certificate has expired, and its signatures stay valid',
  async (t) => {
    const host = await withKeys(keyConfig(-HOUR, HOUR), keyConfig(2 * HOUR, 8 * HOUR));
    const first = await logIn(host);
    const { kid } = headerOf(first.access_token);
    const before = await keysOf(host);
    t.is(before.active.RS256, kid);
    const future = before.keys.find((key) => key.algorithm === 'RS256' && key.kid !== kid);
    t.is(future?.status, 'PASSIVE', 'not valid yet');
    clock.forward(HOUR + 1);
    const second = await logIn(host);
    const made = headerOf(second.access_token).kid;
    t.false([kid, future?.kid ?? ''].includes(made), 'another key was made');
    t.is(headerOf(second.id_token).kid, made);
    t.deepEqual((await introspect(host, first.access_token)).json.active, true);
    const after = await keysOf(host);
    t.is(after.active.RS256, made);
    t.is(after.keys.find((key) => key.kid === kid)?.status, 'PASSIVE');
    const { json } = await fetchAnswer(`${host.oidc(host.defaultRealm)}/certs`);
    const published = (json.keys as unknown as { kid: string }[]).map((key) => key.kid);
    t.true(published.includes(kid) && published.includes(made));
    // The order of the two depends on their names.
    const warned = warnings(host).map(({ fields }) => (fields as { kid?: string }).kid);
    t.deepEqual(warned.toSorted(), [kid, future?.kid].toSorted());
    // Now its certificate is valid.
    clock.forward(HOUR);
    t.is(headerOf((await logIn(host)).access_token).kid, future?.kid ?? '');
    host.keys.invalidate(host.defaultRealm);
    t.is(headerOf((await logIn(host)).access_token).kid, future?.kid ?? '');
    clock.forward(7 * HOUR);
    t.is(headerOf((await logIn(host)).access_token).kid, made, 'and none is made twice');
  },
);

test.serial(
  'T859 · expired certificates: an admin adds no key whose certificate is invalid, by either operation',
  async (t) => {
    const host = await withKeys(keyConfig(-HOUR, 100 * HOUR));
    const call = await adminCaller(host);
    const path = `/realms/${host.defaultRealm}/components`;
    const body = (config: Record<string, string[]>) => ({ ...component('new', config), providerType: KEYS });
    const uses = ['rsa', 'rsa-enc'];
    for (const providerId of uses) {
      const more: Record<string, string[]> = { algorithm: [providerId === 'rsa' ? 'RS256' : 'RSA-OAEP'] };
      for (const [from, until] of [
        [-2 * HOUR, -HOUR],
        [HOUR, 2 * HOUR],
      ] as const) {
        const { status, text } = await call('POST', path, { ...body(keyConfig(from, until, more)), providerId });
        t.is(status, 400, text);
        t.regex(text, /Certificate is not valid/);
      }
      t.is((await call('POST', path, { ...body(keyConfig(-HOUR, HOUR, more)), providerId })).status, 201);
    }
    const { json } = await call('GET', `${path}?type=${KEYS}`);
    const [own] = (json as unknown as { id: string; name: string }[]).filter(({ name }) => name === 'key 0');
    const changed = await call('PUT', `${path}/${own?.id}`, { ...own, config: keyConfig(-2 * HOUR, -HOUR) });
    t.is(changed.status, 400, changed.text);
    // The existing key can still be edited, even after it has expired.
    clock.forward(200 * HOUR);
    const again = await adminCaller(host);
    const put = await again('PUT', `${path}/${own?.id}`, { ...own, config: { priority: ['7'] } });
    t.is(put.status, 204, put.text);
    // A realm file may contain one; its check reports it.
    const components = { [KEYS]: [component('old', keyConfig(-9000 * HOUR, -8000 * HOUR))] };
    const dir = await folder(t, [testRealm('checked', { components })]);
    const { code, stdout } = await keyhost(['realm', 'check', join(dir, 'realms')]);
    t.is(code, 0, stdout);
    t.regex(stdout, /the certificate has expired on \d{4}-\d\d-\d\d: the key verifies, and does not sign \[warning\]/);
  },
);
