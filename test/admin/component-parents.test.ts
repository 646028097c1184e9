import test from 'ava';
import { adminCaller, startAdministered } from '../helpers/admin.js';
import { testRealm } from '../helpers/realms.js';

const KEYS = 'org.keycloak.keys.KeyProvider';
const STORAGE = 'org.keycloak.storage.UserStorageProvider';
const MAPPERS = 'org.keycloak.storage.ldap.mappers.LDAPStorageMapper';

async function scene(t: Parameters<typeof startAdministered>[0] & { is(a: unknown, b: unknown, m?: string): void }) {
  const host = await startAdministered(t, { realms: [testRealm('demo')] });
  const call = await adminCaller(host);
  const read = async (path: string) => JSON.parse((await call('GET', `/realms/demo${path}`)).text);
  const make = async (body: object) => {
    const answer = await call('POST', '/realms/demo/components', body);
    t.is(answer.status, 201, answer.text);
    return {
      id: answer.headers.get('location')?.split('/').pop() ?? '',
      ignored: answer.headers.get('keyhost-ignored'),
    };
  };
  return { call, read, make, realm: (await read('')).id as string };
}

test('components: a component has the realm, another component, or the given ID as its parent', async (t) => {
  const { read, make, realm } = await scene(t);
  const mapper = { name: 'm', providerId: 'user-attribute-ldap-mapper', providerType: MAPPERS };
  const { id: ldap } = await make({ name: 'ldap', providerId: 'ldap', providerType: STORAGE });
  const parents: [unknown, string][] = [
    [undefined, realm],
    [null, realm],
    [realm, realm],
    ['demo', realm],
    [ldap, ldap],
    ['nobody', 'nobody'],
    ['', ''],
  ];
  for (const [sent, shown] of parents) {
    const { id, ignored } = await make({ ...mapper, parentId: sent });
    t.is((await read(`/components/${id}`)).parentId, shown, String(sent));
    t.is(ignored, 'providerType', 'it is kept, and nothing here acts on it');
  }
  const count = async (query: string) => (await read(`/components?${query}`)).length as number;
  t.is(await count(`parent=${ldap}`), 1);
  t.is(await count('parent=nobody'), 1);
  t.is(await count(`parent=nobody&type=${KEYS}`), 0);
  t.is(await count(`type=${MAPPERS}`), 4, 'those of the realm itself');
  t.is(await count(`parent=&type=${MAPPERS}`), 4);
  t.is(await count(`parent=demo&type=${MAPPERS}`), 4);
  t.is(await count('name=m'), 7);
  t.is(await count('type=&name=m'), 7);
  t.is(await count('name=M'), 0);
});

test('components: a component can move, but not into itself, and is removed with its parent', async (t) => {
  const { call, read, make, realm } = await scene(t);
  const { id: ldap } = await make({ name: 'ldap', providerId: 'ldap', providerType: STORAGE });
  const { id } = await make({ name: 'm', providerId: 'user-attribute-ldap-mapper', providerType: MAPPERS });
  const put = async (body: object, which = id) => (await call('PUT', `/realms/demo/components/${which}`, body)).status;
  for (const [parentId, shown] of [
    ['nobody', 'nobody'],
    [realm, realm],
    ['later', 'later'],
    [ldap, ldap],
  ] as const) {
    t.is(await put({ parentId }), 204);
    const { parentId: now, name, providerType } = await read(`/components/${id}`);
    t.deepEqual([now, name, providerType], [shown, 'm', MAPPERS]);
  }
  t.is(await put({ providerId: 'full-name-ldap-mapper' }), 204);
  t.is((await read(`/components/${id}`)).providerId, 'full-name-ldap-mapper');
  t.is(await put({ providerId: 'full-nam-mapper' }), 400);
  t.is(await put({ parentId: id }, ldap), 400);
  t.is(await put({ parentId: ldap }, ldap), 400);
  t.is(await put({ providerType: KEYS }), 400);
  t.is((await call('DELETE', `/realms/demo/components/${ldap}`)).status, 204);
  t.is((await call('GET', `/realms/demo/components/${id}`)).status, 404);
});

test('components: a type or a provider that Keycloak does not know is refused in its words', async (t) => {
  const { call } = await scene(t);
  const bodies: object[] = [
    {},
    { providerId: 'rsa-generated' },
    { providerType: KEYS },
    { providerType: KEYS, providerId: 'no-such' },
    { providerType: 'org.x.Y', providerId: 'rsa-generated' },
    { providerType: '__proto__', providerId: 'x' },
    { providerType: 'constructor', providerId: 'name' },
  ];
  for (const body of bodies) {
    const { status, text } = await call('POST', '/realms/demo/components', { name: 'n', ...body });
    t.deepEqual([status, JSON.parse(text)], [400, { error: 'Invalid provider type or no such provider' }]);
  }
});

test('components: a component of a realm file whose parent is the realm belongs to the realm', async (t) => {
  const key = (parentId: string, priority: string) => ({
    name: parentId,
    parentId,
    providerId: 'rsa-generated',
    config: { priority: [priority] },
  });
  const components = { [KEYS]: [key('demo', '5'), key('nobody', '900')] };
  const host = await startAdministered(t, { realms: [testRealm('demo', { components })] });
  const call = await adminCaller(host);
  const { keys } = JSON.parse((await call('GET', '/realms/demo/keys')).text);
  t.like(keys, [{ providerPriority: 5 }]);
  t.is(keys.length, 1);
});
