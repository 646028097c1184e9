import test, { type ExecutionContext } from 'ava';
import * as jose from 'jose';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { adminCaller, administered, ownRealm } from '../helpers/admin.js';
import { fetchAnswer, type TestHost } from '../helpers/host.js';
import { logIn, serviceToken, userinfo } from '../helpers/login.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));

const KEYS = 'org.keycloak.keys.KeyProvider';

interface Key {
  readonly kid: string;
  readonly algorithm: string;
  readonly providerId: string;
  readonly [member: string]: unknown;
}

async function scene(t: ExecutionContext, changes: Partial<RealmRepresentation> = {}) {
  const { host } = await ownRealm(shared(), changes);
  const call = await adminCaller(host);
  const read = async (path: string) => JSON.parse((await call('GET', path)).text);
  return {
    host,
    call,
    read,
    keys: async () =>
      (await read(`/realms/${host.defaultRealm}/keys`)) as { active: Record<string, string>; keys: Key[] },
    components: async () =>
      (await read(`/realms/${host.defaultRealm}/components?type=${KEYS}`)) as Record<string, unknown>[],
    async create(providerId: string, config: Record<string, string[]> = {}, more: object = {}) {
      const { headers, status, text } = await call('POST', `/realms/${host.defaultRealm}/components`, {
        name: providerId,
        providerId,
        providerType: KEYS,
        config,
        ...more,
      });
      t.is(status, 201, text);
      return headers.get('location')?.split('/').pop() ?? '';
    },
    put: async (id: string, config: Record<string, (string | null)[]>, more: object = {}) =>
      call('PUT', `/realms/${host.defaultRealm}/components/${id}`, { config, ...more }),
    async keyOf(id: string) {
      const { keys } = (await read(`/realms/${host.defaultRealm}/keys`)) as { keys: Key[] };
      return keys.find(({ providerId }) => providerId === id);
    },
  };
}

async function published(host: TestHost, realm = host.defaultRealm): Promise<(jose.JWK & { kid: string })[]> {
  return (await fetchAnswer(`${host.oidc(realm)}/certs`)).json.keys;
}

test('key components: a new realm lists Keycloak’s four keys before anything was signed', async (t) => {
  const { host, call, read } = await scene(t);
  t.is((await call('POST', '/realms', { realm: 'fresh', enabled: true })).status, 201);
  const listed = (await read(`/realms/fresh/components?type=${KEYS}`)) as Record<string, unknown>[];
  const { id } = await read('/realms/fresh');
  t.deepEqual(
    listed.map(({ name, providerId, providerType, parentId }) => [name, providerId, providerType, parentId]).sort(),
    [
      ['aes-generated', 'aes-generated', KEYS, id],
      ['hmac-generated-hs512', 'hmac-generated', KEYS, id],
      ['rsa-enc-generated', 'rsa-enc-generated', KEYS, id],
      ['rsa-generated', 'rsa-generated', KEYS, id],
    ],
  );
  const { active, keys } = (await read('/realms/fresh/keys')) as { active: Record<string, string>; keys: Key[] };
  t.deepEqual(Object.keys(active).sort(), ['AES', 'HS512', 'RS256', 'RSA-OAEP']);
  t.deepEqual(
    keys
      .map(({ algorithm, type, use, status, providerPriority }) => [algorithm, type, use, status, providerPriority])
      .sort(),
    [
      ['AES', 'OCT', 'ENC', 'ACTIVE', 100],
      ['HS512', 'OCT', 'SIG', 'ACTIVE', 100],
      ['RS256', 'RSA', 'SIG', 'ACTIVE', 100],
      ['RSA-OAEP', 'RSA', 'ENC', 'ACTIVE', 100],
    ],
  );
  t.deepEqual(keys.map(({ providerId }) => providerId).sort(), listed.map((one) => String(one.id)).sort());
  t.deepEqual(
    (await published(host, 'fresh')).map(({ kid, alg, use }) => [kid, alg, use]),
    [
      [active.RS256, 'RS256', 'sig'],
      [active['RSA-OAEP'], 'RSA-OAEP', 'enc'],
    ],
  );
  const again = (await read('/realms/fresh/keys')) as { active: Record<string, string> };
  t.deepEqual(again.active, active, 'they are made once');
});

test('key components: a realm that signs already gets the missing keys, and its tokens stay valid', async (t) => {
  const { host, keys } = await scene(t);
  const tokens = await logIn(host);
  const before = (await host.keys.realm(host.defaultRealm)).list().map(({ kid, algorithm }) => [algorithm, kid]);
  t.deepEqual(before.map(([algorithm]) => algorithm).sort(), ['HS512', 'RS256']);
  const { active } = await keys();
  t.deepEqual(Object.keys(active).sort(), ['AES', 'HS512', 'RS256', 'RSA-OAEP']);
  for (const [algorithm = '', kid] of before) t.is(active[algorithm], kid);
  t.is((await userinfo(host, tokens.access_token)).status, 200);
  t.is(jose.decodeProtectedHeader((await logIn(host)).access_token).kid, active.RS256);
});

test('key components: a realm that declares keys has these, in their sizes, and no others', async (t) => {
  const named = [{ name: 'mine', providerId: 'rsa-generated', config: { keySize: ['3072'], priority: ['7'] } }];
  const { host, keys, components, read, call } = await scene(t, { components: { [KEYS]: named } });
  const [rsa, ...more] = (await keys()).keys;
  t.deepEqual(more, []);
  t.like(rsa, { algorithm: 'RS256', providerPriority: 7 });
  t.is(jose.base64url.decode((await published(host))[0]?.n ?? '').length * 8, 3072);
  await logIn(host);
  const names = async () => (await components()).map(({ name }) => name).sort();
  t.deepEqual(await names(), ['fallback-HS512', 'mine'], 'what is needed all the same comes last');
  t.is((await keys()).keys.find(({ algorithm }) => algorithm === 'HS512')?.providerPriority, -100);
  const empty = { realm: 'empty', enabled: true, components: { [KEYS]: [] } };
  t.is((await call('POST', '/realms', empty)).status, 201);
  t.is((await read(`/realms/empty/components?type=${KEYS}`)).length, 4, 'an empty list names none');
});

test('key components: removed default keys stay removed, and a needed one comes back as a fallback', async (t) => {
  const { host, call, components } = await scene(t);
  for (const { id } of await components())
    t.is((await call('DELETE', `/realms/${host.defaultRealm}/components/${id}`)).status, 204);
  t.deepEqual(await components(), []);
  t.truthy(await serviceToken(host));
  t.deepEqual(
    (await components()).map(({ name }) => name),
    ['fallback-RS256'],
  );
});

test('key components: another size or curve is another key, and signatures of the old one are invalid', async (t) => {
  const { host, create, put, keyOf, keys, read, call } = await scene(t);
  const id = await create('rsa-generated', { priority: ['200'] });
  const first = await keyOf(id);
  const token = (await logIn(host)).access_token;
  t.is(jose.decodeProtectedHeader(token).kid, first?.kid);
  t.is((await put(id, { keySize: ['2048'] })).status, 204);
  t.is((await keyOf(id))?.kid, first?.kid, 'it has that size already');
  t.is((await put(id, { keySize: ['3072'] })).status, 204);
  const second = await keyOf(id);
  t.not(second?.kid, first?.kid);
  t.like(second, { status: 'ACTIVE', providerPriority: 200, algorithm: 'RS256' });
  t.is((await userinfo(host, token)).status, 401);
  t.is(jose.decodeProtectedHeader((await logIn(host)).access_token).kid, second?.kid);
  t.false((await published(host)).some(({ kid }) => kid === first?.kid));
  t.deepEqual((await read(`/realms/${host.defaultRealm}/components/${id}`)).config, {
    active: ['true'],
    enabled: ['true'],
    keySize: ['3072'],
    priority: ['200'],
  });
  t.is((await put(id, { kid: ['mine'], priority: ['300'] })).status, 204);
  t.like(await keyOf(id), { kid: second?.kid, providerPriority: 300 });

  const others: [string, Record<string, string[]>][] = [
    ['ecdsa-generated', { ecdsaEllipticCurveKey: ['P-384'] }],
    ['ecdh-generated', { ecdhEllipticCurveKey: ['P-521'] }],
    ['hmac-generated', { secretSize: ['256'] }],
    ['aes-generated', { secretSize: ['16'] }],
    ['rsa-enc-generated', { keySize: ['3072'] }],
  ];
  for (const [providerId, config, name] of [
    ['ecdh-generated', { ecdhEllipticCurveKey: ['constructor'] }, 'ecdhEllipticCurveKey'],
    ['ecdh-generated', { ecdhAlgorithm: ['RSA-OAEP'] }, 'ecdhAlgorithm'],
    ['rsa-enc-generated', { algorithm: ['ECDH-ES'] }, 'algorithm'],
    ['ecdsa-generated', { ecdsaEllipticCurveKey: ['toString'] }, 'ecdsaEllipticCurveKey'],
  ] as const) {
    const sent = { name: 'wrong', providerId, providerType: KEYS, config };
    const { status, text } = await call('POST', `/realms/${host.defaultRealm}/components`, sent);
    t.is(status, 400, text);
    t.regex(text, new RegExp(`config\\.${name}: `));
  }
  for (const [providerId, config] of others) {
    const one = await create(providerId);
    const before = await keyOf(one);
    t.truthy(before?.kid, providerId);
    t.is((await put(one, config)).status, 204);
    t.not((await keyOf(one))?.kid, before?.kid, providerId);
    t.false(
      (await keys()).keys.some(({ kid }) => kid === before?.kid),
      providerId,
    );
  }
});

test('key components: another algorithm is another use of the same key, if it fits', async (t) => {
  const { host, create, put, keyOf } = await scene(t);
  const id = await create('rsa-generated', { priority: ['200'] });
  const { kid } = (await keyOf(id)) ?? {};
  const token = (await logIn(host)).access_token;
  t.is((await put(id, { algorithm: ['PS256'] })).status, 204);
  t.like(await keyOf(id), { kid, algorithm: 'PS256' });
  t.is((await userinfo(host, token)).status, 401, 'a key is bound to its algorithm');
  t.is((await put(id, { algorithm: ['RS256'] })).status, 204);
  t.is((await userinfo(host, token)).status, 200);
  for (const algorithm of ['ES256', 'HS256', 'RSA-OAEP', 'none']) {
    t.is((await put(id, { algorithm: [algorithm] })).status, 400, algorithm);
  }
  for (const config of [{ keySize: ['1024'] }, { keySize: ['2047'] }, { priority: ['x'] }]) {
    t.is((await put(id, config as never)).status, 400, JSON.stringify(config));
  }
  t.like(await keyOf(id), { kid, algorithm: 'RS256', providerPriority: 200 });
});

test('key components: another private key replaces the imported one, with a kid of its own', async (t) => {
  const { host, create, put, keyOf, keys, call } = await scene(t, {
    adminEventsEnabled: true,
    adminEventsDetailsEnabled: true,
  });
  const pem = async () => jose.exportPKCS8((await jose.generateKeyPair('RS256', { extractable: true })).privateKey);
  const first = await pem();
  const second = await pem();
  const id = await create('rsa', { privateKey: [first], priority: ['5'], kid: ['mine'] });
  t.like(await keyOf(id), { kid: 'mine', algorithm: 'RS256', providerPriority: 5 });
  t.is((await put(id, { privateKey: ['**********'], algorithm: ['PS256'] })).status, 204);
  t.like(await keyOf(id), { kid: 'mine', algorithm: 'PS256' });
  t.is((await put(id, { privateKey: [second] })).status, 204);
  const key = await keyOf(id);
  t.like(key, { algorithm: 'PS256', providerPriority: 5 });
  t.not(key?.kid, 'mine');
  t.false((await keys()).keys.some(({ kid }) => kid === 'mine'));
  t.is((await put(id, { privateKey: ['nonsense'] })).status, 400);
  t.is((await keyOf(id))?.kid, key?.kid);
  const events = (await call('GET', `/realms/${host.defaultRealm}/admin-events?resourceTypes=COMPONENT`)).text;
  t.true(events.includes(`components/${id}`));
  t.false(events.includes(second.split('\n')[1] ?? ''));
});

test('key components: a partial export contains the keys’ settings, and creates new keys elsewhere', async (t) => {
  const { host, create, call, read, keys } = await scene(t);
  await create('ecdsa-generated', { ecdsaEllipticCurveKey: ['P-384'], priority: ['9'] });
  // Providers are left out, because their secrets are masked.
  const { providers: _, ...exported } = JSON.parse(
    (await call('POST', `/realms/${host.defaultRealm}/partial-export`)).text,
  );
  const kids = (await keys()).keys.map(({ kid }) => kid);
  for (const kid of kids) t.false(JSON.stringify(exported).includes(kid));
  const copy = { ...exported, id: 'copy', realm: 'copy' };
  t.is((await call('POST', '/realms', copy)).status, 201);
  const made = (await read('/realms/copy/keys')).keys as Key[];
  t.deepEqual(made.map(({ algorithm, providerPriority }) => [algorithm, providerPriority]).sort(), [
    ['AES', 100],
    ['ES384', 9],
    ['HS512', 100],
    ['RS256', 100],
    ['RSA-OAEP', 100],
  ]);
  t.false(made.some(({ kid }) => kids.includes(kid)));
});

test('key components: the console gets every key provider that a component can have, with its settings', async (t) => {
  const { call, create } = await scene(t);
  const { componentTypes } = JSON.parse((await call('GET', '/serverinfo')).text);
  const types = componentTypes[KEYS] as { id: string; properties: { name: string; defaultValue?: string }[] }[];
  for (const { id, properties } of types) {
    t.like(
      properties.find(({ name }) => name === 'priority'),
      { defaultValue: '0' },
    );
    if (!id.endsWith('-generated')) continue;
    const config = properties.flatMap(({ name, defaultValue }) => (defaultValue ? [[name, [defaultValue]]] : []));
    t.truthy(await create(id, Object.fromEntries(config)));
  }
  t.true(types.some(({ id }) => id === 'aes-generated'));
});
