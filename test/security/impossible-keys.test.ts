import test from 'ava';
import { keysToGenerate } from '../../core/keys/default-keys.js';
import { adminCaller, administered, ownRealm } from '../helpers/admin.js';
import { startHost } from '../helpers/host.js';
import { testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));
const KEY = 'org.keycloak.keys.KeyProvider';

/** Components that request a key which cannot be generated, and the invalid member. */
const IMPOSSIBLE = [
  ['rsa-generated', { algorithm: ['NOPE'] }, 'algorithm'],
  ['rsa-generated', { algorithm: ['__proto__'] }, 'algorithm'],
  ['hmac-generated', { algorithm: ['none'] }, 'algorithm'],
  ['rsa-enc-generated', { algorithm: ['NOPE'] }, 'algorithm'],
  ['rsa-generated', { keyUse: ['ENC'], algorithm: ['NOPE'] }, 'algorithm'],
  ['ecdsa-generated', { ecdsaEllipticCurveKey: ['NOPE'] }, 'ecdsaEllipticCurveKey'],
  ['eddsa-generated', { eddsaEllipticCurveKey: ['Ed448'] }, 'eddsaEllipticCurveKey'],
  ['ecdh-generated', { ecdhAlgorithm: ['NOPE'] }, 'ecdhAlgorithm'],
  ['ecdh-generated', { ecdhEllipticCurveKey: ['NOPE'] }, 'ecdhEllipticCurveKey'],
  ['rsa-generated', { priority: ['first'] }, 'priority'],
] as const;
/**
 * Sizes of older Keycloaks: a document with them gets new keys (config/stale-members), but a new component is rejected.
 */
const OUTDATED = [
  ['aes-generated', { secretSize: ['7'] }],
  ['rsa-generated', { keySize: ['1024'] }],
] as const;
const componentsOf = (providerId: string, config: object) => ({
  [KEY]: [
    { name: 'rsa', providerId: 'rsa-generated', config: {} },
    { name: 'impossible', providerId, config },
  ],
});

test('T813 · key components: an impossible key is refused at its place in a document, and no read of the realm fails', async (t) => {
  const { host } = await ownRealm(shared());
  const call = await adminCaller(host);
  const realm = `/realms/${host.defaultRealm}`;
  for (const [providerId, config, member] of IMPOSSIBLE) {
    const what = `${providerId} ${JSON.stringify(config)}`;
    const components = componentsOf(providerId, config);
    const sent = await call('POST', `/realm-files/${host.defaultRealm}/apply`, {
      realm: host.defaultRealm,
      components,
    });
    t.is(sent.status, 400, what);
    t.regex(sent.text, new RegExp(`"pointer":"/components/[^"]*/config/${member}"`), what);
    const made = await call('POST', '/realms', { realm: `${host.defaultRealm}-new`, components });
    t.is(made.status, 400, what);
    t.regex(made.text, new RegExp(`config\\.${member}`), what);
    const one = { name: 'impossible', providerId, providerType: KEY, config };
    t.is((await call('POST', `${realm}/components`, one)).status, 400, what);
    t.deepEqual(keysToGenerate([{ providerId, config: config as never }]), [], `${what}: stored by an older version`);
  }
  for (const [providerId, config] of OUTDATED) {
    const one = { name: 'outdated', providerId, providerType: KEY, config };
    t.is((await call('POST', `${realm}/components`, one)).status, 400, providerId);
    t.deepEqual(
      keysToGenerate([{ providerId, config: config as never }]),
      [],
      `${providerId}: stored by an older version`,
    );
  }
  for (const path of ['/keys', '/components', `/components?type=${KEY}`]) {
    t.is((await call('GET', `${realm}${path}`)).status, 200, path);
  }
  t.is((await call('POST', `${realm}/partial-export`)).status, 200);
});

test('T814 · key components: an impossible key prevents a realm file from being applied at the start', async (t) => {
  const [[providerId, config]] = IMPOSSIBLE;
  const realm = testRealm('demo', { components: componentsOf(providerId, config) });
  const error = await t.throwsAsync(startHost(t, { realms: [realm] }));
  const { problems } = error as unknown as { problems: { path: string; message: string }[] };
  t.regex(String(problems[0]?.path), /components.*config\.algorithm/);
  t.regex(String(problems[0]?.message), /"NOPE" is not supported/);
});
