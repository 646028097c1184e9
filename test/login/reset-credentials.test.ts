import test, { type ExecutionContext } from 'ava';
import { codeAt } from '../../core/login/steps/otp/one-time-password.js';
import type {
  AuthenticatorConfigRepresentation,
  CredentialRepresentation,
  ExecutionRepresentation,
  FlowRepresentation,
} from '../../core/model/representation.js';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, codeRequest, follow, unescapeHtml, type Visit } from '../helpers/form-browser.js';
import { inRealm, TestClock } from '../helpers/host.js';
import { startMailServer } from '../helpers/mail-server.js';
import { shareHost } from '../helpers/shared-host.js';
import { flow, inner, step } from '../helpers/weak-flows.js';

const clock = new TestClock();
const shared = shareHost(test, { realms: [], clock });

const SECRETS = ['rkQ2mYqH1bX0c9ZpLw7T', 'aB3dE5fG7hJ9kL1mN2pQ'];
const otp = (value: string, userLabel: string): CredentialRepresentation => ({
  type: 'otp',
  userLabel,
  secretData: JSON.stringify({ value }),
  credentialData: JSON.stringify({ subType: 'totp', digits: 6, counter: 0, period: 30, algorithm: 'HmacSHA1' }),
});
const codeOf = (secret = '') =>
  codeAt(Buffer.from(secret), Math.floor(clock.now() / 30_000), { digits: 6, algorithm: 'HmacSHA1' });

const USER = step('reset-credentials-choose-user');
const MAIL = step('reset-credential-email');
const PASSWORD = step('reset-password');
const DENY = step('deny-access-authenticator');
const OTP_FORM = step('auth-otp-form');
const reset = (...steps: ExecutionRepresentation[]) => [flow('own', ...steps)];
const configured = (authenticator: string, config: Record<string, string>) => ({
  steps: step(authenticator, 'REQUIRED', { authenticatorConfig: 'c' }),
  configs: [{ alias: 'c', config }] satisfies AuthenticatorConfigRepresentation[],
});

const isIn = ({ location }: Visit) => location?.searchParams.has('code') === true;
const heading = ({ text }: Visit) => /<h1[^>]*>([^<]*)/.exec(text)?.[1]?.trim();
const NEW = { 'password-new': 'New-pass-1!', 'password-confirm': 'New-pass-1!' };

async function scene(
  t: ExecutionContext,
  authenticationFlows: FlowRepresentation[],
  {
    apps = [],
    configs = [],
  }: { apps?: CredentialRepresentation[]; configs?: AuthenticatorConfigRepresentation[] } = {},
) {
  const server = await startMailServer(t);
  const host = await inRealm(shared(), (name) => {
    const realm = codeRealm(name, {
      providers: {},
      resetPasswordAllowed: true,
      smtpServer: server.settings,
      resetCredentialsFlow: 'own',
      authenticationFlows,
      authenticatorConfig: configs,
    });
    const users = (realm.users ?? []).map((user) =>
      user.username === 'alice' ? { ...user, credentials: [...(user.credentials ?? []), ...apps] } : user,
    );
    return { ...realm, users };
  });
  const browser = new Browser();
  /** The page after the username is entered. */
  const named = async (username = 'alice') => {
    const page = await browser.open(codeRequest(host).url);
    const link = /id="kc-forgot-password" href="([^"]*)"/.exec(page.text)?.[1] ?? '';
    const asked = await browser.open(new URL(unescapeHtml(link), page.url).href);
    t.regex(asked.text, /name="username"/);
    return browser.submit(asked, { username });
  };
  const mailed = async (index = 0) => (await server.mail(index)).link;
  /** The page that the mailed link leads to. */
  const followed = async (by = browser) => {
    await named();
    const link = await mailed();
    const page = await by.open(link);
    const key = new URL(link).searchParams.get('key') ?? '';
    return by === browser ? page : follow(by, await by.submit(page, { key }));
  };
  const types = async () =>
    (await host.stored(host.defaultRealm))
      .map(({ type, error }) => (error === undefined ? type : `${type} ${error}`))
      .sort();
  const apps_ = async () => {
    const user = await host.users.byUsername(await host.loadedRealm(host.defaultRealm), 'alice');
    return user?.credentials.filter(({ type }) => type === 'otp').map(({ userLabel }) => userLabel);
  };
  return { host, server, browser, named, mailed, followed, types, apps: apps_ };
}

test.serial("reset password: Keycloak's steps mail a link, set a new password and go on with the login", async (t) => {
  const { browser, followed, types } = await scene(t, reset(USER, MAIL, PASSWORD));
  const page = await followed();
  t.is(heading(page), 'Update password');
  t.true(isIn(await browser.submit(page, NEW)));
  t.deepEqual(await types(), ['LOGIN', 'RESET_PASSWORD', 'SEND_RESET_PASSWORD', 'UPDATE_PASSWORD']);
});

test.serial('reset password: without a step for the password the link signs in, once', async (t) => {
  const { browser, followed, mailed, types } = await scene(t, reset(USER, MAIL));
  t.true(isIn(await followed()));
  t.deepEqual(await types(), ['LOGIN', 'RESET_PASSWORD', 'SEND_RESET_PASSWORD']);
  for (const by of [browser, new Browser()]) t.is((await by.open(await mailed())).status, 400);
});

test.serial('reset password: in another browser it signs nobody in', async (t) => {
  const { followed, mailed } = await scene(t, reset(USER, MAIL));
  const elsewhere = new Browser();
  const page = await followed(elsewhere);
  t.false(elsewhere.cookies.has('KEYCLOAK_IDENTITY'));
  t.is(page.location?.searchParams.get('code') ?? null, null);
  t.regex(page.text, /Your account has been updated/);
  t.is((await new Browser().open(await mailed())).status, 400, 'and is used up');
});

test.serial('reset password: if the realm requires it, users sign in again after the reset', async (t) => {
  for (const [setting, signedIn] of [
    ['true', false],
    ['false', true],
    ['only-federated', true],
  ] as const) {
    const { steps, configs } = configured('reset-credential-email', { 'force-login': setting });
    const { browser, followed } = await scene(t, reset(USER, steps, PASSWORD), { configs });
    const done = await browser.submit(await followed(), NEW);
    t.is(isIn(done), signedIn, setting);
    t.is(browser.cookies.has('KEYCLOAK_IDENTITY'), signedIn, setting);
  }
});

test.serial('reset password: steps before the mail are asked before it, and steps behind it by the link', async (t) => {
  const before = await scene(t, reset(USER, DENY, MAIL, PASSWORD));
  for (const username of ['alice', 'nobody']) t.is((await before.named(username)).status, 400, username);
  t.deepEqual(
    [before.server.received.length, await before.types()],
    [0, ['RESET_PASSWORD_ERROR access_denied', 'RESET_PASSWORD_ERROR access_denied']],
  );
  const behind = await scene(t, reset(USER, MAIL, DENY, PASSWORD));
  t.is((await behind.followed()).status, 400);
  t.deepEqual(await behind.types(), ['RESET_PASSWORD', 'RESET_PASSWORD_ERROR access_denied', 'SEND_RESET_PASSWORD']);
});

test.serial(
  'reset password: a second factor before the mail and by the link is not asked for a third time',
  async (t) => {
    const apps = [otp(SECRETS[0] ?? '', 'one')];
    const { browser, named, mailed } = await scene(t, reset(USER, OTP_FORM, MAIL, PASSWORD), { apps });
    const asked = await named();
    t.regex(asked.text, /name="otp"/);
    t.regex((await browser.submit(asked, { otp: codeOf(SECRETS[0]) })).text, /kc-form-login/);
    const again = await browser.open(await mailed());
    t.regex(again.text, /name="otp"/, 'the link runs the flow from its beginning');
    clock.forward(30);
    const page = await browser.submit(again, { otp: codeOf(SECRETS[0]) });
    t.is(heading(page), 'Update password');
    t.true(isIn(await browser.submit(page, NEW)));
  },
);

const APPS = [otp(SECRETS[0] ?? '', 'one'), otp(SECRETS[1] ?? '', 'two')];
const otpFlow = (requirement: string, config: Record<string, string>) => {
  const { steps, configs } = configured('reset-otp', config);
  const own = [
    flow('own', USER, MAIL, PASSWORD, inner('apps', requirement)),
    flow('apps', ...(requirement === 'CONDITIONAL' ? [step('conditional-user-configured')] : []), steps),
  ];
  return [own, configs] as const;
};

test.serial(
  'reset password: users keep their authenticator apps unless the realm removes them, and are asked for a code',
  async (t) => {
    const settings: Record<string, string>[] = [{}, { action_on_otp_reset_flag: 'Remove none' }];
    for (const config of settings) {
      const [flows, configs] = otpFlow('CONDITIONAL', config);
      const { browser, followed, apps } = await scene(t, flows, { apps: APPS, configs });
      const page = await followed();
      t.regex(page.text, /name="otp"/);
      clock.forward(60);
      t.is(heading(await browser.submit(page, { otp: codeOf(SECRETS[1]) })), 'Update password');
      t.deepEqual(await apps(), ['one', 'two']);
    }
  },
);

test.serial('reset password: all apps are removed by the link, with an event, and another one is set up', async (t) => {
  const [flows, configs] = otpFlow('CONDITIONAL', { action_on_otp_reset_flag: 'Remove all' });
  const { browser, followed, apps, named, types } = await scene(t, flows, { apps: APPS, configs });
  await named('nobody');
  t.deepEqual(await apps(), ['one', 'two']);
  const page = await followed(browser);
  t.deepEqual(await apps(), []);
  t.regex(page.text, /name="totp"/);
  t.true((await types()).includes('REMOVE_CREDENTIAL'));
});

test.serial('reset password: users choose the one app that is removed', async (t) => {
  const [flows, configs] = otpFlow('CONDITIONAL', { action_on_otp_reset_flag: 'Remove one' });
  const { browser, followed, apps } = await scene(t, flows, { apps: APPS, configs });
  const page = await followed();
  const values = [...page.text.matchAll(/name="selectedCredentialId"[^>]* value="([^"]*)"/g)].map(([, value]) => value);
  t.is(new Set(values).size, 2, page.text);
  const wrong = await browser.submit(page, { selectedCredentialId: 'nobodys' });
  t.deepEqual(await apps(), ['one', 'two']);
  const next = await browser.submit(wrong, { selectedCredentialId: values[1] ?? '' });
  t.deepEqual(await apps(), ['one']);
  t.regex(next.text, /name="otp"/, 'the other is asked for');
});

test.serial('reset password: a user without an authenticator app sets one up if the flow requires it', async (t) => {
  const [flows, configs] = otpFlow('REQUIRED', {});
  const { followed } = await scene(t, flows, { configs });
  t.regex((await followed()).text, /name="totp"/);
});

test.serial(
  'reset password: the page for the name leads back to the login, and is the same when it is loaded again',
  async (t) => {
    const { host, browser } = await scene(t, reset(USER, MAIL, PASSWORD));
    const page = await browser.open(codeRequest(host).url);
    const link = new URL(unescapeHtml(/id="kc-forgot-password" href="([^"]*)"/.exec(page.text)?.[1] ?? ''), page.url)
      .href;
    await browser.open(link);
    const asked = await browser.open(link);
    t.is(heading(asked), 'Forgot your password?');
    const missing = await browser.submit(asked, { username: ' ' });
    t.regex(missing.text, /Please enter a username/);
    t.regex((await browser.submit(missing, { 'cancel-aia': 'true' })).text, /kc-form-login/);
    const outside = await new Browser().open(
      `${host.realm(host.defaultRealm)}/login-actions/reset-credentials?client_id=web`,
    );
    t.notRegex(outside.text, /cancel-aia/);
    t.deepEqual(
      (await host.stored(host.defaultRealm)).map(({ type, error }) => `${type} ${error}`),
      ['RESET_PASSWORD_ERROR username_missing'],
    );
  },
);
