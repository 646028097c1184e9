import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import type { ClientRepresentation, ClientScopeRepresentation } from '../../core/model/representation.js';
import { adminCaller, administered, administrator } from '../helpers/admin.js';
import { startHost } from '../helpers/host.js';
import { testRealm } from '../helpers/realms.js';
import { shareStarted } from '../helpers/shared-host.js';

const demo = testRealm('demo');
demo.users?.push(
  administrator('viewer', 'view-clients'),
  administrator('maker', 'create-client'),
  administrator('nobody'),
);

const scene = shareStarted(test, async (scope) => ({
  host: await startHost(scope, administered({ realms: [demo] })),
}));

interface Needed {
  readonly client: ClientRepresentation;
  readonly clientScopes: ClientScopeRepresentation[];
}

interface Told {
  readonly blocks: { kind: string; text: string; language?: string }[];
  readonly secret?: string;
  readonly framework?: string;
  readonly signInEvents?: string[];
  readonly realmFile: { clients: ClientRepresentation[] };
}

test('connect an app: every framework and kind has a client that POST /clients accepts, and instructions with its values', async (t) => {
  const call = await adminCaller(scene().host);
  const { kinds, frameworks } = (await call('GET', '/realms/demo/apps/frameworks')).json as unknown as {
    kinds: { id: string; redirects: boolean }[];
    frameworks: { id: string; kind: string }[];
  };
  t.true(frameworks.length >= 20 && kinds.length === 6);
  const apps = [
    ...frameworks.map(({ id, kind }) => ({ framework: id, kind })),
    ...kinds.map(({ id }) => ({ framework: undefined, kind: id })),
  ];
  for (const { framework, kind } of apps) {
    const name = `App of ${framework ?? kind}!`;
    const app = { kind, framework, name, groups: true, productionUrl: 'https://shop.example.com/' };
    const { status, json, text } = await call('POST', '/realms/demo/apps/client', app);
    t.is(status, 200, text);
    const { client, clientScopes } = json as unknown as Needed;
    t.is(client.clientId, `app-of-${framework ?? kind}`);
    for (const scope of clientScopes) t.is((await call('POST', '/realms/demo/client-scopes', scope)).status, 201);
    const made = await call('POST', '/realms/demo/clients', client);
    t.is(made.status, 201, made.text);
    t.is(made.headers.get('keyhost-ignored'), null);
    const path = `/realms/demo/clients/${made.headers.get('location')?.split('/').pop()}`;
    const answer = await call('GET', `${path}/instructions`);
    t.is(answer.status, 200, answer.text);
    t.regex(answer.headers.get('cache-control') ?? '', /no-store/);
    const told = answer.json as unknown as Told;
    t.is(told.framework, framework);
    const codes = kind === 'native' ? ['CODE_TO_TOKEN', 'OAUTH2_DEVICE_CODE_TO_TOKEN'] : ['CODE_TO_TOKEN'];
    const ends = [...(kind === 'machine' ? ['CLIENT_LOGIN'] : codes), 'LOGIN'];
    t.deepEqual(told.signInEvents, kind === 'api' ? undefined : ends);
    const shown = told.blocks.map((block) => block.text).join('\n');
    t.true(shown.includes(client.clientId) || (framework === undefined && told.blocks.length > 0), name);
    if (framework === undefined && kind === 'web-app') {
      const issuer = `${scene().host.publicUrl}/realms/demo`;
      const secret = `OIDC_CLIENT_SECRET=${told.secret}`;
      const redirect = 'OIDC_REDIRECT_URI=http://localhost:3000/callback';
      t.is(
        told.blocks[1]?.text,
        [`OIDC_ISSUER=${issuer}`, 'OIDC_CLIENT_ID=app-of-web-app', secret, redirect].join('\n'),
      );
    }
    t.notRegex(shown, /client create --realm|\]\(|^```/m, name);
    const { value } = (await call('GET', `${path}/client-secret`)).json as { value?: string };
    t.is(told.secret, client.publicClient ? undefined : value);
    t.notRegex(JSON.stringify(told.realmFile), /"secret"|"id"/);
    t.is(told.realmFile.clients[0]?.clientId, client.clientId);
  }
});

test('connect an app: URLs and options are checked, and errors name them', async (t) => {
  const call = await adminCaller(scene().host);
  const needed = async (app: object) => {
    const { status, json, text } = await call('POST', '/realms/demo/apps/client', app);
    t.is(status, 200, text);
    return json as unknown as Needed;
  };
  const urls = { url: 'http://localhost:4000/', productionUrl: 'https://shop.example.com' };
  const { client } = await needed({ framework: 'express', name: 'Shop', ...urls, audiences: ['orders'] });
  t.deepEqual(client.redirectUris, ['http://localhost:4000/callback', 'https://shop.example.com/callback']);
  t.is(
    client.attributes?.['post.logout.redirect.uris'],
    'http://localhost:4000##http://localhost:4000/##https://shop.example.com##https://shop.example.com/',
  );
  t.like(client.protocolMappers?.[0], { config: { 'included.client.audience': 'orders' } });
  for (const kind of ['web-app', 'single-page-app', 'software'])
    t.deepEqual((await needed({ kind, name: 'Any' })).client.redirectUris, ['http://localhost:3000/callback']);
  const own = { redirectUris: ['com.example.app:/cb'], postLogoutRedirectUris: [] };
  t.like((await needed({ kind: 'native', name: 'Phone', ...own })).client, { redirectUris: own.redirectUris });
  t.is((await needed({ kind: 'machine', name: 'x', url: 'no URL' })).client.rootUrl, undefined);
  for (const [name, clientId] of [
    ['Käse & Brot', 'kase-brot'],
    ['Straße 7', 'strasse-7'],
    ['Smørrebrød', 'smorrebrod'],
  ]) {
    t.is((await needed({ kind: 'machine', name })).client.clientId, clientId ?? '');
  }

  for (const [app, pointer, said] of [
    [{ name: 'x' }, '/kind', /a kind or a framework is required/],
    [{ name: 'x', framework: 'expres' }, '/framework', /unknown framework expres/],
    [{ name: 'x', framework: 'express', kind: 'native' }, '/kind', /express is of the kind web-app/],
    [{ name: '!!', kind: 'machine' }, '/name', /must contain a letter or a digit/],
    [{ name: 'x', kind: 'machine', clientId: 'a b' }, '/clientId', /"a b" has other characters/],
    [
      { name: 'x', kind: 'web-app', url: 'javascript:alert(1)' },
      '/url',
      /is not the URL of an app: use a URL such as http:\/\/localhost:3000$/,
    ],
    [{ name: 'x', kind: 'web-app', productionUrl: 'shop' }, '/productionUrl', /"shop" is not the URL/],
    [{ name: 'x', kind: 'native', redirectUris: ['http://a/#b'] }, '/redirectUris', /without a fragment/],
    [{ name: 'x', kind: 'web-app', postLogoutRedirectUris: ['/'] }, '/postLogoutRedirectUris', /absolute URI/],
    [{ name: 'x', kind: 'machine', audiences: [' '] }, '/audiences/0', /must be a client ID/],
    [{ name: 'x', kind: 'machine', offlineAccess: true }, '/offlineAccess', /requires an app to which users sign in/],
  ] as const) {
    const { status, json } = await call('POST', '/realms/demo/apps/client', app);
    const { errors } = json as unknown as { errors: { pointer: string; message: string }[] };
    t.is(status, 400, JSON.stringify(app));
    t.is(errors[0]?.pointer, pointer);
    t.regex(errors[0]?.message ?? '', said);
  }
});

test('connect an app: values of a client cannot break out of quotes in the code that users run', async (t) => {
  const call = await adminCaller(scene().host);
  const evil = `a'; touch /tmp/x #"`;
  const odd = 'a b;c';
  const codeOf = async (client: object, framework: string) => {
    const made = await call('POST', '/realms/demo/clients', client);
    t.is(made.status, 201, made.text);
    const path = `/realms/demo/clients/${made.headers.get('location')?.split('/').pop()}`;
    const told = (await call('GET', `${path}/instructions?framework=${framework}`)).json as unknown as Told;
    await call('DELETE', path);
    return told.blocks.map(({ text }) => text).join('\n');
  };
  const machine = { serviceAccountsEnabled: true, standardFlowEnabled: false };
  for (const [framework, more] of [
    ['express', {}],
    ['none', machine],
    ['none', { publicClient: true }],
    ['none', { bearerOnly: true }],
    ['none', { redirectUris: [`https://a.example.com/';touch`] }],
  ] as const) {
    const code = await codeOf({ clientId: evil, secret: 'x`id`$(id)', ...more }, framework);
    t.notRegex(code, /touch|\$\(id\)/, framework);
    t.regex(code, /^Replace `CLIENT_ID` with the client ID\. Escape its special characters\.$/m);
  }
  t.regex(await codeOf({ clientId: odd, publicClient: true }, 'none'), /--realm demo --client-id 'a b;c'$/m);
  t.regex(await codeOf({ clientId: 'accents', secret: 'é+/%&', ...machine }, 'none'), /-u 'accents:é\+\/%&'/);
});

test('connect an app: a viewer sees instructions without the secret; a caller who only creates clients sees none of other clients', async (t) => {
  const { host } = scene();
  const root = await adminCaller(host);
  const made = await root('POST', '/realms/demo/clients', { clientId: 'quiet', secret: 'quiet-secret' });
  const path = `/realms/demo/clients/${made.headers.get('location')?.split('/').pop()}/instructions`;
  const [viewer, maker, nobody] = await Promise.all(
    ['viewer', 'maker', 'nobody'].map((username) => adminCaller(host, { realm: 'demo', username, password: username })),
  );
  const { status, text } = (await viewer?.('GET', `${path}?framework=express`)) ?? { status: 0, text: '' };
  t.is(status, 200);
  t.regex(text, /clientSecret: 'CLIENT_SECRET'/);
  t.false(text.includes('quiet-secret'));
  t.regex(
    (await root('GET', `${path}?framework=express&offlineAccess=true`)).text,
    /scope: 'openid profile email offline_access'/,
  );
  t.is((await root('GET', `${path}?framework=none`)).status, 200);
  t.is((await root('GET', `${path}?framework=expres`)).status, 400);
  const app = { name: 'x', kind: 'machine' };
  for (const [who, method, of, body, expected] of [
    [viewer, 'POST', '/realms/demo/apps/client', app, 403],
    [viewer, 'GET', '/realms/demo/apps/frameworks', undefined, 200],
    [maker, 'POST', '/realms/demo/apps/client', app, 200],
    [maker, 'GET', '/realms/demo/apps/frameworks', undefined, 200],
    [maker, 'GET', path, undefined, 403],
    [nobody, 'GET', '/realms/demo/apps/frameworks', undefined, 403],
    [nobody, 'POST', '/realms/demo/apps/client', app, 403],
  ] as const) {
    t.is((await who?.(method, of, body))?.status, expected, `${method} ${of}`);
  }
});

test('connect an app: a realm file with the fragment of the instructions is in sync with the realm', async (t) => {
  const host = await startHost(t, administered({ realms: [testRealm('demo')] }));
  const call = await adminCaller(host);
  const file = join(host.dir, 'realms/demo.json');
  const realm = JSON.parse(await readFile(file, 'utf8'));
  const apps = [
    { framework: 'grafana', name: 'Charts', groups: true },
    ...['web-app', 'single-page-app', 'native', 'machine', 'api', 'software'].map((kind) => ({ kind, name: kind })),
  ];
  for (const app of apps) {
    const { client, clientScopes } = (await call('POST', '/realms/demo/apps/client', app)).json as unknown as Needed;
    for (const scope of clientScopes) await call('POST', '/realms/demo/client-scopes', scope);
    const made = await call('POST', '/realms/demo/clients', client);
    const { realmFile } = (
      await call('GET', `/realms/demo/clients/${made.headers.get('location')?.split('/').pop()}/instructions`)
    ).json as unknown as { realmFile: { clients: ClientRepresentation[]; clientScopes: object[] } };
    // Defaults are left out.
    if (app.name === 'web-app') {
      t.deepEqual(realmFile.clients, [
        {
          clientId: 'web-app',
          name: 'web-app',
          attributes: { 'post.logout.redirect.uris': 'http://localhost:3000##http://localhost:3000/' },
          baseUrl: 'http://localhost:3000',
          redirectUris: ['http://localhost:3000/callback'],
          rootUrl: 'http://localhost:3000',
        },
      ]);
    }
    realm.clients.push(...realmFile.clients);
    realm.clientScopes.push(...realmFile.clientScopes);
  }
  await writeFile(file, JSON.stringify(realm));
  const plan = await call('POST', '/realm-files/plan', JSON.stringify(realm));
  t.like((plan.json as unknown as { realms: object[] }).realms[0], { changes: [], conflicts: [], edits: [] });
});
