import test, { type ExecutionContext } from 'ava';
import type {
  CredentialRepresentation,
  ExecutionRepresentation,
  RealmRepresentation,
} from '../../core/model/representation.js';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, codeRequest, signIn, unescapeHtml, type Visit } from '../helpers/form-browser.js';
import { inRealm, type TestHost } from '../helpers/host.js';
import { startMailServer } from '../helpers/mail-server.js';
import { testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';
import { flow, isOutside, refusal, step, storeDirectly } from '../helpers/weak-flows.js';

const shared = shareHost(test, { realms: [] }, /no step verified the user|ECONN|ESOCKET/);

const USER = step('reset-credentials-choose-user');
const MAIL = step('reset-credential-email');
const PASSWORD = step('reset-password');
const APPS = step('reset-otp', 'REQUIRED', { authenticatorConfig: 'all' });
const CONFIGS = [{ alias: 'all', config: { action_on_otp_reset_flag: 'Remove all' } }];
const OTP: CredentialRepresentation = {
  type: 'otp',
  secretData: JSON.stringify({ value: 'rkQ2mYqH1bX0c9ZpLw7T' }),
  credentialData: JSON.stringify({ subType: 'totp', digits: 6, counter: 0, period: 30, algorithm: 'HmacSHA1' }),
};
const NEW = { 'password-new': 'Evil-pass-1!', 'password-confirm': 'Evil-pass-1!' };
const ALICE = { username: 'alice', password: 'Alice-pass-1!' };

async function scene(
  t: ExecutionContext,
  steps: readonly ExecutionRepresentation[],
  { apps = false, ...changes }: Partial<RealmRepresentation> & { apps?: boolean } = {},
) {
  const server = await startMailServer(t);
  const host = await inRealm(shared(), (name) => {
    const realm = codeRealm(name, {
      providers: {},
      resetPasswordAllowed: true,
      smtpServer: server.settings,
      resetCredentialsFlow: 'own',
      authenticationFlows: [flow('own', ...steps)],
      authenticatorConfig: CONFIGS,
      ...changes,
    });
    const users = (realm.users ?? []).map((user) =>
      apps && user.username === 'alice' ? { ...user, credentials: [...(user.credentials ?? []), OTP] } : user,
    );
    return { ...realm, users };
  });
  return { host, server };
}

/** The page for the username, in a new login or in the browser's. */
async function forgot(host: TestHost, browser: Browser, changes: Record<string, string> = {}): Promise<Visit> {
  const page = await browser.open(codeRequest(host, changes).url);
  const link = /id="kc-forgot-password" href="([^"]*)"/.exec(page.text)?.[1] ?? '';
  return browser.open(new URL(unescapeHtml(link), page.url).href);
}

const isIn = ({ location }: Visit) => location?.searchParams.has('code') === true;

test('T699 · reset password: a flow without an email resets nothing, and no realm file has one', async (t) => {
  const { host } = await scene(t, [USER, MAIL, PASSWORD]);
  const weak = [flow('weak', USER, PASSWORD)];
  const changes = { resetPasswordAllowed: true, resetCredentialsFlow: 'weak', authenticationFlows: weak };
  t.regex(await refusal(t, host, testRealm('file', changes)), /resetCredentialsFlow.*anyone can sign in as any user/);
  await storeDirectly(host, () => changes);
  const browser = new Browser();
  const page = await browser.submit(await forgot(host, browser), { username: 'alice' });
  isOutside(t, page, 'by a name');
  t.true(isIn(await signIn(new Browser(), codeRequest(host).url, ALICE)));
});

test('T700 · reset password: credentials that a flow resets before the email are reset by the link alone', async (t) => {
  const { host, server } = await scene(t, [USER, APPS, PASSWORD, MAIL], { apps: true });
  const browser = new Browser();
  const after = await browser.submit(await forgot(host, browser), { username: 'alice' });
  t.regex(after.text, /kc-form-login/);
  const user = await host.users.byUsername(await host.loadedRealm(host.defaultRealm), 'alice');
  t.true(
    user?.credentials.some(({ type }) => type === 'otp'),
    'the app is there still',
  );
  const { link } = await server.mail(0);
  t.regex((await browser.open(link)).text, /name="totp"/);
});

test('T701 · reset password: a session, a password and another user’s session are no link', async (t) => {
  const { host, server } = await scene(t, [USER, step('auth-password-form'), MAIL, PASSWORD]);
  const browser = new Browser();
  const asked = await browser.submit(await forgot(host, browser), { username: 'alice' });
  const sent = await browser.submit(asked, { password: ALICE.password });
  t.false(isIn(sent), 'the password before the mail signs nobody in');
  t.notRegex(sent.text, /password-new/);
  await server.mail(0);

  const plain = await scene(t, [USER, step('auth-cookie', 'ALTERNATIVE'), MAIL, PASSWORD]);
  const signedIn = new Browser();
  t.true(isIn(await signIn(signedIn, codeRequest(plain.host).url, ALICE)));
  for (const username of ['dave', 'nobody', 'alice']) {
    const page = await signedIn.submit(await forgot(plain.host, signedIn, { prompt: 'login' }), { username });
    t.notRegex(page.text, /password-new/, username);
    t.false(isIn(page), username);
  }
  await plain.server.mail(0);
  t.is(plain.server.received.length, 1, 'alice asked for one, and nobody’s name mails none to whoever is signed in');
});

test('T702 · reset password: the answer to a name and its page are the same for everybody', async (t) => {
  const { host } = await scene(t, [USER, MAIL, PASSWORD]);
  const bare = ({ text }: Visit) =>
    text.replaceAll(/(?:session_code|tab_id|execution|client_data)=[^"&]*/g, '').replaceAll(/nonce="[^"]*"/g, '');
  const answers = new Set<string>();
  for (const username of ['alice', 'carol', 'dave', 'service-account-nl', 'nobody']) {
    const browser = new Browser();
    answers.add(bare(await browser.submit(await forgot(host, browser), { username })));
  }
  t.is(answers.size, 1);
});

test('T703 · reset password: a link whose flow asks for nothing is used once, and not after its revocation', async (t) => {
  const { host, server } = await scene(t, [USER, MAIL]);
  const browser = new Browser();
  await browser.submit(await forgot(host, browser), { username: 'alice' });
  const { link } = await server.mail(0);
  await browser.submit(await forgot(host, browser), { username: 'alice' });
  const { link: newer } = await server.mail(1);
  t.false(isIn(await browser.open(link)), 'a newer one was mailed');
  t.true(isIn(await browser.open(newer)));
  const other = new Browser();
  const again = await other.open(newer);
  t.deepEqual([again.status, isIn(again)], [400, false]);
});

test('T704 · reset password: the page of the name takes no other user’s place, and no form changes a password without the link', async (t) => {
  const { host } = await scene(t, [USER, MAIL, PASSWORD]);
  const browser = new Browser();
  const asked = await forgot(host, browser);
  const page = await browser.submit(asked, { username: 'alice', ...NEW });
  t.regex(page.text, /kc-form-login/);
  const later = await browser.submit(page, { ...ALICE, password: 'wrong' });
  t.false(isIn(later));
  t.true(isIn(await signIn(new Browser(), codeRequest(host).url, ALICE)), 'the password is as it was');
});
