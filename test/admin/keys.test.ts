import { generateKeyPairSync, randomBytes } from 'node:crypto';
import test from 'ava';
import * as jose from 'jose';
import { adminCaller, adminClient, administered, ownRealm, startAdministered } from '../helpers/admin.js';
import { fetchAnswer, type TestHost } from '../helpers/host.js';
import { logIn, userinfo } from '../helpers/login.js';
import { testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));

const KEYS = 'org.keycloak.keys.KeyProvider';

/** The key IDs of the signing keys. */
async function kids(host: TestHost): Promise<string[]> {
  const { json } = await fetchAnswer(`${host.oidc(host.defaultRealm)}/certs`);
  const { keys } = json as unknown as { keys: { kid: string; use: string }[] };
  return keys.filter(({ use }) => use === 'sig').map(({ kid }) => kid);
}

async function signedWith(host: TestHost): Promise<string> {
  return String(jose.decodeProtectedHeader((await logIn(host)).access_token).kid);
}

test('realm keys: keys are shown with their component, and without secrets', async (t) => {
  const { host } = await ownRealm(shared());
  const admin = await adminClient(host);
  const { active, keys = [] } = await admin.realms.getKeys({ realm: host.defaultRealm });
  t.deepEqual(Object.keys(active ?? {}).sort(), ['AES', 'HS512', 'RS256', 'RSA-OAEP']);
  const rsa = keys.find(({ algorithm }) => algorithm === 'RS256');
  t.like(rsa, { status: 'ACTIVE', type: 'RSA', use: 'SIG', providerPriority: 100, kid: active?.RS256 });
  t.truthy(await jose.importSPKI(`-----BEGIN PUBLIC KEY-----\n${rsa?.publicKey}\n-----END PUBLIC KEY-----`, 'RS256'));
  t.like(
    keys.find(({ algorithm }) => algorithm === 'HS512'),
    { type: 'OCT', publicKey: undefined },
  );
  const components = await admin.components.find({ realm: host.defaultRealm, type: KEYS });
  t.deepEqual(components.map(({ id }) => id).sort(), keys.map(({ providerId }) => providerId).sort());
  const realm = await admin.realms.findOne({ realm: host.defaultRealm });
  t.like(await admin.components.findOne({ realm: host.defaultRealm, id: rsa?.providerId ?? '' }), {
    providerId: 'rsa-generated',
    providerType: KEYS,
    parentId: realm?.id,
    config: { priority: ['100'], active: ['true'], enabled: ['true'], algorithm: ['RS256'] },
  });
});

test('realm keys: a new key of a higher priority signs, the old one verifies until it is disabled, and both can be reverted', async (t) => {
  const { host } = await ownRealm(shared());
  const admin = await adminClient(host);
  const old = (await logIn(host)).access_token;
  const oldKid = String(jose.decodeProtectedHeader(old).kid);
  const { id } = await admin.components.create({
    realm: host.defaultRealm,
    name: 'new key',
    providerId: 'rsa-generated',
    providerType: KEYS,
    config: { priority: ['200'], keySize: ['3072'], algorithm: ['RS256'] },
  });
  const newKid = await signedWith(host);
  t.not(newKid, oldKid);
  t.is((await userinfo(host, old)).status, 200);
  t.deepEqual(await kids(host), [newKid, oldKid]);
  const { keys = [] } = await admin.realms.getKeys({ realm: host.defaultRealm });
  t.like(
    keys.find(({ kid }) => kid === newKid),
    { providerId: id, providerPriority: 200, status: 'ACTIVE' },
  );

  const component = (await admin.components.findOne({ realm: host.defaultRealm, id })) ?? {};
  t.like(component, { name: 'new key', config: { keySize: ['3072'] } });
  const put = (config: Record<string, string[]>, name = 'new key') =>
    admin.components.update(
      { realm: host.defaultRealm, id },
      { ...component, name, config: { ...component.config, ...config } },
    );
  await put({ active: ['false'] });
  t.is(await signedWith(host), oldKid, 'passive: it verifies, and the other one signs');
  t.true((await kids(host)).includes(newKid));
  await put({ active: ['true'], priority: ['50'] }, 'renamed');
  t.is(await signedWith(host), oldKid, 'of the active keys that of the highest priority signs');
  t.is((await admin.components.findOne({ realm: host.defaultRealm, id }))?.name, 'renamed');

  const oldComponent = keys.find(({ kid }) => kid === oldKid)?.providerId ?? '';
  const disabled = { config: { enabled: ['false'] } };
  await admin.components.update({ realm: host.defaultRealm, id: oldComponent }, disabled);
  t.is((await userinfo(host, old)).status, 401, 'disabled: it verifies no more');
  t.deepEqual(await kids(host), [newKid]);
  await admin.components.update({ realm: host.defaultRealm, id: oldComponent }, { config: { enabled: ['true'] } });
  t.is((await userinfo(host, old)).status, 200);
  await admin.components.del({ realm: host.defaultRealm, id: oldComponent });
  t.is((await userinfo(host, old)).status, 401);
  t.deepEqual(await kids(host), [newKid]);
  t.falsy(await admin.components.findOne({ realm: host.defaultRealm, id: oldComponent }));
  const { keys: left = [] } = await admin.realms.getKeys({ realm: host.defaultRealm });
  t.deepEqual(
    left.map(({ kid }) => kid).filter((kid) => kid === oldKid),
    [],
  );
});

test('realm keys: keys of every type are generated or imported, and never returned', async (t) => {
  const { host } = await ownRealm(shared(), { adminEventsEnabled: true, adminEventsDetailsEnabled: true });
  const admin = await adminClient(host);
  const call = await adminCaller(host);
  const create = (providerId: string, config: Record<string, (string | null)[]> = {}) =>
    call('POST', `/realms/${host.defaultRealm}/components`, {
      name: providerId,
      providerId,
      providerType: KEYS,
      config,
    });
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = pair.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  const secret = randomBytes(64).toString('base64url');
  const made = [
    await create('ecdsa-generated', { ecdsaEllipticCurveKey: ['P-384'], priority: ['7'] }),
    await create('eddsa-generated', { active: [null] }),
    await create('hmac-generated', { algorithm: ['HS256'], secretSize: ['128'] }),
    await create('rsa-enc-generated', { enabled: ['false'] }),
    await create('rsa', { privateKey: [pem], algorithm: ['PS256'] }),
    await create('hmac-generated', { algorithm: ['HS384'], secret: [secret], kid: ['given'] }),
    await create('aes-generated', { secretSize: ['16'] }),
  ];
  for (const { status, text } of made) t.is(status, 201, text);
  const { keys = [] } = await admin.realms.getKeys({ realm: host.defaultRealm });
  const found = keys.map(({ algorithm, type, status, providerPriority }) => [
    algorithm,
    type,
    status,
    providerPriority,
  ]);
  t.deepEqual(found.filter(([, , , priority]) => priority !== 100).sort(), [
    ['AES', 'OCT', 'ACTIVE', 0],
    ['ES384', 'EC', 'ACTIVE', 7],
    ['EdDSA', 'OKP', 'ACTIVE', 0],
    ['HS256', 'OCT', 'ACTIVE', 0],
    ['HS384', 'OCT', 'ACTIVE', 0],
    ['PS256', 'RSA', 'ACTIVE', 0],
    ['RSA-OAEP', 'RSA', 'DISABLED', 0],
  ]);
  const imported = made[4]?.headers.get('location') ?? '';
  const shown = await call('GET', imported.slice(imported.indexOf('/realms')));
  t.deepEqual(JSON.parse(shown.text).config.privateKey, ['**********']);
  t.is((await call('PUT', imported.slice(imported.indexOf('/realms')), JSON.parse(shown.text))).status, 204);
  const again = await create('rsa', { privateKey: [pem], algorithm: ['PS256'] });
  t.is(again.status, 409);

  const refusals: [string, Record<string, string[]>, RegExp][] = [
    ['rsa', {}, /config\.privateKey: privateKey is missing/],
    ['rsa', { privateKey: ['nonsense'] }, /config\.privateKey: privateKey is not a PKCS#8/],
    ['rsa-generated', { keySize: ['1024'] }, /config\.keySize: .*2048/],
    ['rsa-generated', { algorithm: ['none'] }, /config\.algorithm: the algorithm \\"none\\" is not supported/],
    ['hmac-generated', { secretSize: ['8'] }, /config\.secretSize/],
    ['eddsa-generated', { eddsaEllipticCurveKey: ['Ed448'] }, /Ed448 is not supported/],
    ['rsa-genrated', {}, /no such provider \(did you mean \\"rsa-generated\\"/],
    ['java-keystore', {}, /Java keystore/],
    ['rsa-generated', { priority: ['high'] }, /config\.priority/],
  ];
  for (const [providerId, config, text] of refusals) {
    const answer = await create(providerId, config);
    t.is(answer.status, 400, answer.text);
    t.regex(answer.text, text);
    t.false(answer.text.includes('nonsense'));
  }
  const components = await call('GET', `/realms/${host.defaultRealm}/components`);
  const events = await call('GET', `/realms/${host.defaultRealm}/admin-events`);
  const stored = JSON.stringify(await host.store.realms.get(host.defaultRealm));
  const body = pem.split('\n')[1] ?? '';
  for (const text of [components.text, events.text, stored]) t.false(text.includes(body) || text.includes(secret));
});

test('realm keys: components of an import are stored with their keys, and others are created, changed and removed', async (t) => {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const exported = testRealm('demo', {
    components: {
      [KEYS]: [
        { name: 'rsa', providerId: 'rsa-generated', config: { priority: ['150'] } },
        {
          id: 'curve',
          name: 'curve',
          providerId: 'ecdsa-generated',
          config: {
            ecdsaPrivateKey: [pair.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')],
            ecdsaPublicKey: [pair.publicKey.export({ format: 'der', type: 'spki' }).toString('base64')],
            ecdsaEllipticCurveKey: ['P-256'],
          },
        },
      ],
    },
  });
  const host = await startAdministered(t, { realms: [exported] });
  const admin = await adminClient(host);
  const { keys = [] } = await admin.realms.getKeys({ realm: 'demo' });
  t.is(keys.find(({ algorithm }) => algorithm === 'ES256')?.providerId, 'curve');
  const listed = await admin.components.find({ realm: 'demo', type: KEYS });
  t.deepEqual(listed.map(({ name }) => name).sort(), ['curve', 'rsa'], 'a realm that names its keys has these');
  t.true(keys.some(({ providerId }) => providerId === listed.find(({ name }) => name === 'rsa')?.id));

  const storage = 'org.keycloak.storage.UserStorageProvider';
  const { id } = await admin.components.create({
    realm: 'demo',
    name: 'ldap',
    providerId: 'ldap',
    providerType: storage,
    config: { connectionUrl: ['ldap://x'], bindCredential: ['hidden'], vendor: [''] },
  });
  const ldap = await admin.components.findOne({ realm: 'demo', id });
  t.deepEqual(ldap?.config, { connectionUrl: ['ldap://x'], bindCredential: ['**********'] });
  await admin.components.update({ realm: 'demo', id }, { ...ldap, config: { ...ldap?.config, pagination: ['true'] } });
  const mapper = await admin.components.create({
    realm: 'demo',
    name: 'm',
    providerId: 'user-attribute-ldap-mapper',
    parentId: id,
    providerType: 'org.keycloak.storage.ldap.mappers.LDAPStorageMapper',
  });
  t.deepEqual(
    (await admin.components.find({ realm: 'demo', parent: id })).map((one) => one.id),
    [mapper.id],
  );
  t.deepEqual(
    (await admin.components.find({ realm: 'demo', name: 'ldap' })).map((one) => one.id),
    [id],
  );
  const representation = (await host.realms.get('demo'))?.representation;
  t.deepEqual(representation?.components?.[storage]?.[0]?.config, {
    connectionUrl: ['ldap://x'],
    bindCredential: ['hidden'],
    pagination: ['true'],
  });
  const call = await adminCaller(host);
  t.is((await call('GET', `/realms/demo/components/${id}/sub-component-types?type=x`)).text, '[]');
  const bad: [unknown, number][] = [
    [{ providerId: 'x' }, 400],
    [{ providerType: storage }, 400],
    [{ providerId: 'x', providerType: '__proto__' }, 400],
    [{ providerId: 'ldap', providerType: 'org.keycloak.Nothing' }, 400],
    [{ providerId: 'ldap', providerType: storage, id }, 409],
    [{ providerId: 'ldap', providerType: storage, config: { a: { b: 'text' } } }, 400],
  ];
  for (const [body, status] of bad) {
    t.is((await call('POST', '/realms/demo/components', body)).status, status, JSON.stringify(body));
  }
  t.is((await call('PUT', `/realms/demo/components/${id}`, { providerId: 'other' })).status, 400);
  await admin.components.del({ realm: 'demo', id });
  t.falsy(await admin.components.findOne({ realm: 'demo', id: mapper.id }), 'what stood in it is gone too');
  t.is((await call('DELETE', `/realms/demo/components/${id}`)).status, 404);
});
