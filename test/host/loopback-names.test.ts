import test from 'ava';
import * as client from 'openid-client';
import { ROOT, startAdministered } from '../helpers/admin.js';
import { Browser, CALLBACK, formAction } from '../helpers/form-browser.js';
import { claimsOf, fetchAnswer, type TestHost } from '../helpers/host.js';
import { ALICE_LOGIN, basic, bearer, WEB } from '../helpers/login.js';
import { rawBody, rawGet } from '../helpers/raw.js';
import { ALICE, testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const host = shareHost(test, { realms: [testRealm('demo')] });
const portOf = ({ url }: TestHost) => new URL(url).port;
/** The addresses by which the tests reach the host. */
const bases = () => ['127.0.0.1', 'localhost'].map((name) => `http://${name}:${portOf(host())}`);

const tokenAt = (base: string, form: Record<string, string>, realm = 'demo') =>
  fetchAnswer(`${base}/realms/${realm}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  });

test('loopback names: the issuer and every URL below it have the name of the request', async (t) => {
  for (const name of ['127.0.0.1', 'localhost', '[::1]', 'LOCALHOST']) {
    const path = '/realms/demo/.well-known/openid-configuration';
    const document = JSON.parse(rawBody(await rawGet(host().url, path, `Host: ${name}:${portOf(host())}`)));
    const base = `http://${name.toLowerCase()}:${portOf(host())}`;
    t.is(document.issuer, `${base}/realms/demo`);
    for (const [member, value] of Object.entries(document))
      if (/_endpoint$|_uri$|_iframe$/.test(member)) t.true(String(value).startsWith(`${base}/`), member);
  }
});

test('loopback names: a foreign client signs in by either name, and stays with it', async (t) => {
  for (const base of bases()) {
    const server = new URL(`${base}/realms/demo`);
    const options: client.DiscoveryRequestOptions = { execute: [client.allowInsecureRequests] };
    const config = await client.discovery(server, 'web', WEB.client_secret, undefined, options);
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const parameters = {
      redirect_uri: CALLBACK,
      scope: 'openid',
      state: 's',
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    };
    const browser = new Browser();
    const page = await browser.open(client.buildAuthorizationUrl(config, parameters).href);
    t.true(formAction(page).startsWith(`${base}/`));
    const back = await browser.submit(page, { username: 'alice', password: 'Alice-pass-1!' });
    const checks = { pkceCodeVerifier, expectedState: 's' };
    const tokens = await client.authorizationCodeGrant(config, back.location ?? server, checks);
    t.is(tokens.claims()?.iss, server.href);
    t.is((await client.fetchUserInfo(config, tokens.access_token, ALICE)).sub, ALICE);
    const hint = { id_token_hint: tokens.id_token ?? '', post_logout_redirect_uri: CALLBACK };
    const left = await browser.open(client.buildEndSessionUrl(config, hint).href);
    t.is(left.location?.href, CALLBACK);
  }
});

test('loopback names: a token is valid at the name that it was issued by, and at no other', async (t) => {
  const [here = '', there = ''] = bases();
  const { json } = await tokenAt(here, { ...WEB, ...ALICE_LOGIN, scope: 'openid' });
  t.is(claimsOf(String(json.access_token)).iss, `${here}/realms/demo`);
  const userinfo = async (base: string) => {
    const headers = bearer(String(json.access_token));
    return (await fetchAnswer(`${base}/realms/demo/protocol/openid-connect/userinfo`, { headers })).status;
  };
  t.deepEqual([await userinfo(here), await userinfo(there)], [200, 401]);
  const renewal = { ...WEB, grant_type: 'refresh_token', refresh_token: String(json.refresh_token) };
  t.is((await tokenAt(there, renewal)).status, 400);
  t.is((await tokenAt(here, renewal)).status, 200);
});

test('loopback names: a link has the name that it was requested at, and works there', async (t) => {
  for (const base of bases()) {
    const { json } = await fetchAnswer(`${base}/realms/demo/newsletter/generate-token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...basic('nl', 'nl-secret') },
      body: JSON.stringify({ userId: ALICE, applicationId: '42' }),
    });
    t.true(String(json.link).startsWith(`${base}/realms/demo/login-actions/action-token?key=`), String(json.link));
    const followed = await fetchAnswer(String(json.link));
    t.is(followed.status, 200, followed.text);
    t.is(claimsOf(String(followed.json.access_token)).iss, `${base}/realms/demo`);
  }
});

test('loopback names: the Admin REST API and the account answer by either name', async (t) => {
  const administered = await startAdministered(t, { realms: [testRealm('demo')] });
  for (const name of ['127.0.0.1', 'localhost']) {
    const base = `http://${name}:${portOf(administered)}`;
    const login = { grant_type: 'password', client_id: 'admin-cli', ...ROOT };
    const { json } = await tokenAt(base, login, 'master');
    const headers = { ...bearer(String(json.access_token)), 'content-type': 'application/json' };
    const body = JSON.stringify({ username: `new-${name}` });
    const made = await fetchAnswer(`${base}/admin/realms/demo/users`, { method: 'POST', headers, body });
    t.is(made.status, 201, made.text);
    t.true(made.headers.get('location')?.startsWith(`${base}/admin/realms/demo/users/`));
    const other = `http://${name === 'localhost' ? '127.0.0.1' : 'localhost'}:${portOf(administered)}`;
    t.is((await fetchAnswer(`${other}/admin/realms/demo/users`, { headers })).status, 401);
    const document = await fetchAnswer(`${base}/admin/openapi.json`);
    t.true(document.text.includes(`"${base}`), 'the servers of the OpenAPI document');
    const account = await new Browser().open(`${base}/realms/demo/account`);
    t.is(account.location?.origin, base);
    t.true(account.location?.searchParams.get('redirect_uri')?.startsWith(`${base}/realms/demo/account`));
  }
});
