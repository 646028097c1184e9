import { generateKeyPairSync } from 'node:crypto';
import test from 'ava';
import { adminCaller, administered, ownRealm } from '../helpers/admin.js';
import { introspect, logIn, post, userinfo, WEB } from '../helpers/login.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));

const KEYS = 'org.keycloak.keys.KeyProvider';

test('T410 · key components: a key that another takes the place of verifies nothing any more: access, refresh and ID tokens', async (t) => {
  const { host } = await ownRealm(shared());
  const call = await adminCaller(host);
  const before = await logIn(host);
  const listed = JSON.parse((await call('GET', `/realms/${host.defaultRealm}/components?type=${KEYS}`)).text) as {
    id: string;
    name: string;
  }[];
  const change = async (name: string, config: Record<string, string[]>) => {
    const id = listed.find((one) => one.name === name)?.id;
    t.is((await call('PUT', `/realms/${host.defaultRealm}/components/${id}`, { config })).status, 204);
  };
  const refresh = () =>
    post(host, 'token', { ...WEB, grant_type: 'refresh_token', refresh_token: before.refresh_token });
  await change('rsa-generated', { keySize: ['3072'] });
  t.is((await userinfo(host, before.access_token)).status, 401);
  t.like((await introspect(host, before.access_token)).json, { active: false });
  t.is((await refresh()).status, 200, 'it is signed with another key');
  await change('hmac-generated-hs512', { secretSize: ['128'] });
  t.like((await refresh()).json, { error: 'invalid_grant' });
  const after = await logIn(host);
  t.is((await userinfo(host, after.access_token)).status, 200);
});

test('T411 · key components: a key with another parent is none of the realm, and is not stored', async (t) => {
  const { host } = await ownRealm(shared());
  const call = await adminCaller(host);
  const read = async (path: string) => JSON.parse((await call('GET', `/realms/${host.defaultRealm}${path}`)).text);
  const { keys: before } = await read('/keys');
  const pem = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'pem', type: 'pkcs8' });
  const make = async (body: object) => {
    const { status, headers, text } = await call('POST', `/realms/${host.defaultRealm}/components`, body);
    t.is(status, 201, text);
    return { id: headers.get('location')?.split('/').pop() ?? '', ignored: headers.get('keyhost-ignored') };
  };
  const { id: holder } = await make({ providerId: 'ldap', providerType: 'org.keycloak.storage.UserStorageProvider' });
  for (const parentId of ['nobody', holder]) {
    const config = { privateKey: [pem], priority: ['900'] };
    const { id, ignored } = await make({ name: 'k', providerId: 'rsa', providerType: KEYS, parentId, config });
    t.is(ignored, 'parentId');
    t.is((await call('PUT', `/realms/${host.defaultRealm}/components/${id}`, { name: 'kk', config })).status, 204);
    t.is((await read(`/components/${id}`)).name, 'kk');
  }
  t.deepEqual((await read('/keys')).keys, before);
  const exported = (await call('POST', `/realms/${host.defaultRealm}/partial-export`)).text;
  const stored = JSON.stringify(await host.store.realms.get(host.defaultRealm));
  for (const text of [stored, exported]) t.false(text.includes(String(pem).split('\n')[1] ?? ''));
  t.false(JSON.stringify(JSON.parse(exported).components).includes('nobody'), 'only what the realm leads to');
});
