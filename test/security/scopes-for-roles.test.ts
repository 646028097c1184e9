import test from 'ava';
import { DEFAULT_CLIENT_SCOPES } from '../../core/model/built-in-names.js';
import type { ClientScopeRepresentation, RealmRepresentation } from '../../core/model/representation.js';
import { adminCaller, administered, clientUuid } from '../helpers/admin.js';
import { freshCode, redeem } from '../helpers/codes.js';
import { approve, beginDevice, deviceRealm, poll } from '../helpers/device.js';
import { Browser, codeRequest, signIn } from '../helpers/form-browser.js';
import { type Answer, claimsOf, type TestHost } from '../helpers/host.js';
import { introspect, logIn, post, serviceToken, userinfo, WEB } from '../helpers/login.js';
import { pluginSource } from '../helpers/plugins.js';
import { ACCESS_TOKEN, ALICE, NAKED } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const KEN = 'ce400000-0000-4000-8000-00000000000a';
const LEA = 'ce400000-0000-4000-8000-00000000000b';
const PASSWORDS: Readonly<Record<string, string>> = { alice: 'Alice-pass-1!', ken: 'ken', lea: 'lea' };

/** A client scope with its own claim and audience. */
const scope = (name: string, attributes: Record<string, string> = {}): ClientScopeRepresentation => {
  const everywhere = {
    'access.token.claim': 'true',
    'id.token.claim': 'true',
    'userinfo.token.claim': 'true',
    'introspection.token.claim': 'true',
  };
  const mapper = (mapperName: string, protocolMapper: string, config: Record<string, string>) => ({
    name: mapperName,
    protocol: 'openid-connect',
    protocolMapper,
    config: { ...everywhere, ...config },
  });
  return {
    name,
    protocol: 'openid-connect',
    attributes: { 'consent.screen.text': `Open the ${name}`, ...attributes },
    protocolMappers: [
      mapper('claim', 'oidc-hardcoded-claim-mapper', { 'claim.name': `has_${name}`, 'claim.value': 'yes' }),
      mapper('audience', 'oidc-audience-mapper', { 'included.custom.audience': `${name}-api` }),
    ],
  };
};

/** `vault` is for keepers, `press` for editors of `web`; `open` is for all. */
function scopedRealm(): RealmRepresentation {
  const realm = deviceRealm('demo', {
    providers: {
      'realm-restapi-extension': { asks: { enabled: true } },
      'oauth2-grant-type': { 'urn:test:guest': { enabled: true } },
    },
  });
  const scopes = {
    defaultClientScopes: [...DEFAULT_CLIENT_SCOPES, 'vault', 'open'],
    optionalClientScopes: ['press', 'phone', 'offline_access', 'newsletterscope'],
  };
  const withScopes = ['web', 'web2', 'tv', 'svc', 'nl'];
  return {
    ...realm,
    clientScopes: [...(realm.clientScopes ?? []), scope('vault'), scope('press'), scope('open')],
    roles: {
      realm: [
        ...(realm.roles?.realm ?? []),
        { name: 'key' },
        { name: 'keeper', composites: { realm: ['key'] } },
        { name: 'subscriber' },
      ],
      client: { nl: [{ name: 'newsletter-token-issuer' }], web: [{ name: 'editor' }] },
    },
    scopeMappings: [
      { clientScope: 'vault', roles: ['keeper'] },
      { clientScope: 'newsletterscope', roles: ['subscriber'] },
      { clientScope: 'offline_access', roles: ['offline_access'] },
    ],
    clientScopeMappings: { web: [{ clientScope: 'press', roles: ['editor'] }] },
    clients: [
      ...(realm.clients ?? []).map((client) => ({
        ...client,
        ...(withScopes.includes(client.clientId) ? scopes : {}),
        ...(client.clientId === 'web'
          ? {
              redirectUris: ['http://127.0.0.1:9999/cb'],
              attributes: {
                ...client.attributes,
                'standard.token.exchange.enableRefreshRequestedTokenType': 'SAME_SESSION',
              },
            }
          : {}),
      })),
      { clientId: 'open-api', bearerOnly: true },
      {
        clientId: 'asks',
        publicClient: true,
        consentRequired: true,
        redirectUris: ['http://127.0.0.1:9999/cb'],
        ...scopes,
      },
    ],
    users: [
      ...(realm.users ?? []),
      {
        id: KEN,
        username: 'ken',
        enabled: true,
        credentials: [{ type: 'password', value: 'ken' }],
        realmRoles: ['keeper', 'subscriber', 'default-roles-demo'],
      },
      // Has only a part of the composite role.
      {
        id: LEA,
        username: 'lea',
        enabled: true,
        credentials: [{ type: 'password', value: 'lea' }],
        realmRoles: ['key', 'default-roles-demo'],
      },
    ],
  };
}

const guest = pluginSource(import.meta.url, 'plugins/guest.js');

const host = shareHost(
  test,
  administered({
    realms: [scopedRealm()],
    plugins: [{ module: 'guest' }],
    packages: { guest },
  }),
);

const as = (username: string) => ({ username, password: PASSWORDS[username] ?? '' });
const login = (username: string, scopes = 'openid') => logIn(host(), { ...as(username), scope: scopes });

/** The client scopes whose claims are present. */
const shown = (claims: object) => ['vault', 'press', 'open'].filter((name) => `has_${name}` in claims);
const addressed = (claims: { aud?: unknown }) =>
  [claims.aud ?? []].flat().filter((one) => String(one).endsWith('-api') && one !== 'newsletter-api');

/** The client scopes in a token response, by its scope, claims and audience. */
function given({ json }: Answer) {
  const claims = claimsOf(String(json.access_token)) as { aud?: unknown };
  const named = String(json.scope).split(' ');
  return [
    ['vault', 'press', 'open'].filter((name) => named.includes(name)),
    shown(claims),
    addressed(claims)
      .map((one) => String(one).replace('-api', ''))
      .sort(),
  ];
}

const same = (...names: string[]) => [names, names, [...names].sort()];

async function roleMapping(at: TestHost, method: 'POST' | 'DELETE', user: string, name: string) {
  const call = await adminCaller(at);
  const role = (await call('GET', `/realms/demo/roles/${name}`)).json;
  return (await call(method, `/realms/demo/users/${user}/role-mappings/realm`, [role])).status;
}

test.serial(
  'T830 · scopes with roles: a default client scope for a role is in no token of a user without it, by password and code',
  async (t) => {
    for (const [username, expected] of [
      ['alice', ['open']],
      ['ken', ['vault', 'open']],
    ] as const) {
      const byPassword = await host().token('demo', {
        ...WEB,
        grant_type: 'password',
        ...as(username),
        scope: 'openid',
      });
      t.deepEqual(given(byPassword), same(...expected), username);
      const { url, verifier } = codeRequest(host());
      const back = await signIn(new Browser(), url, as(username));
      const code = back.location?.searchParams.get('code') ?? '';
      const byCode = await redeem(host(), { code, verifier, session: '' });
      t.deepEqual(given(byCode), same(...expected), username);
      t.deepEqual(shown(claimsOf(String(byCode.json.id_token))), [...expected]);
      const token = String(byCode.json.access_token);
      t.deepEqual(shown((await userinfo(host(), token)).json), [...expected]);
      t.deepEqual(shown((await introspect(host(), token)).json), [...expected]);
    }
  },
);

test.serial(
  'T831 · scopes with roles: an optional client scope that is asked for by name is given to holders of its role alone',
  async (t) => {
    const ask = (username: string) =>
      host().token('demo', { ...WEB, grant_type: 'password', ...as(username), scope: 'openid press' });
    const editor = await ask('alice');
    t.deepEqual(given(editor), same('press', 'open'));
    // As in Keycloak, the response omits it.
    const other = await ask('ken');
    t.is(other.status, 200, other.text);
    t.deepEqual(given(other), same('vault', 'open'));
  },
);

test.serial('T832 · scopes with roles: a role in a composite gives the scopes of the composite', async (t) => {
  const { json } = await host().token('demo', { ...WEB, grant_type: 'password', ...as('lea'), scope: 'openid' });
  t.deepEqual(given({ json } as Answer), same('vault', 'open'));
});

test.serial(
  'T833 · scopes with roles: a client scope goes with its role: at the next refresh, at userinfo and introspection at once',
  async (t) => {
    const first = await login('ken');
    const refreshed = async (refresh_token: string) =>
      host().token('demo', { ...WEB, grant_type: 'refresh_token', refresh_token });
    t.is(await roleMapping(host(), 'DELETE', KEN, 'keeper'), 204);
    t.deepEqual(shown((await userinfo(host(), first.access_token)).json), ['open']);
    const second = await refreshed(first.refresh_token);
    t.deepEqual(given(second), same('open'));
    const named = await host().token('demo', {
      ...WEB,
      grant_type: 'refresh_token',
      refresh_token: String(second.json.refresh_token),
      scope: 'openid vault',
    });
    t.is(named.status, 200, named.text);
    t.deepEqual(given(named), same('open'));
    t.is(await roleMapping(host(), 'POST', KEN, 'keeper'), 204);
    t.deepEqual(given(await refreshed(String(named.json.refresh_token))), same('vault', 'open'));
  },
);

test.serial('T834 · scopes with roles: a service account gets the scopes of its roles', async (t) => {
  const token = () => serviceToken(host());
  t.deepEqual(shown(claimsOf(await token())), ['open']);
  const call = await adminCaller(host());
  const uuid = await clientUuid(host(), 'svc');
  const { json } = await call('GET', `/realms/demo/clients/${uuid}/service-account-user`);
  t.is(await roleMapping(host(), 'POST', String(json.id), 'keeper'), 204);
  t.deepEqual(shown(claimsOf(await token())), ['vault', 'open']);
});

test.serial(
  'T835 · scopes with roles: devices and their refreshes get no client scope that the user may not have',
  async (t) => {
    const codes = await beginDevice(host(), { client_id: 'tv', scope: 'openid press' });
    await approve(host(), codes.user_code);
    const first = await poll(host(), codes.device_code);
    t.deepEqual(given(first), same('press', 'open'));
    const next = await post(host(), 'token', {
      client_id: 'tv',
      grant_type: 'refresh_token',
      refresh_token: String(first.json.refresh_token),
    });
    t.deepEqual(given(next), same('press', 'open'));
  },
);

test.serial(
  'T836 · scopes with roles: an exchange gives the scopes of the subject, and ignores roles of clients outside of the audience',
  async (t) => {
    const exchange = (token: string, more: Record<string, string> = {}) =>
      host().token('demo', {
        ...WEB,
        grant_type: NAKED,
        subject_token: token,
        subject_token_type: ACCESS_TOKEN,
        ...more,
      });
    const alice = await login('alice', 'openid press');
    t.deepEqual(given(await exchange(alice.access_token, { scope: 'openid press' })), same('press', 'open'));
    const ken = await login('ken');
    t.deepEqual(given(await exchange(ken.access_token, { scope: 'openid press' })), same('vault', 'open'));
    // The scope is mapped to a role of `web`; the exchange is for another client.
    const narrowed = await exchange(alice.access_token, { scope: 'openid press', audience: 'open-api' });
    t.is(narrowed.status, 200, narrowed.text);
    t.deepEqual(given(narrowed), same('open'));
  },
);

test.serial(
  'T837 · scopes with roles: a client impersonates nobody in a scope that the user may not have',
  async (t) => {
    const call = (subject: string, changes: Record<string, string> = {}) =>
      host().token('demo', {
        client_id: 'nl',
        client_secret: 'nl-secret',
        grant_type: NAKED,
        requested_subject: subject,
        scope: 'newsletterscope42',
        audience: 'newsletter-api',
        ...changes,
      });
    const refused = await call('alice');
    t.deepEqual([refused.status, refused.json.error], [403, 'access_denied']);
    const first = await call('ken');
    t.is(first.status, 200, first.text);
    t.is(await roleMapping(host(), 'DELETE', KEN, 'subscriber'), 204);
    const next = await host().token('demo', {
      client_id: 'nl',
      client_secret: 'nl-secret',
      grant_type: 'refresh_token',
      refresh_token: String(first.json.refresh_token),
    });
    t.deepEqual([next.status, next.json.error], [400, 'invalid_grant']);
    t.is(await roleMapping(host(), 'POST', KEN, 'subscriber'), 204);
  },
);

test.serial(
  'T838 · scopes with roles: a claims parameter gets no claim of a client scope that the user may not have',
  async (t) => {
    const claims = JSON.stringify({
      id_token: { has_vault: null, has_open: null, has_press: null },
      userinfo: { has_vault: null, has_press: null },
    });
    const fresh = await freshCode(host(), { claims });
    const { json } = await redeem(host(), fresh);
    // `press` is an optional client scope, and alice is an editor.
    t.deepEqual(shown(claimsOf(String(json.id_token))), ['press', 'open']);
    t.deepEqual(shown((await userinfo(host(), String(json.access_token))).json), ['press', 'open']);
  },
);

test.serial(
  'T839 · scopes with roles: the consent page asks for no scope that the user may not have, and stores none',
  async (t) => {
    const { url, verifier } = codeRequest(host(), { client_id: 'asks', scope: 'openid press' });
    const browser = new Browser();
    const page = await signIn(browser, url);
    t.true(page.text.includes('Open the open') && page.text.includes('Open the press'), page.text);
    t.false(page.text.includes('Open the vault'));
    const back = await browser.submit(page, { accept: 'Yes' });
    const code = back.location?.searchParams.get('code') ?? '';
    const redeemed = await post(host(), 'token', {
      grant_type: 'authorization_code',
      client_id: 'asks',
      code,
      redirect_uri: 'http://127.0.0.1:9999/cb',
      code_verifier: verifier,
    });
    t.deepEqual(given(redeemed), same('press', 'open'));
    const call = await adminCaller(host());
    const { json } = await call('GET', `/realms/demo/users/${ALICE}/consents`);
    const [consent] = json as unknown as { grantedClientScopes: string[] }[];
    t.false(consent?.grantedClientScopes.includes('vault'));
    // With the role, the user must consent before the client gets the scope.
    t.is(await roleMapping(host(), 'POST', ALICE, 'keeper'), 204);
    const refresh_token = String(redeemed.json.refresh_token);
    const refused = await post(host(), 'token', { grant_type: 'refresh_token', client_id: 'asks', refresh_token });
    t.deepEqual([refused.status, refused.json.error], [400, 'invalid_grant'], refused.text);
    const again = await browser.open(codeRequest(host(), { client_id: 'asks' }).url);
    t.true(again.text.includes('Open the vault'));
    t.is(await roleMapping(host(), 'DELETE', ALICE, 'keeper'), 204);
  },
);

test.serial('T840 · scopes with roles: the examples of the Admin API show for a user what the user gets', async (t) => {
  const call = await adminCaller(host());
  const below = `/realms/demo/clients/${await clientUuid(host(), 'web')}/evaluate-scopes`;
  for (const [user, expected] of [
    [ALICE, ['open']],
    [KEN, ['vault', 'open']],
  ] as const) {
    const asked = `scope=openid&userId=${user}`;
    for (const kind of ['access-token', 'id-token', 'userinfo']) {
      const example = await call('GET', `${below}/generate-example-${kind}?${asked}`);
      t.deepEqual(shown(example.json), [...expected], kind);
    }
    const { json } = await call('GET', `${below}/claims?${asked}`);
    t.is((json.scopes as unknown as string[]).includes('vault'), user === KEN);
  }
});

test.serial(
  'T841 · scopes with roles: a grant of a plugin and its token requests give no client scope that the user may not have',
  async (t) => {
    const byGrant = (user: string) =>
      host().token('demo', { ...WEB, grant_type: 'urn:test:guest', user, scope: 'openid press' });
    t.deepEqual(given(await byGrant(ALICE)), same('press', 'open'));
    t.deepEqual(given(await byGrant(KEN)), same('vault', 'open'));
    const asked = await fetch(`${host().realm('demo')}/asks/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...WEB, grant_type: 'password', ...as('ken'), scope: 'openid press' }),
    });
    const { body } = (await asked.json()) as { body: Answer['json'] };
    t.deepEqual(given({ json: body } as Answer), same('vault', 'open'));
  },
);

test.serial(
  'T842 · scopes with roles: offline access is for users with a role of its client scope, and ends with the role',
  async (t) => {
    // The built-in mapping: the role is among the realm's default roles.
    const first = await login('ken', 'openid offline_access');
    t.is(first.scope.includes('offline_access'), true);
    const call = await adminCaller(host());
    const scopes = (await call('GET', '/realms/demo/client-scopes')).json as unknown as { id: string; name: string }[];
    const offline = scopes.find(({ name }) => name === 'offline_access')?.id ?? '';
    const mappings = `/realms/demo/client-scopes/${offline}/scope-mappings/realm`;
    const [own, other] = await Promise.all(
      ['offline_access', 'subscriber'].map(async (name) => (await call('GET', `/realms/demo/roles/${name}`)).json),
    );
    t.is((await call('POST', mappings, [other])).status, 204);
    t.is((await call('DELETE', mappings, [own])).status, 204);
    const refused = await host().token('demo', {
      ...WEB,
      grant_type: 'password',
      ...as('alice'),
      scope: 'openid offline_access',
    });
    t.deepEqual([refused.status, refused.json.error], [400, 'not_allowed']);
    const refresh = (refresh_token: string) =>
      host().token('demo', { ...WEB, grant_type: 'refresh_token', refresh_token });
    const second = await refresh(first.refresh_token);
    t.is(second.status, 200, second.text);
    t.is(await roleMapping(host(), 'DELETE', KEN, 'subscriber'), 204);
    const third = await refresh(String(second.json.refresh_token));
    t.deepEqual([third.status, third.json.error], [400, 'invalid_grant']);
  },
);
