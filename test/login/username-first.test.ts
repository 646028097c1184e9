import test from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, codeRequest, unescapeHtml, type Visit } from '../helpers/form-browser.js';
import { inRealm, startHost, type TestHost } from '../helpers/host.js';
import { HandMade } from '../helpers/passkeys.js';
import { idIn } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';
import { flow, inner, step } from '../helpers/weak-flows.js';

const shared = shareHost(test, { realms: [] });

const NAME = step('auth-username-form');
const PASSWORD = step('auth-password-form');
const OWN = { browserFlow: 'own', authenticationFlows: [flow('own', NAME, PASSWORD)] };
const RIGHT = 'Alice-pass-1!';

const startRealm = (changes: Partial<RealmRepresentation> = {}) =>
  inRealm(shared(), (name) =>
    codeRealm(name, { providers: {}, rememberMe: true, resetPasswordAllowed: true, ...OWN, ...changes }),
  );

const fieldsOf = ({ text }: Visit) =>
  [...text.matchAll(/<input(?![^>]*type="hidden")[^>]*? name="([^"]+)"/g)].map(([, name]) => name);
const told = ({ text }: Visit) => /class="alert-text">([^<]*)/.exec(text)?.[1];
const isIn = ({ location }: Visit) => location?.searchParams.has('code') === true;
const linkOf = (page: Visit, id: string) =>
  new URL(unescapeHtml(new RegExp(`id="${id}" href="([^"]*)"`).exec(page.text)?.[1] ?? ''), page.url).href;

async function named(host: TestHost, fields: Record<string, string>, changes: Record<string, string> = {}) {
  const browser = new Browser();
  const first = await browser.open(codeRequest(host, changes).url);
  return { browser, first, page: await browser.submit(first, fields) };
}

const UNKNOWN = 'Invalid username or email.';
/** As Keycloak answers a username typed on the first page. */
const NAMES: readonly { typed: string; byEmail?: boolean; says?: string }[] = [
  { typed: '', says: UNKNOWN },
  { typed: 'nobody', says: UNKNOWN },
  { typed: 'service-account-svc', says: UNKNOWN },
  { typed: 'x'.repeat(5000), says: UNKNOWN },
  { typed: 'nobody', byEmail: false, says: 'Invalid username.' },
  { typed: 'alice@example.test', byEmail: false, says: 'Invalid username.' },
  { typed: 'alice' },
  { typed: ' alice@example.test ' },
];

test('username first: the first page asks for a name alone, and reports an unknown one', async (t) => {
  for (const { typed, byEmail = true, says } of NAMES) {
    const host = await startRealm({ loginWithEmailAllowed: byEmail });
    const { first, page } = await named(host, { username: typed });
    t.deepEqual(fieldsOf(first), ['username', 'rememberMe']);
    t.notRegex(first.text, /kc-forgot-password/, 'Keycloak offers that with the password');
    t.is(told(page), says, typed.slice(0, 20));
    t.deepEqual(fieldsOf(page), says === undefined ? ['username', 'password'] : ['username', 'rememberMe']);
    const [event] = await host.stored(host.defaultRealm);
    t.is(event?.type, says && 'LOGIN_ERROR');
  }
});

test('username first: the second page asks for the password of the named user, and shows the typed name', async (t) => {
  const host = await startRealm();
  const { browser, page } = await named(host, { username: 'alice@example.test', rememberMe: 'on' });
  t.regex(page.text, /value="alice@example.test"[^>]* readonly/);
  t.regex(page.text, /kc-forgot-password/);
  const empty = await browser.submit(page, { password: '' });
  const wrong = await browser.submit(empty, { password: 'wrong', username: 'dave' });
  t.deepEqual([told(empty), told(wrong)], ['Invalid password.', 'Invalid password.']);
  t.true(isIn(await browser.submit(wrong, { password: RIGHT, username: 'dave' })));
  t.true(browser.cookies.has('KEYCLOAK_REMEMBER_ME'), 'what was chosen on the first page counts');
  const events = await host.stored(host.defaultRealm);
  t.deepEqual(
    events.map(({ type, error }) => error ?? type),
    ['LOGIN', 'invalid_user_credentials', 'invalid_user_credentials'],
  );
  t.is(new Set(events.map(({ userId }) => userId)).size, 1);
  t.true(isIn(await browser.open(codeRequest(host).url)) === false, 'the flow has no step for the session');
});

test('username first: a user with a typing error begins again, and a hint or the remembered name is on the first page', async (t) => {
  const host = await startRealm();
  const { browser, page } = await named(host, { username: 'dave', rememberMe: 'on' });
  const again = await browser.open(linkOf(page, 'reset-login'));
  t.deepEqual(fieldsOf(again), ['username', 'rememberMe']);
  const next = await browser.submit(again, { username: 'alice', rememberMe: 'on' });
  t.true(isIn(await browser.submit(next, { password: RIGHT })));
  const shown = async (changes: Record<string, string>) =>
    /id="username"[^>]* value="([^"]*)"/.exec((await browser.open(codeRequest(host, changes).url)).text)?.[1];
  browser.cookies.delete('KEYCLOAK_IDENTITY');
  t.is(await shown({}), 'alice');
  t.is(await shown({ login_hint: 'hinted' }), 'hinted');
});

test('username first: re-authentication does not ask for the name, and no other user can take over', async (t) => {
  const host = await startRealm();
  const { browser, page } = await named(host, { username: 'alice' });
  await browser.submit(page, { password: RIGHT });
  const again = await browser.open(codeRequest(host, { prompt: 'login' }).url);
  t.deepEqual(fieldsOf(again), ['username', 'password']);
  t.notRegex(again.text, /reset-login/);
  t.is(told(await browser.submit(again, { username: 'dave', password: 'Dave-pass-1!' })), 'Invalid password.');
});

test('username first: a link for a forgotten password is on the password page, and forgets the name', async (t) => {
  const host = await startRealm();
  const { browser, page } = await named(host, { username: 'dave' });
  const forgot = await browser.open(linkOf(page, 'kc-forgot-password'));
  t.deepEqual([forgot.status, fieldsOf(forgot)], [200, ['username']]);
  const back = await browser.submit(forgot, { 'cancel-aia': 'true' });
  t.deepEqual(fieldsOf(back), ['username', 'rememberMe']);
  t.is((await browser.submit(page, { password: 'Dave-pass-1!' })).status, 400, 'the page from before');
});

test('username first: other steps can replace the password', async (t) => {
  const key = new HandMade();
  const passwordless = 'webauthn-authenticator-passwordless';
  const host = await inRealm(shared(), (name) => {
    const realm = codeRealm(name, {
      providers: {},
      browserFlow: 'own',
      authenticationFlows: [
        flow('own', NAME, inner('proof')),
        flow('proof', step('auth-password-form', 'ALTERNATIVE'), step(passwordless, 'ALTERNATIVE')),
      ],
    });
    const [alice, ...users] = realm.users ?? [];
    if (alice === undefined) throw new Error('the realm has no alice');
    const both = { ...alice, credentials: [...(alice.credentials ?? []), key.stored('webauthn-passwordless')] };
    const bare = { ...alice, id: undefined, username: 'bare', email: 'bare@example.test' };
    return {
      ...realm,
      users: [both, ...users, { ...bare, credentials: [new HandMade().stored('webauthn-passwordless')] }],
    };
  });
  const { browser, page } = await named(host, { username: 'alice' });
  t.deepEqual(fieldsOf(page), ['username', 'password']);
  const execution = /name="authenticationExecution" value="([^"]*)"/.exec(page.text)?.[1] ?? '';
  t.regex(page.text, />\s*Passkey\s*</);
  const asked = await browser.submit(page, { authenticationExecution: execution });
  t.regex(asked.text, />\s*Password\s*</);
  t.true(isIn(await browser.submit(asked, { credential: key.assertion(asked) })));
  const without = await named(host, { username: 'bare' });
  t.regex(without.page.text, /data-webauthn="get"/, 'who has no password is asked for the passkey');
});

test('username first: a passkey on the first page replaces name and password', async (t) => {
  const key = new HandMade();
  const changes = { providers: {}, ...OWN, webAuthnPolicyPasswordlessPasskeysEnabled: true };
  const realm = codeRealm('demo', changes);
  const users = (realm.users ?? []).map((user) =>
    user.username === 'alice'
      ? { ...user, credentials: [...(user.credentials ?? []), key.stored('webauthn-passwordless')] }
      : user,
  );
  // Passkeys require a host name.
  const host = await startHost(t, { realms: [{ ...realm, users }], argv: ['--http-host', 'localhost'] });
  const browser = new Browser();
  const page = await browser.open(codeRequest(host).url);
  t.deepEqual(fieldsOf(page), ['username']);
  t.true(isIn(await browser.submit(page, { credential: key.assertion(page, { userHandle: idIn('demo') }) })));
  const again = await browser.open(codeRequest(host, { prompt: 'login' }).url);
  t.regex(again.text, /data-webauthn="get"/, 'who signs in again may do so with it');
  t.true(isIn(await browser.submit(again, { credential: key.assertion(again, { userHandle: idIn('demo') }) })));
  const other = await named(host, { username: 'alice' });
  t.regex(other.page.text, /data-webauthn="get"/);
  t.notRegex(
    other.page.text,
    new RegExp(key.id.toString('base64url')),
    'a name does not tell which passkeys there are',
  );
});
