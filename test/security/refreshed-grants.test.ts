import test, { type ExecutionContext } from 'ava';
import { DEFAULT_CLIENT_SCOPES } from '../../core/model/built-in-names.js';
import type { ClientRepresentation } from '../../core/model/representation.js';
import { adminCaller, administered, ownRealm } from '../helpers/admin.js';
import { freshCode, redeem } from '../helpers/codes.js';
import { approve, BOX, beginDevice, DEVICE_GRANT, deviceRealm, poll } from '../helpers/device.js';
import { type Answer, claimsOf, type TestHost } from '../helpers/host.js';
import { ALICE_LOGIN, introspect, NL, userinfo, WEB } from '../helpers/login.js';
import { startNodes } from '../helpers/nodes.js';
import { ACCESS_TOKEN, ALICE, NAKED, testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const REFRESH_TOKEN = ACCESS_TOKEN.replace('access_token', 'refresh_token');
const GATE = { client_id: 'gate', client_secret: 'gate-secret' };
const TGT = { client_id: 'tgt', client_secret: 'tgt-secret' };
const EXCHANGING = {
  'standard.token.exchange.enabled': 'true',
  'standard.token.exchange.enableRefreshRequestedTokenType': 'SAME_SESSION',
};
const VOUCHER = 'urn:test:voucher';
/** A plugin's grant for alice, with claims that are true for its tokens only. */
const voucher = `import { provide, GrantType } from '@keyhost/spi';
export default { name: 'voucher', api: 1, providers: [provide(GrantType, {
  id: '${VOUCHER}', eventType: 'VOUCHER',
  open: () => ({ create: () => ({ authorize: async ({ form }) => ({
    userId: form.user, login: 'session', audience: ['till'], claims: { only: 'one-coffee' } }) }) }),
})] };`;

const clients: ClientRepresentation[] = [
  {
    clientId: 'gate',
    secret: 'gate-secret',
    directAccessGrantsEnabled: true,
    serviceAccountsEnabled: true,
    attributes: { ...EXCHANGING, 'client_credentials.use_refresh_token': 'true' },
    defaultClientScopes: [...DEFAULT_CLIENT_SCOPES],
    optionalClientScopes: ['address', 'phone', 'offline_access'],
    protocolMappers: [
      {
        name: 'roles at userinfo',
        protocol: 'openid-connect',
        protocolMapper: 'oidc-usermodel-client-role-mapper',
        config: {
          'claim.name': 'resource_access.${client_id}.roles',
          'userinfo.token.claim': 'true',
          multivalued: 'true',
        },
      },
      {
        name: 'roles at introspection',
        protocol: 'openid-connect',
        protocolMapper: 'oidc-usermodel-client-role-mapper',
        config: {
          'claim.name': 'all_roles.${client_id}',
          'access.token.claim': 'false',
          'introspection.token.claim': 'true',
          multivalued: 'true',
        },
      },
    ],
  },
  { clientId: 'tgt', secret: 'tgt-secret', attributes: EXCHANGING },
];

const shared = shareHost(
  test,
  administered({ realms: [gateRealm('demo')], packages: { voucher }, plugins: [{ module: 'voucher' }] }),
);

/** The test realm, in which alice has roles of `tgt`, `web` and `account`; `gate` exchanges her tokens. */
function gateRealm(name: string) {
  const realm = testRealm(name);
  const users = (realm.users ?? []).map((user) =>
    user.username === 'alice'
      ? { ...user, clientRoles: { web: ['editor'], tgt: ['buyer'], account: ['view-profile'] } }
      : user,
  );
  return {
    ...realm,
    users,
    roles: { ...realm.roles, client: { ...realm.roles?.client, tgt: [{ name: 'buyer' }] } },
    clients: [...(realm.clients ?? []), ...clients],
    providers: { 'oauth2-grant-type': { [VOUCHER]: { enabled: true } } },
  };
}

const own = () => ownRealm(shared(), (realm) => gateRealm(realm.realm));

const refresh = (
  host: TestHost,
  answer: Answer | { json: object },
  more = {},
  client: Record<string, string> = GATE,
) => {
  const { refresh_token } = answer.json as { refresh_token: string };
  return host.token(host.defaultRealm, { ...client, grant_type: 'refresh_token', refresh_token, ...more });
};

async function login(host: TestHost, client = GATE, more = {}): Promise<Answer> {
  return host.token(host.defaultRealm, { ...client, ...ALICE_LOGIN, scope: 'openid', ...more });
}

function exchange(host: TestHost, subject: Answer, more = {}, client = GATE): Promise<Answer> {
  return host.token(host.defaultRealm, {
    ...client,
    grant_type: NAKED,
    subject_token: subject.json.access_token ?? '',
    subject_token_type: ACCESS_TOKEN,
    requested_token_type: REFRESH_TOKEN,
    scope: 'openid',
    ...more,
  });
}

/** The audience of an access token, and the clients whose roles it contains. */
function reach(t: ExecutionContext, answer: Answer): [unknown, string[]] {
  t.is(answer.status, 200, answer.text);
  const { aud, resource_access = {} } = claimsOf(answer.json.access_token ?? '') as {
    aud?: unknown;
    resource_access?: object;
  };
  return [Array.isArray(aud) ? aud.sort() : aud, Object.keys(resource_access).sort()];
}

const NARROW = ['tgt', ['tgt']];

test('T545 · refreshed grants: a refreshed exchange is for the audience that it was exchanged for, again and again', async (t) => {
  const { host } = await own();
  const wide = await login(host);
  t.deepEqual(reach(t, wide), [
    ['account', 'tgt', 'web'],
    ['account', 'tgt', 'web'],
  ]);
  let narrow = await exchange(host, wide, { audience: 'tgt' });
  t.deepEqual(reach(t, narrow), NARROW);
  for (let turn = 0; turn < 3; turn += 1) {
    narrow = await refresh(host, narrow);
    t.deepEqual(reach(t, narrow), NARROW, `refresh ${turn}`);
  }
  t.deepEqual(reach(t, await refresh(host, wide)), reach(t, wide), 'the login of the same client is as wide as ever');
});

test('T546 · refreshed grants: userinfo, introspection and the refresh token have the same narrow claims', async (t) => {
  const { host } = await own();
  const wide = await login(host);
  const narrow = await refresh(host, await exchange(host, wide, { audience: 'tgt' }));
  const told = async (answer: Answer) => {
    const info = (await userinfo(host, answer.json.access_token ?? '')).json as { resource_access?: object };
    const seen = (await introspect(host, answer.json.access_token ?? '', GATE)).json as { all_roles?: object };
    return [info.resource_access, seen.all_roles].map((claim) => Object.keys(claim ?? {}).sort());
  };
  t.deepEqual(await told(wide), [
    ['account', 'tgt', 'web'],
    ['account', 'tgt', 'web'],
  ]);
  t.deepEqual(await told(narrow), [['tgt'], ['tgt']]);
  const seen = await introspect(host, narrow.json.refresh_token ?? '', { ...GATE, token_type_hint: 'refresh_token' });
  t.like(seen.json, { active: true, granted: { audience: ['tgt'] } } as object);
});

test('T547 · refreshed grants: exchanged, refreshed and exchanged again: each step gives what was requested and no more', async (t) => {
  const { host } = await own();
  const first = await refresh(host, await exchange(host, await login(host), { audience: 'tgt' }));
  const second = await exchange(host, first, { audience: 'tgt', scope: 'openid' }, TGT);
  t.is(second.status, 200, second.text);
  const third = await refresh(host, second, {}, TGT);
  t.deepEqual(reach(t, third), NARROW);
  const byOther = await refresh(host, second, {}, GATE);
  t.is(byOther.json.error, 'invalid_grant');
  const naked = await host.token(host.defaultRealm, {
    ...NL,
    grant_type: NAKED,
    requested_subject: 'alice',
    scope: 'newsletterscope1',
    audience: 'newsletter-api',
  });
  const acting = await refresh(host, await refresh(host, naked, {}, NL), {}, NL);
  t.like(claimsOf(acting.json.access_token ?? ''), { aud: 'newsletter-api', scope: 'newsletterscope1' } as object);
  t.is(
    (await exchange(host, acting, {}, NL)).json.error_description,
    'Standard token exchange is not enabled for the requested client',
  );
});

test('T548 · refreshed grants: a refresh narrows the scope for itself, and the next one widens up to the granted scope', async (t) => {
  const { host } = await own();
  const granted = await exchange(host, await login(host), { audience: 'tgt', scope: 'openid phone' });
  const scopes = ({ json }: Answer) => String(json.scope).split(' ').sort().join(' ');
  const all = scopes(granted);
  const narrowed = await refresh(host, granted, { scope: 'openid' });
  t.false(scopes(narrowed).includes('phone'));
  t.deepEqual(reach(t, narrowed), NARROW);
  const back = await refresh(host, narrowed);
  t.is(scopes(back), all);
  for (const scope of ['openid address', 'openid phone offline_access', 'address']) {
    const more = await refresh(host, back, { scope });
    t.deepEqual([more.status, more.json.error], [400, 'invalid_scope'], scope);
  }
  t.is(
    scopes(await refresh(host, back, { scope: 'openid phone' })),
    all,
    'a refused refresh leaves the token as it was',
  );
});

/** Disables the grant in the realm. */
async function switchOff(host: TestHost, grant: string): Promise<void> {
  const call = await adminCaller(host);
  const path = `/realms/${host.defaultRealm}/providers/oauth2-grant-type/${encodeURIComponent(grant)}`;
  await call('PUT', path, { enabled: false });
}

type Change = (client: ClientRepresentation) => ClientRepresentation;
const attribute =
  (name: string, value: string): Change =>
  (client) => ({
    ...client,
    attributes: { ...client.attributes, [name]: value },
  });

test('T549 · refreshed grants: the checks of an exchange’s clients are repeated with each refresh', async (t) => {
  const { host, admin } = await own();
  const wide = await login(host);
  const change = async (clientId: string, by: Change) => {
    const [client] = await admin.clients.find({ clientId });
    await admin.clients.update({ id: client?.id ?? '' }, by(client as ClientRepresentation));
    return () => admin.clients.update({ id: client?.id ?? '' }, client as ClientRepresentation);
  };
  const cases: [name: string, clientId: string, Change, told: RegExp][] = [
    ['exchange is off', 'gate', attribute('standard.token.exchange.enabled', 'false'), /not enabled/],
    [
      'no refresh tokens of exchanges',
      'gate',
      attribute('standard.token.exchange.enableRefreshRequestedTokenType', 'NO'),
      /refresh tokens/,
    ],
    ['users are asked', 'gate', (client) => ({ ...client, consentRequired: true }), /consent/i],
    ['the audience is disabled', 'tgt', (client) => ({ ...client, enabled: false }), /Client disabled/],
  ];
  for (const [name, clientId, by, told] of cases) {
    const narrow = await exchange(host, wide, { audience: 'tgt' });
    t.is(narrow.status, 200, name);
    const undo = await change(clientId, by);
    const refused = await refresh(host, narrow);
    t.deepEqual([refused.status, refused.json.error], [400, 'invalid_grant'], name);
    t.regex(String(refused.json.error_description), told, name);
    const hint = { ...GATE, token_type_hint: 'refresh_token' };
    t.is((await introspect(host, narrow.json.refresh_token ?? '', hint)).text, '{"active":false}', name);
    await undo();
    t.deepEqual(reach(t, await refresh(host, narrow)), NARROW, `${name}: no more, and the token was kept`);
  }
  const gone = await exchange(host, wide, { audience: 'tgt' });
  const [tgt] = await admin.clients.find({ clientId: 'tgt' });
  await admin.clients.del({ id: tgt?.id ?? '' });
  t.like((await refresh(host, gone)).json, {
    error: 'invalid_grant',
    error_description: 'Audience not found',
  } as object);
});

test('T550 · refreshed grants: the checks of a grant’s client are repeated with each refresh: password, code, service account, the realm', async (t) => {
  const { host, admin } = await own();
  const web = { ...WEB };
  const granted: Record<string, [client: Record<string, string>, Answer, Partial<ClientRepresentation>]> = {
    password: [GATE, await login(host), { directAccessGrantsEnabled: false }],
    'password, of one that asks now': [GATE, await login(host), { consentRequired: true }],
    authorization_code: [web, await redeem(host, await freshCode(host)), { standardFlowEnabled: false }],
    'authorization_code, without consent': [web, await redeem(host, await freshCode(host)), { consentRequired: true }],
    client_credentials: [
      GATE,
      await host.token(host.defaultRealm, { ...GATE, grant_type: 'client_credentials' }),
      { serviceAccountsEnabled: false },
    ],
    'offline, by password': [
      GATE,
      await login(host, GATE, { scope: 'openid offline_access' }),
      { directAccessGrantsEnabled: false },
    ],
  };
  for (const [name, [client, tokens, change]] of Object.entries(granted)) {
    t.is(tokens.status, 200, `${name}: ${tokens.text}`);
    const [found] = await admin.clients.find({ clientId: client.client_id ?? '' });
    const id = found?.id ?? '';
    await admin.clients.update({ id }, { ...found, ...change });
    const refused = await refresh(host, tokens, {}, client);
    t.deepEqual(
      [refused.status, refused.json.error, refused.json.access_token],
      [400, 'invalid_grant', undefined],
      name,
    );
    await admin.clients.update({ id }, found as ClientRepresentation);
  }
  const before = await login(host);
  await switchOff(host, 'password');
  const refused = await refresh(host, before);
  t.like(refused.json, {
    error: 'invalid_grant',
    error_description: 'The realm has no grant password any more',
  } as object);
});

test('T551 · refreshed grants: a device’s tokens are refreshed while its client may use devices and its user agrees', async (t) => {
  const { host, admin } = await ownRealm(shared(), (realm) => deviceRealm(realm.realm, { providers: {} }));
  const begun = await beginDevice(host, BOX);
  await approve(host, begun.user_code);
  const tokens = await poll(host, begun.device_code, BOX);
  t.is(tokens.status, 200, tokens.text);
  t.like(claimsOf(tokens.json.refresh_token ?? ''), { granted: { by: DEVICE_GRANT } } as object);
  const again = await refresh(host, tokens, {}, BOX);
  t.is(again.status, 200, again.text);
  const [box] = await admin.clients.find({ clientId: 'box' });
  const changed = attribute('oauth2.device.authorization.grant.enabled', 'false')(box as ClientRepresentation);
  await admin.clients.update({ id: box?.id ?? '' }, changed);
  t.is((await refresh(host, again, {}, BOX)).json.error, 'invalid_grant');
});

test('T552 · refreshed grants: claims of a plugin’s grant are in the tokens of each refresh, while the realm enables it', async (t) => {
  const { host } = await own();
  const alice = `${ALICE}-${host.defaultRealm}`;
  const first = await host.token(host.defaultRealm, { ...GATE, grant_type: VOUCHER, user: alice });
  t.is(first.status, 200, first.text);
  const said = ({ json }: Answer) => {
    const { only, aud } = claimsOf(json.access_token ?? '') as { only?: string; aud?: string[] };
    return [only, [aud ?? []].flat().includes('till')];
  };
  t.deepEqual(said(first), ['one-coffee', true]);
  const second = await refresh(host, await refresh(host, first));
  t.deepEqual(said(second), ['one-coffee', true]);
  await switchOff(host, VOUCHER);
  t.is((await refresh(host, second)).json.error, 'invalid_grant');
});

test('T553 · refreshed grants: a refresh that fails after its token was checked leaves the token valid', async (t) => {
  const { host, admin } = await own();
  const narrow = await exchange(host, await login(host), { audience: 'tgt' });
  const [alice] = await admin.users.find({ username: 'alice' });
  const [tgt] = await admin.clients.find({ clientId: 'tgt' });
  const role = await admin.clients.findRole({ id: tgt?.id ?? '', roleName: 'buyer' });
  const mapping = {
    id: alice?.id ?? '',
    clientUniqueId: tgt?.id ?? '',
    roles: [{ id: role?.id ?? '', name: 'buyer' }],
  };
  await admin.users.delClientRoleMappings(mapping);
  const refused = await refresh(host, narrow);
  t.deepEqual([refused.status, refused.json.error_description], [400, 'Requested audience not available: tgt']);
  await admin.users.addClientRoleMappings(mapping);
  t.deepEqual(reach(t, await refresh(host, narrow)), NARROW);
});

test('T554 · refreshed grants: another node gives no more', async (t) => {
  const { nodes } = await startNodes(t, {
    realms: [gateRealm('demo')],
    packages: { voucher },
    plugins: [{ module: 'voucher' }],
  });
  const [one, two] = nodes as [TestHost, TestHost];
  const narrow = await exchange(one, await login(one), { audience: 'tgt' });
  t.deepEqual(reach(t, await refresh(one, await refresh(two, narrow))), NARROW);
});
