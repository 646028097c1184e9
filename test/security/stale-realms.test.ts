import { generateKeyPairSync } from 'node:crypto';
import test from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { adminCaller, administered, startAdministered } from '../helpers/admin.js';
import { fetchAnswer, startHost } from '../helpers/host.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));

const KEYS = 'org.keycloak.keys.KeyProvider';
const PRODUCTION = ['--hostname', 'https://id.example.test', '--http-enabled'];
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
const PKCS8 = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');
const PKCS1 = privateKey.export({ type: 'pkcs1', format: 'der' }).toString('base64');
const SHORT = Buffer.alloc(16, 7).toString('base64url');

const protects = { name: 'p', conditions: [{ 'anyclient-condition': {} }], profiles: [] };

test('T879 · stale realms: production takes no realm that loses a client policy which is on, by a file or over HTTP', async (t) => {
  const lost = (policy: object) => ({ realm: 'lost', enabled: true, clientPolicies: { policies: [policy] } });
  const realms = [lost({ ...protects, enable: true }) as unknown as RealmRepresentation];
  const error = await t.throwsAsync<Error & { code?: string }>(
    startHost(t, { realms, mode: 'start', argv: PRODUCTION }),
  );
  t.is(error?.code, 'production_unsafe');
  const host = await startAdministered(t, { realms: [], mode: 'start', argv: PRODUCTION });
  const call = await adminCaller(host);
  const profile = { name: 'p', executors: [{ 'secure-session': {} }] };
  for (const realm of [
    lost({ ...protects, enable: true }),
    lost({ ...protects, enabled: true }),
    lost({ name: 'builtin-default-policy', builtin: true, enable: true }),
    lost({ ...protects, builtin: false, enabled: 'true' }),
    { realm: 'lost', clientProfiles: { profiles: [profile] } },
  ]) {
    const answer = await call('POST', '/realms', realm);
    t.is(answer.status, 400, JSON.stringify(realm));
    t.regex(
      answer.text,
      /is left out: (its (conditions|executors) are those of Keycloak 13|Keycloak 14 and later have no built-in)/,
    );
  }
  t.is((await call('GET', '/realms/lost')).status, 404);
  // A disabled component protects nothing.
  t.is((await call('POST', '/realms', lost({ ...protects, enable: false }))).status, 201);
});

test('T880 · stale realms: no key that is too weak signs, verifies or is published, however it comes', async (t) => {
  const call = await adminCaller(shared());
  const components = (providerId: string, config: object) => ({ [KEYS]: [{ name: 'k', providerId, config }] });
  const weak: readonly object[] = [
    { components: components('rsa', { privateKey: [PKCS8], active: ['false'] }) },
    { components: components('rsa', { privateKey: [PKCS1], algorithm: ['PS512'] }) },
    {
      components: components('rsa', {
        privateKey: [`-----BEGIN PRIVATE KEY-----\n${PKCS8}\n-----END PRIVATE KEY-----`],
      }),
    },
    { components: components('rsa-generated', { privateKey: PKCS8 }) },
    { components: components('rsa-enc', { privateKey: [PKCS8], algorithm: ['RSA-OAEP'] }) },
    { components: components('hmac-generated', { secret: [SHORT], kid: ['a'], algorithm: ['HS256'] }) },
    { privateKey: PKCS1 },
  ];
  for (const [index, part] of weak.entries()) {
    const realm = `weak-${index}`;
    const answer = await call('POST', '/realms', { realm, enabled: true, ...part });
    t.is(answer.status, 201, answer.text);
    t.truthy(answer.headers.get('keyhost-ignored'), realm);
    const { keys } = (await fetchAnswer(`${shared().oidc(realm)}/certs`)).json as unknown as { keys: { n?: string }[] };
    t.true(keys.length > 0);
    t.true(
      keys.every(({ n }) => n === undefined || Buffer.from(n, 'base64url').length >= 256),
      realm,
    );
    const stored = JSON.stringify((await call('GET', `/realms/${realm}/components`)).json);
    t.false(stored.includes(PKCS8) || stored.includes(SHORT), realm);
  }
  // A single component is rejected, so that the admin gets the error at once.
  for (const [providerId, config] of [
    ['rsa', { privateKey: [PKCS8] }],
    ['rsa-generated', { keySize: ['1024'] }],
    ['hmac-generated', { secretSize: ['16'] }],
  ] as const) {
    const body = { name: 'w', providerType: KEYS, providerId, config };
    t.is((await call('POST', '/realms/weak-0/components', body)).status, 400, providerId);
  }
});
