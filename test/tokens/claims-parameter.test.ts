import test from 'ava';
import { codeRealm } from '../helpers/code-realm.js';
import { freshCode, redeem } from '../helpers/codes.js';
import { Browser, codeRequest } from '../helpers/form-browser.js';
import { claimsOf, fetchAnswer } from '../helpers/host.js';
import { post, userinfo, WEB } from '../helpers/login.js';
import { ALICE } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const PHONE = '+1 555 0100';
const ADDRESS = { street_address: '1 Main Street' };
const core = codeRealm('core', { attributes: { 'keyhost.scope.claims.at.userinfo': 'true' } });
const host = shareHost(test, { realms: [codeRealm('demo'), core] });

type Shown = Record<string, unknown>;
type Parameters = Record<string, string | undefined>;

/** The result of a login that requests these claims: the ID token's claims, userinfo, and the answer. */
async function ask(claims: object | string | undefined, changes: Parameters = {}, as: Parameters = {}, realm = 'demo') {
  const text = claims === undefined || typeof claims === 'string' ? claims : JSON.stringify(claims);
  const { url, verifier } = codeRequest(host(), { claims: text, ...changes }, realm);
  const browser = new Browser();
  let page = await browser.open(url);
  while (page.status === 200) {
    const isLogin = page.text.includes('id="password"');
    page = await browser.submit(page, isLogin ? { username: 'alice', password: 'Alice-pass-1!' } : { accept: 'Yes' });
  }
  const code = page.location?.searchParams.get('code') ?? '';
  const answer = await redeem(host(), { code, verifier, session: '' }, as, realm);
  if (answer.status !== 200) throw new Error(answer.text);
  return {
    id: claimsOf(String(answer.json.id_token)) as Shown,
    info: (await userinfo(host(), String(answer.json.access_token), realm)).json as Shown,
    refresh: String(answer.json.refresh_token),
    access: claimsOf(String(answer.json.access_token)) as Shown,
  };
}

test('claims parameter: claims are given where they are asked for by name, without their scopes', async (t) => {
  const { id, info, access } = await ask({
    id_token: { phone_number: null, address: { essential: true } },
    userinfo: { phone_number: { essential: true } },
  });
  t.deepEqual([id.phone_number, id.address, id.sub], [PHONE, ADDRESS, ALICE]);
  t.deepEqual([info.phone_number, info.address, info.sub], [PHONE, undefined, ALICE]);
  t.deepEqual([access.phone_number, access.scope], [undefined, 'openid profile email']);
});

test('claims parameter: a login without it gets the claims of its scopes', async (t) => {
  for (const claims of [undefined, '{}', '{"id_token":{},"userinfo":{}}', '{"id_token":{"nickname":null}}']) {
    const { id, info } = await ask(claims);
    t.deepEqual([id.phone_number, info.phone_number, id.email], [undefined, undefined, 'alice@example.test'], claims);
  }
});

test('claims parameter: a claim is given when it has one of the values that are asked for', async (t) => {
  const asked: [object, unknown][] = [
    [{ value: PHONE }, PHONE],
    [{ values: ['x', PHONE] }, PHONE],
    [{ value: 'x', essential: true }, undefined],
    [{ values: [] }, undefined],
    [{ values: [1, null, {}] }, undefined],
  ];
  for (const [phone_number, given] of asked) {
    const { id, info } = await ask({ id_token: { phone_number }, userinfo: { phone_number } });
    t.deepEqual([id.phone_number, info.phone_number], [given, given], JSON.stringify(phone_number));
  }
  const { id } = await ask({ userinfo: { address: { value: ADDRESS } } });
  t.is(id.address, undefined);
});

test('claims parameter: a claim without a mapper of the client, or of the protocol, is not given by its name', async (t) => {
  const names = ['password', 'act', 'scope', 'nbf', 'constructor', 'phoneNumber', 'may_act', 'cnf'];
  const asked = Object.fromEntries(names.map((name) => [name, { essential: true }]));
  const wrong = '"iss":{"value":"https://evil.example"},"aud":{"value":"evil"},"__proto__":null';
  const { id, info } = await ask(`{"id_token":{${wrong}},"userinfo":${JSON.stringify(asked)}}`);
  for (const name of names) t.false(Object.hasOwn(id, name) || Object.hasOwn(info, name), name);
  t.deepEqual([id.iss, id.aud], [host().realm('demo'), 'web']);
  const spa = { client_id: 'one', client_secret: undefined };
  const { info: own } = await ask({ userinfo: { phone_number: null } }, { client_id: 'one' }, spa);
  t.is(own.phone_number, PHONE, 'the client may ask for the scope');
});

test('claims parameter: if users are asked for consent, refused claims are not given', async (t) => {
  const asks = { client_id: 'asks', client_secret: undefined };
  const claims = { id_token: { phone_number: null }, userinfo: { phone_number: null } };
  const { id, info } = await ask(claims, { client_id: 'asks' }, asks);
  t.deepEqual([id.phone_number, info.phone_number, id.email], [undefined, undefined, 'alice@example.test']);
  const agreed = await ask(claims, { client_id: 'asks', scope: 'openid phone' }, asks);
  t.deepEqual([agreed.id.phone_number, agreed.info.phone_number], [PHONE, PHONE]);
});

test('claims parameter: requested claims are given again after a refresh, offline too, and by a pushed request', async (t) => {
  const claims = { id_token: { phone_number: null }, userinfo: { phone_number: null } };
  for (const scope of ['openid', 'openid offline_access']) {
    const { refresh } = await ask(claims, { scope });
    const { json } = await post(host(), 'token', { ...WEB, grant_type: 'refresh_token', refresh_token: refresh });
    t.is(claimsOf(String(json.id_token)).phone_number, PHONE, scope);
    t.is((await userinfo(host(), String(json.access_token))).json.phone_number, PHONE, scope);
  }
  const { url } = codeRequest(host(), {
    claims: JSON.stringify(claims),
    code_challenge: '',
    code_challenge_method: '',
  });
  const pushed = await post(host(), 'ext/par/request', { ...WEB, ...Object.fromEntries(new URL(url).searchParams) });
  t.is(pushed.status, 201, pushed.text);
  const fresh = await freshCode(host(), { request_uri: String(pushed.json.request_uri) });
  const answer = await redeem(host(), fresh, { code_verifier: undefined });
  t.is(claimsOf(String(answer.json.id_token)).phone_number, PHONE, answer.text);
});

test('claims parameter: a realm may have the claims of scopes at userinfo alone, unless they are asked for by name', async (t) => {
  const asked = { id_token: { given_name: null, auth_time: { essential: true } } };
  const scope = 'openid profile email phone';
  const { id, info } = await ask(asked, { scope }, {}, 'core');
  t.deepEqual(
    [id.email, id.phone_number, id.preferred_username, id.given_name],
    [undefined, undefined, undefined, 'Alice'],
  );
  t.is(typeof id.auth_time, 'number');
  t.like(info, { email: 'alice@example.test', phone_number: PHONE, preferred_username: 'alice' });
  const keycloaks = await ask(undefined, { scope });
  t.like(keycloaks.id, { email: 'alice@example.test', phone_number: PHONE });
});

test('claims parameter: discovery offers the parameter, and an invalid one is refused', async (t) => {
  const { json } = await fetchAnswer(`${host().realm('demo')}/.well-known/openid-configuration`);
  t.is(json.claims_parameter_supported, true);
  for (const claims of ['x', '[]', '{"id_token":{"email":"x"}}', '{"userinfo":{"email":{"values":"x"}}}']) {
    const { location } = await new Browser().open(codeRequest(host(), { claims }).url);
    t.is(location?.searchParams.get('error'), 'invalid_request', claims);
  }
});
