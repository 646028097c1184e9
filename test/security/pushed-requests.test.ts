import test from 'ava';
import { Browser, CALLBACK, codeRequest, formAction, signIn, type Visit } from '../helpers/form-browser.js';
import { post, WEB, WEB2 } from '../helpers/login.js';
import { testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const host = shareHost(test, { realms: [testRealm('demo'), testRealm('other')] });
const ANSWER = { username: 'alice', password: 'Alice-pass-1!' };

/** Pushes a request. @returns its URL at the authorization endpoint, as the browser gets it */
async function push(changes: Record<string, string> = {}): Promise<string> {
  const { searchParams } = new URL(codeRequest(host()).url);
  const form = { ...Object.fromEntries(searchParams), ...WEB, ...changes };
  const { json } = await post(host(), 'ext/par/request', form);
  return `${host().oidc('demo')}/auth?${new URLSearchParams({ client_id: 'web', request_uri: String(json.request_uri) })}`;
}

/** Everything that a browser gets, also decoded from base64url. */
function handed({ url, text, headers }: Visit): string {
  const raw = [url, text, ...[...headers].map(([name, value]) => `${name}: ${value}`)].join('\n');
  const decoded = (raw.match(/[A-Za-z0-9_-]{16,}/g) ?? []).map((part) => Buffer.from(part, 'base64url').toString());
  return [raw, ...decoded].join('\n');
}

test('T380 · pushed requests: nothing that a client pushed can be read in a cookie, an address or a page of its login', async (t) => {
  const secrets = { state: 'pushed-state-4540', nonce: 'pushed-nonce-4540', acr_values: 'pushed-level-4540' };
  const url = await push({ ...secrets, claims: '{"id_token":{"pushed-claim-4540":null}}' });
  const browser = new Browser();
  const page = await browser.open(url);
  t.true(browser.cookies.has('KC_RESTART'));
  const wrong = await browser.submit(page, { ...ANSWER, password: 'wrong' });
  browser.cookies.delete('AUTH_SESSION_ID');
  const again = await browser.submit(wrong, ANSWER);
  for (const visit of [page, wrong, again]) {
    t.is(visit.status, 200);
    t.notRegex(handed(visit), /4540|code_challenge/);
    t.false(handed(visit).includes(new URL(CALLBACK).host), 'where the answer goes');
  }
  const back = await browser.submit(again, ANSWER);
  t.is(back.location?.searchParams.get('state'), secrets.state, 'the login that began again knows it all');
});

test('T380 · pushed requests: a restart cookie begins a login again in its own realm alone, and is no other kind of token', async (t) => {
  const browser = new Browser();
  const page = await browser.open(await push());
  const restart = browser.cookies.get('KC_RESTART') ?? '';
  const action = formAction(page);
  const thief = new Browser();
  thief.cookies.set('KC_RESTART', restart);
  const elsewhere = await thief.open(action.replace('/demo/', '/other/'), { method: 'POST' });
  t.is(elsewhere.status, 400);
  for (const name of ['KEYCLOAK_IDENTITY', 'AUTH_SESSION_ID']) {
    const other = new Browser();
    other.cookies.set(name, restart);
    const silent = await other.open(codeRequest(host(), { prompt: 'none' }).url);
    t.is(silent.location?.searchParams.get('error'), 'login_required', name);
  }
  t.is((await signIn(browser, codeRequest(host()).url)).status, 302);
  const identity = new Browser();
  identity.cookies.set('KC_RESTART', browser.cookies.get('KEYCLOAK_IDENTITY') ?? '');
  t.is((await identity.open(action, { method: 'POST' })).status, 400);
});

test('T381 · pushed requests: a request_uri that was opened is of no use to another browser, client or realm', async (t) => {
  const url = await push();
  const browser = new Browser();
  const page = await browser.open(url);
  t.is((await browser.open(url.replace('client_id=web&', `client_id=${WEB2.client_id}&`))).status, 400);
  const inOtherRealm = await browser.open(url.replace('/demo/', '/other/'));
  const stranger = new Browser();
  stranger.cookies.set('AUTH_SESSION_ID', 'x'.repeat(24));
  const restarting = new Browser();
  restarting.cookies.set('KC_RESTART', browser.cookies.get('KC_RESTART') ?? '');
  const others = await Promise.all([new Browser(), stranger, restarting].map((one) => one.open(url)));
  for (const refused of [inOtherRealm, ...others]) {
    t.deepEqual([refused.status, refused.location], [400, undefined]);
    t.regex(refused.text, /Invalid parameter: request_uri/);
  }
  t.is((await browser.submit(page, ANSWER)).status, 302, 'and the login goes on');
  for (const one of [browser, new Browser()]) t.is((await one.open(url)).status, 400, 'its login is over');
});
