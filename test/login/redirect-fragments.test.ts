import test from 'ava';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, type CodeRequest, codeRequest, formAction, signIn } from '../helpers/form-browser.js';
import type { Answer } from '../helpers/host.js';
import { post } from '../helpers/login.js';
import { shareHost } from '../helpers/shared-host.js';

const host = shareHost(test, { realms: [codeRealm('demo')] });
const APP = 'http://127.0.0.1:9997/app';
/** The redirect URI of keycloak-js on a page whose routes are fragments. */
const USERS = `${APP}/index.html?tenant=1#/users`;

const request = (redirect_uri: string, changes: Record<string, string> = {}): CodeRequest =>
  codeRequest(host(), { client_id: 'app', redirect_uri, ...changes });

const redeem = (redirect_uri: string, code: string | null, code_verifier: string): Promise<Answer> =>
  post(host(), 'token', {
    grant_type: 'authorization_code',
    client_id: 'app',
    code: code ?? '',
    redirect_uri,
    code_verifier,
  });

test('redirect fragments: an answer in the query goes before the fragment of the address, and its code is good for that address', async (t) => {
  const { url, verifier } = request(USERS);
  const back = (await signIn(new Browser(), url)).location;
  t.is(`${back?.origin}${back?.pathname}${back?.hash}`, `${APP}/index.html#/users`);
  t.deepEqual([back?.searchParams.get('tenant'), back?.searchParams.get('state')], ['1', 'the-state']);
  const code = back?.searchParams.get('code') ?? null;
  t.is((await redeem(USERS, code, verifier)).status, 200);
  const other = request(USERS);
  const again = (await signIn(new Browser(), other.url)).location?.searchParams.get('code') ?? null;
  t.is((await redeem(USERS.replace('#/users', ''), again, other.verifier)).status, 400);
});

test('redirect fragments: a response in the fragment keeps the fragment of the redirect URI', async (t) => {
  for (const [redirect_uri, begins] of [
    [USERS, '#/users&state=the-state&session_state='],
    [`${APP}/#`, '#state=the-state&session_state='],
    [`${APP}/#/a?b=1#c`, '#/a?b=1#c&state=the-state&session_state='],
  ] as const) {
    const { url, verifier } = request(redirect_uri, { response_mode: 'fragment' });
    const back = (await signIn(new Browser(), url)).location;
    t.true(back?.hash.startsWith(begins), back?.href);
    const code = new URLSearchParams(back?.hash.slice(1)).get('code');
    t.is((await redeem(redirect_uri, code, verifier)).status, 200);
  }
});

test('redirect fragments: a form is posted to the whole address, and an error is answered as a code is', async (t) => {
  const posted = await signIn(new Browser(), request(USERS, { response_mode: 'form_post' }).url);
  t.is(posted.status, 200);
  t.is(formAction(posted), USERS);
  const silent = (mode: string) =>
    new Browser().open(request(USERS, { response_mode: mode, prompt: 'none' }).url).then(({ location }) => location);
  t.regex((await silent('query'))?.href ?? '', /\?tenant=1&state=the-state&error=login_required&iss=[^#]+#\/users$/);
  t.regex((await silent('fragment'))?.href ?? '', /\?tenant=1#\/users&state=the-state&error=login_required&iss=/);
});

test('redirect fragments: logout redirects to the fragment, with the state before it', async (t) => {
  const browser = new Browser();
  const { url, verifier } = request(USERS);
  const code = (await signIn(browser, url)).location?.searchParams.get('code') ?? null;
  const { id_token } = (await redeem(USERS, code, verifier)).json;
  const leave = (client_id: string, post_logout_redirect_uri: string) => {
    const hint: Record<string, string> = client_id === 'app' ? { id_token_hint: String(id_token) } : {};
    const query = new URLSearchParams({ client_id, ...hint, post_logout_redirect_uri, state: 's' });
    return browser.open(`${host().oidc('demo')}/logout?${query}`);
  };
  t.is((await leave('plain', USERS)).status, 400);
  t.is((await leave('app', 'https://evil.test/#http://127.0.0.1:9997/app/')).status, 400);
  t.is((await leave('app', `${APP}/#state=x`)).status, 400);
  const back = await leave('app', USERS);
  t.is(back.location?.href, USERS.replace('#', '&state=s#'));
});
