import test, { type ExecutionContext } from 'ava';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, CALLBACK, codeRequest, signIn, unescapeHtml, type Visit } from '../helpers/form-browser.js';
import { claimsOf, fetchAnswer } from '../helpers/host.js';
import { logIn, post, WEB } from '../helpers/login.js';
import { shareHost } from '../helpers/shared-host.js';

const host = shareHost(test, { realms: [codeRealm('demo', { displayName: '<i>Demo</i>' })] });

const open = (changes: Record<string, string | undefined>, more = '') =>
  new Browser().open(`${codeRequest(host(), changes).url}${more}`);

/** Checks that the response is at the client's own redirect URI, by this issuer. @returns its parameters */
function told(t: ExecutionContext, { location, status, text }: Visit, what: string): URLSearchParams {
  t.is(status, 302, `${what} ${text.slice(0, 300)}`);
  t.is(`${location?.origin}${location?.pathname}`, CALLBACK, what);
  const parameters = location?.searchParams ?? new URLSearchParams();
  t.is(parameters.get('iss'), host().realm('demo'), what);
  t.is(parameters.get('code'), null, what);
  return parameters;
}

async function refuses(t: ExecutionContext, changes: Record<string, string | undefined>, error: RegExp): Promise<void> {
  const what = JSON.stringify(changes).slice(0, 200);
  const parameters = told(t, await open(changes), what);
  t.regex(parameters.get('error') ?? '', error, what);
  if (!('state' in changes)) t.is(parameters.get('state'), 'the-state', what);
}

const shown = (t: ExecutionContext, page: Visit, what: string) => {
  t.is(page.status, 200, `${what} ${page.location}`);
  t.regex(page.text, /id="password"/, what);
};

test('T010 T013 · authorization request: GET and POST show the login page, and unknown parameters change nothing', async (t) => {
  shown(t, await open({}), 'GET');
  shown(t, await open({ extra: 'foobar', __proto__x: '1', 'a[b]': 'c' }), 'unknown parameters');
  const { url } = codeRequest(host(), { extra: 'foobar' });
  const [address = '', query = ''] = url.split('?');
  shown(t, await new Browser().open(address, { method: 'POST', body: new URLSearchParams(query) }), 'POST');
  const mixed = await new Browser().open(url, { method: 'POST', body: new URLSearchParams({ state: 'x' }) });
  t.is(mixed.status, 400, 'the query of a POST is not the request');
  for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x']) {
    const headers = { 'content-type': type };
    const odd = await new Browser().open(address, { method: 'POST', body: '{}', headers });
    t.true(odd.status >= 400 && odd.status < 500, type);
  }
});

test('T011 T012 T017 · authorization request: response types other than code are refused, and a missing one too', async (t) => {
  await refuses(t, { response_type: undefined }, /^invalid_request$/);
  for (const type of ['token', 'id_token', 'id_token token', 'code token', 'code id_token', 'foo', 'code code', 'CODE'])
    await refuses(t, { response_type: type }, /^unsupported_response_type$/);
});

test('T016 · authorization request: state comes back as it was sent, or is refused', async (t) => {
  const fine = ['x'.repeat(2048), 'zoë 日本 \u{1f600}', '"\'<>&=#?+%', 'a b+c%20d', '%00', '../../', '[object Object]'];
  for (const state of fine) {
    const silent = told(t, await open({ state, prompt: 'none' }), state.slice(0, 20));
    t.deepEqual([silent.get('error'), silent.get('state')], ['login_required', state]);
    const back = await signIn(new Browser(), codeRequest(host(), { state }).url);
    t.is(back.location?.searchParams.get('state'), state);
    t.is(back.location?.searchParams.get('iss'), host().realm('demo'));
  }
  for (const state of ['\u0000', 'a\r\nset-cookie: evil=1', 'x'.repeat(5000)]) {
    const back = await open({ state });
    t.is(told(t, back, 'odd').get('error'), 'invalid_request');
    t.is(back.headers.get('set-cookie'), null);
  }
});

test('T015 · authorization request: a parameter that comes twice is refused, on a page where it names the client', async (t) => {
  for (const name of ['client_id', 'redirect_uri']) {
    const page = await open({}, `&${name}=http%3A%2F%2Fevil.test`);
    t.deepEqual([page.status, page.location], [400, undefined], name);
  }
  for (const name of [
    'state',
    'scope',
    'nonce',
    'prompt',
    'code_challenge',
    'extra',
    'response_type',
    'response_mode',
  ]) {
    const error = told(t, await open({ extra: '1', prompt: 'login', response_mode: 'query' }, `&${name}=x`), name);
    t.is(error.get('error'), 'invalid_request', name);
  }
});

test('T020 T218 · authorization request: hints are taken, filled in and shown as text', async (t) => {
  const hints = { display: 'popup', ui_locales: 'se', claims_locales: 'se', acr_values: '1 2', id_token_x: 'x' };
  for (const [name, value] of Object.entries(hints)) shown(t, await open({ [name]: value }), name);
  shown(t, await open({ claims: '{"id_token":{"name":{"essential":true}}}' }), 'claims');
  for (const hint of ['alice', '"><script>alert(1)</script>', "' autofocus onfocus='alert(1)", '{{7*7}}', '</title>']) {
    const page = await open({ login_hint: hint, ui_locales: hint, scope: 'openid' });
    shown(t, page, hint);
    const value = /<input[^>]*\sid="username"[^>]*>/.exec(page.text)?.[0] ?? '';
    t.is(unescapeHtml(/\svalue="([^"]*)"/.exec(value)?.[1] ?? ''), hint);
    t.notRegex(page.text, /<script>alert|<i>Demo/);
    const again = await signIn(new Browser(), codeRequest(host()).url, { username: hint, password: hint });
    shown(t, again, hint);
    t.notRegex(again.text, /<script>alert| onfocus='/);
  }
});

test('T021 · authorization request: unsupported parameters are refused by name, and discovery does not offer them', async (t) => {
  const request = 'eyJhbGciOiJub25lIn0.eyJyZXNwb25zZV90eXBlIjoiY29kZSJ9.';
  await refuses(t, { request }, /^request_not_supported$/);
  await refuses(t, { request_uri: 'https://evil.test/request' }, /^request_uri_not_supported$/);
  await refuses(t, { registration: '{}' }, /^registration_not_supported$/);
  const bare = { response_type: undefined };
  await refuses(t, { ...bare, request }, /^request_not_supported$/);
  await refuses(t, { ...bare, request_uri: 'https://evil.test/request' }, /^request_uri_not_supported$/);
  const { json } = await fetchAnswer(`${host().realm('demo')}/.well-known/openid-configuration`);
  const document = json as Record<string, unknown>;
  for (const name of ['request_parameter', 'request_uri_parameter']) t.is(document[`${name}_supported`], false, name);
  t.is(document.backchannel_authentication_endpoint, undefined);
  t.deepEqual(document.response_types_supported, ['code', 'none']);
  t.deepEqual(document.code_challenge_methods_supported, ['S256']);
});

test('T022 · authorization request: the answer is in query, fragment or form, and in nothing else', async (t) => {
  for (const mode of ['query', 'fragment', 'form_post']) shown(t, await open({ response_mode: mode }), mode);
  for (const mode of ['query.jwt', 'jwt', 'foo', 'QUERY', 'form_post.jwt'])
    await refuses(t, { response_mode: mode }, /^invalid_request$/);
});

test('T023 · authorization request: a nonce comes back exactly, or is refused', async (t) => {
  for (const nonce of ['n'.repeat(3900), '"><b>日本 \u{1f600}&=%00']) {
    const { verifier, url } = codeRequest(host(), { nonce });
    const code = (await signIn(new Browser(), url)).location?.searchParams.get('code') ?? '';
    const form = { ...WEB, grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier };
    const { json, text } = await post(host(), 'token', form);
    t.is(claimsOf(String(json.id_token)).nonce, nonce, text);
  }
  for (const nonce of ['n'.repeat(4001), 'a\u0000b', 'a\nb']) await refuses(t, { nonce }, /^invalid_request$/);
});

test('T039 · authorization request: a form that posts itself holds values as text, runs nothing of theirs and is not kept', async (t) => {
  const state = '"><script>alert(1)</script>';
  for (const prompt of ['login', 'none']) {
    const { url } = codeRequest(host(), { response_mode: 'form_post', state, prompt });
    const page = prompt === 'none' ? await new Browser().open(url) : await signIn(new Browser(), url);
    t.is(page.status, 200);
    t.is(page.headers.get('content-type'), 'text/html; charset=utf-8');
    t.regex(page.headers.get('cache-control') ?? '', /no-store/);
    const policy = page.headers.get('content-security-policy') ?? '';
    t.regex(policy, /script-src '(sha256|nonce)-|default-src 'none'/);
    t.notRegex(policy, /unsafe-inline|unsafe-eval/);
    t.notRegex(page.text, /<script>alert/);
    t.regex(page.text, /name="state" value="[^"<>]*script[^"<>]*"/);
  }
});

test('T123 · authorization request: a hint about another user is respected, and no other token is a hint', async (t) => {
  const { access_token, refresh_token, id_token } = await logIn(host());
  for (const id_token_hint of [access_token, refresh_token, 'rubbish'])
    await refuses(t, { id_token_hint, prompt: 'none' }, /^invalid_request$/);
  await refuses(t, { id_token_hint: id_token, prompt: 'none' }, /^login_required$/);
});

test('T201 · authorization request: HEAD of the login page has the headers of GET and no body', async (t) => {
  const { url } = codeRequest(host());
  const head = await fetchAnswer(url, { method: 'HEAD' });
  const full = await fetchAnswer(url);
  const names = (headers: Headers) =>
    [...headers.keys()].filter((name) => !/^(date|connection|keep-alive)$/.test(name));
  t.deepEqual([head.status, head.text, names(head.headers)], [full.status, '', names(full.headers)]);
});

test('T010 · authorization request: a request that cannot be read gets a page', async (t) => {
  const queries = ['client_id=%ZZ', '%', 'client_id=web&redirect_uri=%FF', 'a&'.repeat(300), '', 'client_id=', '&&=&='];
  for (const query of queries) {
    const page = await new Browser().open(`${host().oidc('demo')}/auth?${query}`);
    t.deepEqual([page.status, page.location], [400, undefined], query);
    t.is(page.headers.get('content-type'), 'text/html; charset=utf-8', query);
  }
});
