import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { EXECUTE_ACTIONS_MAIL } from '../../core/login/links/execute-actions.js';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { codeRealm } from '../helpers/code-realm.js';
import {
  Browser,
  CALLBACK,
  codeRequest,
  formAction,
  signIn,
  unescapeHtml,
  type Visit,
} from '../helpers/form-browser.js';
import { fetchAnswer, inRealm, TestClock, type TestHost } from '../helpers/host.js';
import { ALICE_LOGIN, WEB } from '../helpers/login.js';
import { startMailServer } from '../helpers/mail-server.js';
import { shareHost } from '../helpers/shared-host.js';

const ALICE = { username: 'alice', password: 'Alice-pass-1!' };
const GERMAN = { internationalizationEnabled: true, supportedLocales: ['en', 'de'] };

/** The test that moves it runs before the others. */
const clock = new TestClock();
const shared = shareHost(test, { realms: [], clock }, /ECONN|ESOCKET/);

async function scene(t: ExecutionContext, changes: Partial<RealmRepresentation> = {}) {
  const server = await startMailServer(t);
  const more = { smtpServer: server.settings, providers: {}, resetPasswordAllowed: true, ...changes };
  const host = await inRealm(shared(), (name) => {
    const base = codeRealm(name, more);
    const users = (base.users ?? []).map((user) =>
      user.username === 'alice' ? { ...user, emailVerified: false } : user,
    );
    return { ...base, users };
  });
  const realm = await host.realms.get(host.defaultRealm);
  if (realm === undefined) throw new Error('the realm is gone');
  const alice = async () => {
    const user = await host.users.byUsername(realm, 'alice');
    if (user === undefined) throw new Error('alice is gone');
    return user;
  };
  /** Mails the actions of an admin to a user. */
  const ask = async (claims: object, more: object = {}) => {
    const session = host.sessions.create(
      realm,
      { ip: '127.0.0.1', secure: false, providers: host.registry.current },
      'keyhost',
    );
    const mail = {
      kind: EXECUTE_ACTIONS_MAIL,
      locale: 'en',
      requestSource: 'user',
      actions: [{ key: 'requiredAction.UPDATE_PASSWORD' }],
    } as const;
    await host.mails.send(session, await alice(), { ...mail, claims: claims as never, ...more });
    await session.close();
  };
  return { host, server, realm, alice, ask };
}

const code = ({ location }: Visit) => location?.searchParams.get('code');
const keyOf = (address: string) => new URL(address).searchParams.get('key') ?? '';
const heading = ({ text }: Visit) => /<h1[^>]*>([^<]*)/.exec(text)?.[1];
const message = ({ text }: Visit) => /id="kc-(?:info|error)-message">([^<]*)/.exec(text)?.[1];
const NEW = (password: string) => ({ 'password-new': password, 'password-confirm': password });

async function types(host: TestHost): Promise<string[]> {
  const all = await host.stored(host.defaultRealm);
  return all.reverse().map(({ type, error }) => (error === undefined ? type : `${type} ${error}`));
}

test('emailed links: an address is verified by a link that is opened in the same browser', async (t) => {
  const { host, server, alice } = await scene(t, { verifyEmail: true, ...GERMAN });
  t.is(
    (await host.token(host.defaultRealm, { ...WEB, ...ALICE_LOGIN })).json.error_description,
    'Account is not fully set up',
  );
  const browser = new Browser();
  const page = await signIn(browser, codeRequest(host, { ui_locales: 'de' }).url, ALICE);
  t.is(heading(page), 'Bestätigung der E-Mail-Adresse');
  t.true(page.text.includes('alice@example.test'));
  const mail = await server.mail(0);
  t.is(mail.headers.subject, 'E-Mail-Adresse bestätigen');
  t.true(mail.text.includes('5 Minuten'));
  const done = await browser.open(mail.link);
  t.truthy(code(done), done.text);
  t.true((await alice()).view.emailVerified);
  t.true((await types(host)).includes('VERIFY_EMAIL'));
  t.truthy(code(await signIn(new Browser(), codeRequest(host).url, ALICE)));
});

test('emailed links: in another browser a link asks first, verifies once, confirms that afterwards, and the login continues', async (t) => {
  const { host, server, alice } = await scene(t, { verifyEmail: true });
  const browser = new Browser();
  const page = await signIn(browser, codeRequest(host).url, ALICE);
  const again = await browser.submit(page, {});
  t.is(heading(again), 'Email verification');
  const { link: older } = await server.mail(0);
  const { link } = await server.mail(1);
  const phone = new Browser();
  t.is(
    message(await phone.open(older)),
    'Action expired. Request a new link, or start again.',
    'a newer one was mailed',
  );
  for (const init of [{ method: 'HEAD' }, { headers: { 'sec-purpose': 'prefetch' } }]) await phone.open(link, init);
  const asked = await phone.open(link);
  t.regex(asked.text, /Confirm that alice@example.test is your email address/);
  t.false((await alice()).view.emailVerified, 'nothing has happened yet');
  t.is(message(await phone.submit(asked, { key: keyOf(link) })), 'Your email address has been verified.');
  t.is(message(await phone.open(link)), 'Your email address has already been verified.');
  t.is(phone.cookies.get('KEYCLOAK_IDENTITY'), undefined, 'nobody is logged in by it');
  t.truthy(code(await browser.submit(again, {})));
});

test('emailed links: an email that cannot be sent is reported, and can be requested again', async (t) => {
  const { host, server, alice } = await scene(t, {
    verifyEmail: true,
    smtpServer: { host: '127.0.0.1', port: '1', from: 'a@b.test' },
  });
  const browser = new Browser();
  const page = await signIn(browser, codeRequest(host).url, ALICE);
  t.is(page.status, 200);
  t.regex(page.text, /Failed to send the email\. Please try again later/);
  t.false((await alice()).view.emailVerified);
  t.regex((await browser.submit(page, {})).text, /Failed to send the email/);
  t.deepEqual(
    (await types(host)).filter((type) => type.startsWith('SEND')),
    ['SEND_VERIFY_EMAIL_ERROR email_send_failed', 'SEND_VERIFY_EMAIL_ERROR email_send_failed'],
  );
  t.is(server.received.length, 0);
  t.true(host.log.some(({ level, fields }) => level === 'error' && /ECONN|ESOCKET/.test(JSON.stringify(fields))));
});

test('emailed links: an attacker who plants a login’s cookie in another browser gains nothing from the link that is opened there', async (t) => {
  const { host, server } = await scene(t);
  const attacker = new Browser();
  const login = await attacker.open(codeRequest(host).url);
  const address = /id="kc-forgot-password" href="([^"]+)"/.exec(login.text)?.[1] ?? '';
  const asked = await attacker.open(new URL(unescapeHtml(address), host.url).href);
  const waiting = await attacker.submit(asked, { username: 'alice' });
  const victim = new Browser();
  victim.cookies.set('AUTH_SESSION_ID', attacker.cookies.get('AUTH_SESSION_ID') ?? '');
  const form = await victim.open((await server.mail(0)).link);
  t.is(heading(form), 'Update password');
  const stolen = formAction(waiting)
    .replace('authenticate', 'required-action')
    .replace(/execution=[^&]+/, 'execution=UPDATE_PASSWORD');
  for (const guess of [formAction(waiting), stolen]) {
    const answer = await attacker.open(guess, { method: 'POST', body: new URLSearchParams(NEW('of-the-attacker')) });
    t.is(code(answer), undefined);
    t.not(heading(answer), 'Update password');
  }
  t.not(heading(await attacker.open(stolen)), 'Update password');
  t.truthy(code(await victim.submit(form, NEW('of-alice-herself'))));
  t.is((await host.token(host.defaultRealm, { ...WEB, ...ALICE_LOGIN, password: 'of-alice-herself' })).status, 200);
});

test('emailed links: a silent request reports that an action is required, and sends no email', async (t) => {
  const { host, server, realm, alice } = await scene(t);
  const browser = new Browser();
  t.truthy(code(await signIn(browser, codeRequest(host).url, ALICE)));
  await host.users.change(realm, (await alice()).id, (draft) => {
    draft.requiredActions = ['VERIFY_EMAIL'];
  });
  const silent = await browser.open(codeRequest(host, { prompt: 'none' }).url);
  t.is(silent.location?.searchParams.get('error'), 'interaction_required');
  t.is(server.received.length, 0);
});

test('emailed links: without an address there is nothing to verify', async (t) => {
  const users = [
    {
      username: 'plain',
      enabled: true,
      credentials: [{ type: 'password', value: 'Alice-pass-1!' }],
      requiredActions: ['VERIFY_EMAIL'],
    },
  ];
  const host = await inRealm(shared(), (name) => ({
    ...codeRealm(name, { verifyEmail: true, providers: {} }),
    users,
  }));
  t.truthy(code(await signIn(new Browser(), codeRequest(host).url, { username: 'plain', password: 'Alice-pass-1!' })));
});

test('emailed links: a user follows an admin’s link, and is signed in nowhere', async (t) => {
  const { host, server, alice, ask } = await scene(t);
  await ask({ rqac: ['UPDATE_PASSWORD', 'UPDATE_PROFILE'], reduri: CALLBACK }, { clientId: 'web', expiresIn: 43_200 });
  const mail = await server.mail(0);
  t.true(mail.text.includes('Update password') && mail.text.includes('12 hours'));
  const browser = new Browser();
  const asked = await browser.open(mail.link);
  t.regex(asked.text, /Complete these actions for your account alice:[\s\S]*<li>Update password<\/li>/);
  t.false((await alice()).view.emailVerified);
  const profile = await browser.submit(asked, { key: keyOf(mail.link) });
  t.is(heading(profile), 'Update account information');
  const password = await browser.submit(profile, { email: 'alice@example.test', firstName: 'A', lastName: 'E' });
  t.is(heading(password), 'Update password');
  const done = await browser.submit(password, NEW('by-the-link-1'));
  const end = await browser.open(done.location?.href ?? '');
  t.is(message(end), 'Your account has been updated.');
  t.true(end.text.includes(`href="${CALLBACK}"`));
  t.is(browser.cookies.get('KEYCLOAK_IDENTITY'), undefined);
  t.true((await alice()).view.emailVerified, 'who follows a mailed link reads that mail');
  t.is((await host.token(host.defaultRealm, { ...WEB, ...ALICE_LOGIN, password: 'by-the-link-1' })).status, 200);
  t.is(message(await new Browser().open(mail.link)), 'Action expired. Request a new link, or start again.');
});

test.serial(
  'emailed links: a link with one-time actions is spent by the first, others work until they expire; unknown actions and addresses are refused',
  async (t) => {
    const { server, ask, host } = await scene(t);
    await ask({ rqac: ['UPDATE_PROFILE'] });
    const { link } = await server.mail(0);
    for (let times = 0; times < 2; times += 1) {
      const browser = new Browser();
      const profile = await browser.submit(await browser.open(link), { key: keyOf(link) });
      const done = await browser.submit(profile, { email: 'alice@example.test', firstName: 'A', lastName: 'E' });
      t.regex(done.location?.pathname ?? '', /detached-info$/);
    }
    clock.forward(301);
    t.is(message(await new Browser().open(link)), 'Action expired. Request a new link, or start again.');
    await ask({ rqac: ['TERMS_AND_CONDITIONS'] });
    t.is(
      message(await new Browser().open((await server.mail(1)).link)),
      'The link contains invalid required actions. Contact your administrator.',
    );
    await ask({ rqac: ['UPDATE_PASSWORD'], reduri: 'https://evil.test/' }, { clientId: 'web' });
    t.regex((await new Browser().open((await server.mail(2)).link)).text, /For developers: Invalid redirect URI</);
    const odd = await fetchAnswer(
      `${host.realm(host.defaultRealm)}/login-actions/detached-info?client_id=web&redirect_uri=https://evil.test/`,
    );
    t.false(odd.text.includes('evil.test'));
  },
);

test('emailed links: a forgotten password can be requested without a login, and a realm that does not allow it says so', async (t) => {
  const { host, server } = await scene(t);
  const browser = new Browser();
  const page = await browser.open(`${host.realm(host.defaultRealm)}/login-actions/reset-credentials`);
  t.is(heading(page), 'Forgot your password?');
  t.is(
    message(await browser.submit(page, { username: 'alice' })),
    'You should receive an email shortly with further instructions.',
  );
  const form = await browser.open((await server.mail(0)).link);
  const done = await browser.submit(form, NEW('from-outside-1'));
  t.is(message(await browser.open(done.location?.href ?? '')), 'Your account has been updated.');
  t.is(browser.cookies.get('KEYCLOAK_IDENTITY'), undefined);
  const closed = await scene(t, { resetPasswordAllowed: false });
  const refused = await new Browser().open(
    `${closed.host.realm(closed.host.defaultRealm)}/login-actions/reset-credentials`,
  );
  t.deepEqual([refused.status, message(refused)], [400, 'Password reset is not allowed. Contact your administrator.']);
  const login = await new Browser().open(codeRequest(closed.host).url);
  t.false(login.text.includes('kc-forgot-password'));
});

test('emailed links: without a mail server mails are files while things are tried out', async (t) => {
  const { host } = await scene(t, { verifyEmail: true, smtpServer: {} });
  await signIn(new Browser(), codeRequest(host).url, ALICE);
  t.is((await readdir(join(host.dir, 'mail'))).length, 1);
});
