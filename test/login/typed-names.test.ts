import test, { type ExecutionContext } from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, codeRequest, follow, unescapeHtml, type Visit } from '../helpers/form-browser.js';
import { inRealm } from '../helpers/host.js';
import { pluginSource } from '../helpers/plugins.js';
import { shareHost } from '../helpers/shared-host.js';

/**
 * `name-first` asks for a username only, and sends names of `partner.test` to the identity provider with that alias.
 * `link-first` shows a link that continues the login; its handler is in the same plugin.
 */
const PLUGIN = pluginSource(import.meta.url, 'plugins/names.js');

const shared = shareHost(
  test,
  { realms: [], plugins: [{ module: 'names' }], packages: { names: PLUGIN } },
  // The error for a login name that does not exist.
  /login must be the `login` of the context/,
);

const steps = (...authenticators: string[]): Partial<RealmRepresentation> => ({
  browserFlow: 'own',
  authenticationFlows: [
    {
      alias: 'own',
      providerId: 'basic-flow',
      topLevel: true,
      authenticationExecutions: authenticators.map((authenticator, priority) => ({
        authenticator,
        requirement: 'REQUIRED',
        priority,
      })),
    },
  ],
});

const withSteps = (changes: Partial<RealmRepresentation>) =>
  inRealm(shared(), (name) =>
    codeRealm(name, { providers: { 'action-token-handler': { 'names-link': { enabled: true } } }, ...changes }),
  );

const NAME_FIRST = steps('name-first', 'auth-username-password-form');

/** The page's text without parts that differ between logins, and with the typed name replaced by X. */
const said = ({ text }: Visit, typed: string) =>
  text
    .replaceAll(typed, 'X')
    .replaceAll(/(?:session_code|tab_id|execution|client_data)=[^"&]*/g, '')
    .replaceAll(/nonce="[^"]*"|nonce-[^']*/g, '');

async function typed(host: Awaited<ReturnType<typeof withSteps>>, username: string) {
  const browser = new Browser();
  return { browser, page: await browser.submit(await browser.open(codeRequest(host).url), { username }) };
}

test('typed names: the page after a typed name is the same for every name, and the password decides', async (t) => {
  const host = await withSteps({ ...NAME_FIRST, rememberMe: true, loginWithEmailAllowed: true });
  const known = await typed(host, 'alice@example.test');
  const unknown = await typed(host, 'nobody@example.test');
  t.is(said(known.page, 'alice@example.test'), said(unknown.page, 'nobody@example.test'));
  t.regex(known.page.text, /value="alice@example.test"[^>]* readonly/);

  const wrong = await known.browser.submit(known.page, { password: 'wrong', username: 'dave' });
  const none = await unknown.browser.submit(unknown.page, { password: 'Alice-pass-1!', username: 'alice' });
  t.is(said(wrong, 'alice@example.test'), said(none, 'nobody@example.test'));
  t.regex(wrong.text, /Invalid username or password/);
  const done = await known.browser.submit(wrong, { password: 'Alice-pass-1!' });
  t.truthy(done.location?.searchParams.get('code'));
});

test('typed names: a user who typed a wrong name begins again', async (t) => {
  const host = await withSteps(NAME_FIRST);
  const { browser, page } = await typed(host, 'alcie');
  const restart = /id="reset-login" href="([^"]*)"/.exec(page.text)?.[1];
  const again = await browser.open(new URL(unescapeHtml(restart ?? ''), page.url).href);
  const next = await browser.submit(again, { username: 'alice' });
  t.truthy((await browser.submit(next, { password: 'Alice-pass-1!' })).location?.searchParams.get('code'));
});

test('typed names: a step hands the typed name to an identity provider that takes login hints', async (t) => {
  const provider = (loginHint: string) => ({
    alias: 'partner',
    providerId: 'oidc',
    config: {
      authorizationUrl: 'https://partner.test/auth',
      tokenUrl: 'https://partner.test/token',
      clientId: 'host',
      clientSecret: 'secret',
      clientAuthMethod: 'client_secret_post',
      loginHint,
    },
  });
  const hints = async (loginHint: string) => {
    const host = await withSteps({ ...NAME_FIRST, identityProviders: [provider(loginHint)] });
    const { page } = await typed(host, 'paula@partner.test');
    t.is(page.location?.host, 'partner.test');
    return page.location?.searchParams.get('login_hint');
  };
  t.deepEqual([await hints('true'), await hints('false')], ['paula@partner.test', null]);
});

async function linkOf(t: ExecutionContext, host: Awaited<ReturnType<typeof withSteps>>, browser: Browser) {
  const page = await browser.submit(await browser.open(codeRequest(host).url), { username: 'alice' });
  const [link = ''] = /http[^<\s]*action-token\?key=[\w.-]*/.exec(page.text) ?? [];
  t.not(link, '', page.text);
  return link;
}

test('typed names: a step’s link for its login continues it in the same browser, and signs nobody in elsewhere', async (t) => {
  const host = await withSteps(steps('link-first'));
  const browser = new Browser();
  const link = await linkOf(t, host, browser);
  const elsewhere = new Browser();
  const refused = await follow(elsewhere, await elsewhere.open(link));
  t.regex(refused.text, /Your account has been updated|id="kc-page-title"/);
  t.false(elsewhere.cookies.has('KEYCLOAK_IDENTITY'));
  const done = await browser.open(link);
  t.truthy(done.location?.searchParams.get('code'), done.text);
});

test('typed names: an invalid login is refused by name', async (t) => {
  const host = await withSteps(steps('link-first'));
  const browser = new Browser();
  const page = await browser.submit(await browser.open(codeRequest(host).url), { username: 'alice', other: 'x' });
  t.is(page.status, 500);
});
