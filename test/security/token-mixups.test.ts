import test from 'ava';
import { edited, resigned } from '../helpers/forge.js';
import { claimsOf } from '../helpers/host.js';
import {
  bearer,
  follow,
  generate,
  introspect,
  issueKey,
  logIn,
  NL,
  post,
  serviceToken,
  userinfo,
  WEB,
} from '../helpers/login.js';
import { ACCESS_TOKEN, ALICE, guardedRealm, NAKED } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';
import { opened } from '../helpers/token-endpoints.js';

const host = shareHost(test, { realms: [guardedRealm('demo'), guardedRealm('other')] });

/** The names of the endpoints that accept a token. */
const doors = async (token: string, realm = 'demo') =>
  (await opened(host(), token, realm)).map((door) => door.slice(0, door.indexOf(':')));

test('T120 T121 T122 T125 T126 · token mix-ups: each kind of token opens the doors made for it and no other', async (t) => {
  const tokens = await logIn(host());
  const atUserinfo = ['userinfo', 'userinfo, in the body', 'introspection'];
  t.deepEqual(await doors(tokens.access_token), [...atUserinfo, 'token exchange', 'account']);
  t.deepEqual(await doors(tokens.id_token), ['authorization, as a hint']);
  const { refresh_token: refresh } = await logIn(host());
  t.deepEqual(await doors(refresh), ['introspection as a refresh token', 'refresh grant']);
  t.deepEqual(await doors(await issueKey(host())), ['action link', 'action link, posted']);
  t.deepEqual(await doors(await serviceToken(host(), NL)), ['introspection by nl', 'generate-token']);
});

test('T122 · token mix-ups: an action token is no credential: not at the exchange by any name, not to be revoked', async (t) => {
  const key = await issueKey(host());
  for (const type of ['access_token', 'refresh_token', 'id_token', 'jwt'].map((name) =>
    ACCESS_TOKEN.replace('access_token', name),
  )) {
    const form = { ...WEB, grant_type: NAKED, subject_token: key, subject_token_type: type };
    t.is((await host().token('demo', form)).status, 400, type);
  }
  const code = await host().token('demo', { ...WEB, grant_type: 'authorization_code', code: key });
  t.deepEqual([code.status, code.json.error], [400, 'invalid_grant']);
  await post(host(), 'revoke', { ...NL, token: key });
  t.is((await follow(host(), key)).status, 200);
});

test('T128 · token mix-ups: a token of another realm opens nothing here, and all it should at home', async (t) => {
  const tokens = await logIn(host(), {}, 'other');
  const key = await issueKey(host(), 'other');
  const service = await serviceToken(host(), NL, 'other');
  for (const token of [tokens.access_token, tokens.refresh_token, tokens.id_token, key, service])
    t.deepEqual(await doors(token), []);
  t.is((await introspect(host(), tokens.access_token)).text, '{"active":false}');
  t.deepEqual(await doors(service, 'other'), ['introspection by nl', 'generate-token']);
  t.deepEqual(await doors(key, 'other'), ['action link', 'action link, posted']);
  const pretended = await resigned(host(), tokens.access_token, { iss: host().realm('demo') }, 'other');
  t.deepEqual(await doors(pretended), []);
  const relabelled = await resigned(host(), (await logIn(host())).access_token, { iss: host().realm('other') });
  t.deepEqual([await doors(relabelled), await doors(relabelled, 'other')], [[], []]);
});

test('T129 · token mix-ups: the token that a link brings opens nothing of the host', async (t) => {
  const { json } = await follow(host(), await issueKey(host()));
  const { access_token: access = '', refresh_token: refresh = '' } = json;
  t.is(claimsOf(access).scope, 'newsletterscope42');
  t.is((await userinfo(host(), access)).status, 403);
  t.is((await generate(host(), undefined, bearer(access))).status, 403);
  for (const client of [WEB, NL]) {
    const form = { ...client, grant_type: NAKED, subject_token: access, subject_token_type: ACCESS_TOKEN };
    t.true([400, 403].includes((await host().token('demo', form)).status), client.client_id);
  }
  t.deepEqual(await doors(access), ['introspection by nl'], 'the client that got it may ask what it is');
  const foreign = await host().token('demo', { ...WEB, grant_type: 'refresh_token', refresh_token: refresh });
  t.is(foreign.status, 400);
  for (const scope of ['openid', 'newsletterscope43', 'newsletterscope42 openid']) {
    const wider = await host().token('demo', { ...NL, grant_type: 'refresh_token', refresh_token: refresh, scope });
    t.deepEqual([wider.status, wider.json.error], [400, 'invalid_scope'], scope);
  }
});

test('T131 · token mix-ups: the type of a token cannot be changed, and only enabled types are served', async (t) => {
  const key = await issueKey(host());
  const types = [
    'reset-credentials',
    'verify-email',
    'execute-actions',
    'newsletter',
    'Bearer',
    'Refresh',
    '__proto__',
    '',
    1,
    null,
  ];
  for (const typ of types) {
    t.deepEqual(await doors(edited(key, { typ })), [], `edited: ${typ}`);
    t.is((await follow(host(), await resigned(host(), key, { typ }))).status, 400, `well signed: ${typ}`);
  }
  const refresh = (await logIn(host())).refresh_token;
  const claims = { nonce: claimsOf(key).nonce, 'app-id': '42', typ: 'external-app-notification' };
  t.is((await follow(host(), edited(refresh, claims))).status, 400);
  const path = `${host().realm('demo')}/login-actions`;
  for (const name of ['reset-credentials', 'required-action', 'restart', 'authenticate']) {
    const answer = await fetch(`${path}/${name}?key=${key}`);
    // The endpoint there expects a login under way, not a token.
    t.is(answer.status, 400, name);
    t.is(answer.headers.get('set-cookie'), null);
    t.false((await answer.text()).includes(key));
  }
});

// Serial, because other tests of this file sign alice in.
test.serial(
  'T158 · token mix-ups: the asid of a link joins no login: it sets no cookie, and ignores sent ones',
  async (t) => {
    const key = await resigned(host(), await issueKey(host()), { asid: 'another-browsers-login.tab.client' });
    const before = await host().store.sessions.list('demo', { userId: ALICE });
    const answer = await follow(host(), key, { cookie: 'AUTH_SESSION_ID=another-browsers-login; KEYCLOAK_IDENTITY=x' });
    t.deepEqual([answer.status, answer.headers.get('set-cookie')], [200, null]);
    const after = await host().store.sessions.list('demo', { userId: ALICE });
    const added = after.filter(({ id }) => !before.some((old) => old.id === id));
    t.true(
      added.every(({ notes }) => notes.IMPERSONATOR_CLIENT === 'nl'),
      'only the exchange’s own session is new',
    );
  },
);
