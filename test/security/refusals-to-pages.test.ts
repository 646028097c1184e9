import test from 'ava';
import { fetchAnswer } from '../helpers/host.js';
import { ALICE_LOGIN, bearer, logIn } from '../helpers/login.js';
import { testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const APP = 'https://app.test';
const OTHER = 'https://other.test';
const STRANGER = 'https://stranger.test';
const OFF = 'https://off.test';

function realm() {
  const made = testRealm('demo');
  const shared = { publicClient: true, directAccessGrantsEnabled: true, standardFlowEnabled: true };
  const clients = [
    { ...shared, clientId: 'page', webOrigins: ['+'], redirectUris: [`${APP}/*`] },
    { ...shared, clientId: 'other', webOrigins: [OTHER], redirectUris: [`${OTHER}/*`] },
    { ...shared, clientId: 'off', enabled: false, webOrigins: [OFF], redirectUris: [`${OFF}/*`] },
  ];
  return { ...made, clients: [...(made.clients ?? []), ...clients] };
}

const host = shareHost(test, { realms: [realm()] });

interface Asked {
  readonly path: string;
  readonly form?: Record<string, string>;
  readonly headers?: Record<string, string>;
}

/** @returns the status, and the origin that may read the response */
async function readable({ path, form, headers = {} }: Asked, origin: string) {
  const url = path.startsWith('/') ? `${host().realm('demo')}${path}` : `${host().oidc('demo')}/${path}`;
  const answer = await fetchAnswer(url, {
    method: form === undefined ? 'GET' : 'POST',
    headers: { ...headers, origin },
    ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
  });
  const { status, headers: given } = answer;
  requireVary(given.get('vary'));
  return {
    status,
    origin: given.get('access-control-allow-origin'),
    with: given.get('access-control-allow-credentials'),
  };
}

function requireVary(vary: string | null) {
  if (!/origin/i.test(vary ?? '')) throw new Error('the answer depends on Origin, and does not say so');
}

const UNKNOWN = { client_id: 'nobody' };
const REFUSED: Record<string, Asked> = {
  'token of no client': { path: 'token', form: { grant_type: 'password' } },
  'token of an unknown client': { path: 'token', form: { ...ALICE_LOGIN, ...UNKNOWN } },
  'token without a grant': { path: 'token', form: {} },
  'device of an unknown client': { path: 'auth/device', form: UNKNOWN },
  'device of no client': { path: 'auth/device', form: {} },
  'revocation of an unknown client': { path: 'revoke', form: { ...UNKNOWN, token: 'x' } },
  'pushed request of a wrong secret': { path: 'ext/par/request', form: { client_id: 'web', client_secret: 'x' } },
  'introspection of an unknown client': { path: 'token/introspect', form: { ...UNKNOWN, token: 'x' } },
  'logout of an unknown client': { path: 'logout', form: { ...UNKNOWN, refresh_token: 'x' } },
  'userinfo without a token': { path: 'userinfo' },
  'userinfo of a wrong token': { path: 'userinfo', headers: bearer('x.y.z') },
  'userinfo of two tokens': { path: 'userinfo', form: { access_token: 'x' }, headers: bearer('x') },
  'account of a wrong token': { path: '/account', headers: { accept: 'application/json', ...bearer('x.y.z') } },
  'provider token of a wrong token': { path: '/broker/any/token', headers: bearer('x.y.z') },
};

test('T893 · errors to pages: pages of the realm read refusals that know no client, and no others do', async (t) => {
  for (const [name, asked] of Object.entries(REFUSED)) {
    for (const origin of [APP, OTHER]) {
      const answer = await readable(asked, origin);
      t.true(answer.status >= 400, name);
      t.deepEqual([answer.origin, answer.with], [origin, 'true'], name);
    }
    for (const origin of [STRANGER, OFF, 'null', `${APP}.stranger.test`, 'http://app.test', `${APP}:8443`]) {
      t.is((await readable(asked, origin)).origin, null, `${name}: ${origin}`);
    }
  }
});

test('T894 · errors to pages: a page of another client of the realm reads no answer for a client that is known', async (t) => {
  const page = { client_id: 'page' };
  const tokens = await logIn(host(), { ...page, client_secret: '' }, 'demo');
  const answers: Record<string, Asked> = {
    login: { path: 'token', form: { ...ALICE_LOGIN, ...page, scope: 'openid' } },
    'wrong password': { path: 'token', form: { ...ALICE_LOGIN, ...page, password: 'x' } },
    'unknown grant': { path: 'token', form: { grant_type: 'x', ...page } },
    'device that is not allowed': { path: 'auth/device', form: page },
    'revocation of nothing': { path: 'revoke', form: page },
    userinfo: { path: 'userinfo', headers: bearer(tokens.access_token) },
  };
  for (const [name, asked] of Object.entries(answers)) {
    t.is((await readable(asked, APP)).origin, APP, name);
    for (const origin of [OTHER, STRANGER, OFF]) t.is((await readable(asked, origin)).origin, null, name);
  }
});
