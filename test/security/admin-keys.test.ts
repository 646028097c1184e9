import { generateKeyPairSync, randomBytes } from 'node:crypto';
import test from 'ava';
import { KEY_PROVIDER, KEY_PROVIDER_IDS, keyMaterialOf } from '../../core/keys/component-key.js';
import { adminCaller, administrator, startAdministered } from '../helpers/admin.js';
import { testRealm } from '../helpers/realms.js';

const der = (key: { export(options: object): unknown }) =>
  (key.export({ format: 'der', type: 'pkcs8' }) as Buffer).toString('base64');
/** Valid key material, by the member that holds it. */
const KNOWN: Readonly<Record<string, string>> = {
  privateKey: der(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey),
  ecdsaPrivateKey: der(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey),
  eddsaPrivateKey: der(generateKeyPairSync('ed25519').privateKey),
  secret: randomBytes(64).toString('base64url'),
};

test('T320 · escalation, keys: no key provider accepts a key from manage-realm alone, in any member', async (t) => {
  const users = [administrator('manager', 'manage-realm', 'view-realm'), administrator('whole', 'realm-admin')];
  const host = await startAdministered(t, { realms: [testRealm('demo', { users })] });
  const manager = await adminCaller(host, { realm: 'demo', username: 'manager', password: 'manager' });
  const whole = await adminCaller(host, { realm: 'demo', username: 'whole', password: 'whole' });
  const secrets = KEY_PROVIDER_IDS.flatMap((id) => keyMaterialOf(id).map((member) => [id, member] as const));
  t.true(secrets.length >= KEY_PROVIDER_IDS.length);
  await whole('GET', '/realms/demo/keys');
  const before = (await host.keys.realm('demo')).list().map(({ kid }) => kid);
  const { text } = await whole('POST', '/realms/demo/components', {
    name: 'made',
    providerType: KEY_PROVIDER,
    providerId: 'hmac-generated',
  });
  t.is(text, '');
  const made = JSON.parse((await whole('GET', '/realms/demo/components?name=made')).text) as { id: string }[];
  for (const [providerId, member] of secrets) {
    const config = { [member]: [KNOWN[member] ?? 'known'], priority: ['900'], kid: ['known'] };
    const key = { name: 'known', providerType: KEY_PROVIDER, providerId, config };
    t.is((await manager('POST', '/realms/demo/components', key)).status, 403, `${providerId} ${member}`);
    const changed = await manager('PUT', `/realms/demo/components/${made[0]?.id}`, { config });
    t.is(changed.status, 403, `${providerId} ${member}`);
    t.is((await manager('PUT', '/realms/demo', { components: { [KEY_PROVIDER]: [key] } })).status, 204);
    t.is((await manager('POST', '/realms/demo/partialImport', { components: { [KEY_PROVIDER]: [key] } })).status, 200);
  }
  t.is((await manager('PUT', '/realms/demo', { privateKey: KNOWN.privateKey })).status, 204);
  const kids = (await host.keys.realm('demo')).list().map(({ kid }) => kid);
  t.is(kids.length, before.length + 1, 'the generated one alone');
  t.false(kids.includes('known'));

  const config = { privateKey: [KNOWN.privateKey] };
  const brought = { name: 'brought', providerType: KEY_PROVIDER, providerId: 'rsa', config };
  t.is((await whole('POST', '/realms/demo/components', brought)).status, 201);
  const [shown] = JSON.parse((await manager('GET', '/realms/demo/components?name=brought')).text) as [{ id: string }];
  t.is((await manager('PUT', `/realms/demo/components/${shown.id}`, shown)).status, 204, 'masked, it is no key');
});

test('T320 · escalation, keys: in master realm roles do not replace admin: its keys sign the tokens of all admins', async (t) => {
  const master = { realm: 'master', enabled: true, users: [administrator('almost', 'realm-admin')] };
  const host = await startAdministered(t, { realms: [master] });
  const almost = await adminCaller(host, { username: 'almost', password: 'almost' });
  const key = { name: 'known', providerType: KEY_PROVIDER, providerId: 'eddsa-generated' };
  const config = { eddsaPrivateKey: [KNOWN.eddsaPrivateKey] };
  t.is((await almost('POST', '/realms/master/components', { ...key, config })).status, 403);
  t.is((await almost('POST', '/realms/master/components', key)).status, 201);
  t.is((await almost('POST', '/realms/master/partialImport', { clients: [{ clientId: 'x' }] })).status, 403);
  const root = await adminCaller(host);
  t.is((await root('POST', '/realms/master/components', { ...key, config })).status, 201);
});

test('T320 · escalation, keys: the console asks for each key as for a secret', async (t) => {
  const host = await startAdministered(t);
  const root = await adminCaller(host);
  const { componentTypes } = JSON.parse((await root('GET', '/serverinfo')).text) as {
    componentTypes: Record<string, { id: string; properties: { name: string; secret: boolean }[] }[]>;
  };
  const types = componentTypes[KEY_PROVIDER] ?? [];
  t.true(types.length > 0);
  for (const { id, properties } of types) {
    const material = properties.filter(({ name }) => keyMaterialOf(id).includes(name));
    t.true(
      material.every(({ secret }) => secret),
      id,
    );
  }
});
