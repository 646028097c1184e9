import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { adminCaller, startAdministered } from '../helpers/admin.js';
import { edit } from '../helpers/realm-files.js';

/** Values that a master admin must not learn: the host's environment, its files, and its secrets. */
const ENV = {
  HIDDEN_KEY: 'value-of-the-environment',
  IDP_SECRET: 'secret-of-the-provider',
  SMTP_PASSWORD: 'smtp-pass',
};
const FILE = 'content-of-a-file';
const VALUES = [...Object.values(ENV), FILE, 'literal-in-the-file'];

const DEMO: RealmRepresentation = {
  realm: 'demo',
  enabled: true,
  displayName: 'One',
  smtpServer: {
    host: 'mail.example.test',
    from: 'a@example.test',
    user: 'u',
    password: '${env.SMTP_PASSWORD}',
  },
  identityProviders: [
    {
      alias: 'partner',
      providerId: 'oidc',
      enabled: true,
      config: {
        issuer: 'https://partner.example.test',
        authorizationUrl: 'https://partner.example.test/auth',
        tokenUrl: 'https://partner.example.test/token',
        jwksUrl: 'https://partner.example.test/certs',
        useJwksUrl: 'true',
        clientId: 'us',
        clientSecret: '${env.IDP_SECRET}',
      },
    },
  ],
  clients: [{ clientId: 'a', secret: 'literal-in-the-file' }],
};

async function scene(t: Parameters<typeof startAdministered>[0]) {
  const host = await startAdministered(t, { realms: [DEMO], env: ENV });
  await writeFile(join(host.dir, 'secret.txt'), FILE);
  const call = await adminCaller(host);
  const send = async (what: 'plan' | 'demo/apply', document: unknown, query = '') => {
    const { status, text } = await call('POST', `/realm-files/${what}${query}`, JSON.stringify(document));
    return { status, text };
  };
  return { host, call, send };
}

const with_ = (change: (realm: RealmRepresentation & Record<string, never>) => void) => {
  const realm = structuredClone(DEMO);
  change(realm as never);
  return realm;
};
const provider = (realm: RealmRepresentation | undefined) =>
  realm?.identityProviders?.[0]?.config as Record<string, string>;

test('T433 · realm documents: a plan reveals nothing of the environment and of files, neither content nor existence', async (t) => {
  const { send } = await scene(t);
  const places: readonly ((reference: string) => unknown)[] = [
    (text) => ({ ...DEMO, displayName: text }),
    (text) => ({ ...DEMO, displayName: `x${text}y` }),
    (text) => ({ ...DEMO, sslRequired: text }),
    (text) => ({ ...DEMO, accessTokenLifespan: text }),
    (text) => ({ ...DEMO, passwordPolicy: text }),
    (text) => ({ ...DEMO, defaultGroups: [text], groups: [{ name: ENV.HIDDEN_KEY }] }),
    (text) => ({ ...DEMO, clients: [{ clientId: text }] }),
    (text) => ({ ...DEMO, providers: { [text]: {} } }),
    (text) => ({ ...DEMO, privateKey: text }),
    (text) => ({
      ...DEMO,
      components: {
        'org.keycloak.keys.KeyProvider': [{ name: 'k', providerId: 'rsa', config: { privateKey: [text] } }],
      },
    }),
    (text) => ({ ...DEMO, users: [{ username: text, email: text, credentials: [{ type: 'password', value: text }] }] }),
    (text) => ({ ...DEMO, realm: text }),
  ];
  const pairs = [
    ['${env.HIDDEN_KEY}', '${env.ABSENT_KEY}'],
    ['${env.HIDDEN_KEY:none}', '${env.ABSENT_KEY:none}'],
    ['${file.../secret.txt}', '${file.../absent.txt}'],
    ['${file./etc/passwd}', '${file./etc/nobody}'],
  ] as const;
  for (const [index, place] of places.entries()) {
    for (const [there, absent] of pairs) {
      const one = await send('plan', place(there));
      const other = await send('plan', place(absent));
      t.is(one.status, 200, `${index} ${there}: ${one.text}`);
      const neutral = (text: string) =>
        text.replace(/(secret|absent)\.txt|HIDDEN|ABSENT|hidden|absent|passwd|nobody/g, '?');
      // IDs in the plan are random.
      const plain = (text: string) => neutral(text).replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id');
      t.is(plain(one.text), plain(other.text), `${index} ${there}`);
      const own = index === 5 ? [ENV.IDP_SECRET, ENV.SMTP_PASSWORD, FILE] : VALUES;
      for (const value of own) t.false(one.text.includes(value), `${index} ${there}: ${value}`);
      t.false(one.text.includes('root:x:0'));
    }
  }
});

test('T434 · realm documents: a document with a reference that the file does not have at that place is not applied', async (t) => {
  const { host, send } = await scene(t);
  const documents = [
    with_((realm) => Object.assign(realm, { displayName: '${env.HIDDEN_KEY}' })),
    with_((realm) => Object.assign(realm, { displayName: '${env.IDP_SECRET}' })),
    with_((realm) => Object.assign(realm, { displayNameHtml: '**********' })),
    with_((realm) => Object.assign(realm, { displayName: '${file.../secret.txt}' })),
    with_((realm) => Object.assign(realm.clients?.[0] ?? {}, { clientId: 'evil', secret: '**********' })),
    with_((realm) => Object.assign(realm.identityProviders?.[0] ?? {}, { alias: 'evil' })),
    with_((realm) => Object.assign(provider(realm), { clientSecret: '${env.SMTP_PASSWORD}' })),
    with_((realm) => Object.assign(provider(realm), { clientId: '${env.IDP_SECRET}' })),
    with_((realm) => Object.assign(realm, { users: [{ username: '${env.HIDDEN_KEY}' }] })),
  ];
  for (const [index, document] of documents.entries()) {
    const { status, text } = await send('demo/apply', document);
    t.is(status, 400, `${index}: ${text}`);
    for (const value of VALUES) t.false(text.includes(value), `${index}: ${value}`);
  }
  t.is((await host.store.realms.get('demo'))?.version, 1);
});

test('T435 · realm documents: no secret that a document does not write out goes to another address', async (t) => {
  const { host, send } = await scene(t);
  const evil = 'https://evil.example.test/token';
  const documents = [
    with_((realm) => Object.assign(provider(realm), { tokenUrl: evil })),
    with_((realm) => Object.assign(provider(realm), { tokenUrl: evil, clientSecret: '**********' })),
    with_((realm) => {
      Object.assign(provider(realm), { tokenUrl: evil });
      delete provider(realm).clientSecret;
    }),
    with_((realm) => Object.assign(realm.smtpServer ?? {}, { host: 'evil.example.test' })),
    with_((realm) =>
      Object.assign(realm, { smtpServer: { host: 'evil.example.test', from: 'a@example.test', user: 'u' } }),
    ),
  ];
  for (const [index, document] of documents.entries()) {
    for (const query of ['', '?takeBack=true']) {
      const { status, text } = await send('demo/apply', document, query);
      t.is(status, 400, `${index}${query}: ${text}`);
      t.regex(text, /write the value|must be written out/, `${index}${query}`);
      const plan = await send('plan', document, query);
      t.regex(plan.text, /write the value|must be written out/, `${index}${query}`);
      for (const value of VALUES) t.false((text + plan.text).includes(value), `${index}${query}: ${value}`);
    }
  }
  // The URL is an edit that gave up the secret; the file's secret is not sent to the new URL.
  await edit(host, 'demo', (realm) => Object.assign(provider(realm), { tokenUrl: evil, clientSecret: 'mine' }));
  const { status } = await send(
    'demo/apply',
    with_((realm) => Object.assign(provider(realm), { tokenUrl: evil })),
    '?takeBack=true',
  );
  t.is(status, 400);
  t.is(provider((await host.store.realms.get('demo'))?.representation).clientSecret, 'mine');
  const back = await send('demo/apply', DEMO, '?takeBack=true');
  t.is(back.status, 200, back.text);
  const now = provider((await host.store.realms.get('demo'))?.representation);
  t.deepEqual([now.clientSecret, now.tokenUrl], [ENV.IDP_SECRET, 'https://partner.example.test/token']);
});

test('T436 · realm documents: no file but the realm’s own is read, whatever is asked for', async (t) => {
  const { call } = await scene(t);
  for (const name of ['..%2fsecret', '..%2f..%2f..%2fetc%2fpasswd', 'demo.json', '%00', 'secret.txt']) {
    for (const path of [name, `${name}/export`]) {
      const { status, text } = await call('GET', `/realm-files/${path}`);
      t.true([400, 404].includes(status), `${path}: ${status}`);
      t.false(text.includes(FILE) || text.includes('root:x:0'));
    }
    t.is((await call('POST', `/realm-files/plan?realm=${name}`)).status === 404 || name === '%00', true, name);
  }
});
