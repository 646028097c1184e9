import test from 'ava';
import { codeAt } from '../../core/login/steps/otp/one-time-password.js';
import { DEFAULT_CLIENT_SCOPES } from '../../core/model/built-in-names.js';
import type { RealmRepresentation, UserRepresentation } from '../../core/model/representation.js';
import {
  accountRealm,
  accountUser,
  fieldsOf,
  follow,
  openAccount,
  PASSWORD,
  send,
  signInOn,
  told,
} from '../helpers/account.js';
import { Browser, CALLBACK, codeRequest, signIn, unescapeHtml, type Visit } from '../helpers/form-browser.js';
import { inRealm, TestClock, type TestHost } from '../helpers/host.js';
import { post, WEB } from '../helpers/login.js';
import { NAKED } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const SIGNING_IN = '/account-security/signing-in';
const DEVICES = '/account-security/device-activity';
const LINKED = '/account-security/linked-accounts';
const FRANK = { username: 'frank', password: PASSWORD };
const ERIN = { username: 'erin', password: PASSWORD };

/** The tests that move the clock are first, and run serially. */
const clock = new TestClock();
const shared = shareHost(test, { realms: [], clock });
const withUsers = (users: UserRepresentation[], changes: Partial<RealmRepresentation> = {}) =>
  inRealm(shared(), (name) => accountRealm(users, changes, name));

const key = (id: string, userLabel: string) => ({
  id,
  type: 'webauthn',
  userLabel,
  secretData: '{"value":"never shown"}',
});
const providers = {
  identityProviders: [
    { alias: 'github', providerId: 'github', displayName: 'GitHub <b>', enabled: true },
    { alias: 'off', providerId: 'github', enabled: false },
  ],
} satisfies Partial<RealmRepresentation>;

function erin(more: Partial<UserRepresentation> = {}): UserRepresentation {
  return accountUser('erin', {
    credentials: [{ type: 'password', value: PASSWORD }, key('p1', 'one'), key('p2', 'two')],
    ...more,
  });
}

const frank = accountUser('frank', {
  credentials: [{ type: 'password', value: PASSWORD }, key('franks', 'his')],
  federatedIdentities: [{ identityProvider: 'github', userId: '2', userName: 'frank-there' }],
});

async function stored(host: TestHost, username = 'erin') {
  const user = await host.users.byUsername(await host.loadedRealm(host.defaultRealm), username);
  return user?.representation as UserRepresentation;
}

const types = async (host: TestHost) => (await host.stored(host.defaultRealm)).map(({ type }) => type);
const labels = async (host: TestHost, username = 'erin') =>
  (await stored(host, username)).credentials?.map(({ id, userLabel }) => userLabel ?? id);
const items = ({ text }: Visit) =>
  [...text.matchAll(/<p class="item-title">(?:<a[^>]*>)?([^<]*)/g)].map(([, name = '']) => name.trim());

/** The ids of sessions that the page has buttons for. */
const sessionIds = ({ text }: Visit) => [...text.matchAll(/name="session" value="([^"]*)"/g)].map(([, id = '']) => id);

test.serial(
  'account page: owners list, name and remove credentials after a fresh login, and never the last way to sign in',
  async (t) => {
    const host = await withUsers([erin(), frank]);
    const browser = new Browser();
    const page = await openAccount(browser, host, SIGNING_IN);
    t.deepEqual(items(page), ['My password', 'one', 'two']);
    t.regex(page.text, /href="[^"]*\/start\?action=UPDATE_PASSWORD/);
    t.notRegex(page.text, /never shown|argon|secretData/);
    const renamed = await send(browser, page, SIGNING_IN, { credential: 'p1', userLabel: ' first <i> ' });
    t.is(told(await follow(browser, renamed))[1], 'The name was saved.');
    const taken = await send(browser, page, SIGNING_IN, { credential: 'p1', userLabel: 'two' });
    t.deepEqual(
      [taken.status, ...told(taken)],
      [400, 'Signing in', 'Another of your credentials has this name. Choose a different one.'],
    );
    t.deepEqual((await labels(host))?.slice(1), ['first <i>', 'two']);
    const passwordId = (await stored(host)).credentials?.[0]?.id ?? '';

    clock.forward(301);
    const remove = `${SIGNING_IN}/remove`;
    const stale = await send(browser, page, remove, { credential: 'p1' });
    t.deepEqual([stale.status, told(stale)[0]], [403, 'Please sign in again']);
    const login = await follow(
      browser,
      await browser.open(`${host.realm(host.defaultRealm)}/account${remove}?credential=p1`),
    );
    t.regex(login.text, /id="password"/);
    t.is((await labels(host))?.length, 3);
    const asked = await signInOn(browser, login);
    t.deepEqual([asked.status, told(asked)[0]], [200, 'Remove first <i>?']);
    const done = await follow(browser, await send(browser, asked, remove, { credential: 'p1' }));
    t.deepEqual([items(done), told(done)[1]], [['My password', 'two'], 'The credential was removed.']);
    const kept = await follow(browser, await send(browser, asked, remove, { credential: passwordId }));
    t.is(told(kept)[1], 'You cannot remove this, because you would have no other way to sign in.');
    t.deepEqual(
      (await types(host)).filter((type) => type.includes('CREDENTIAL')),
      ['REMOVE_CREDENTIAL'],
    );

    for (const [path, fields] of [
      [remove, { credential: 'franks' }],
      [SIGNING_IN, { credential: 'franks', userLabel: 'mine' }],
    ] as const) {
      t.is((await send(browser, asked, path, fields)).status, 303);
    }
    t.is(
      (
        await follow(browser, await browser.open(`${host.realm(host.defaultRealm)}/account${remove}?credential=franks`))
      ).text.includes('his'),
      false,
    );
    t.is((await labels(host, 'frank'))?.[1], 'his');
  },
);

test('account page: sessions that links began are listed once per application, and end together', async (t) => {
  const host = await inRealm(shared(), (name) => {
    const realm = accountRealm([erin()], {}, name);
    const clients = (realm.clients ?? []).map((client) =>
      client.clientId === 'nl' ? { ...client, name: 'The newsletter' } : client,
    );
    return { ...realm, clients };
  });
  const requested_subject = (await stored(host)).id ?? '';
  const begin = () =>
    host.token(host.defaultRealm, {
      grant_type: NAKED,
      client_id: 'nl',
      client_secret: 'nl-secret',
      requested_subject,
      scope: 'newsletterscope42',
      audience: 'newsletter-api',
    });
  t.is((await begin()).status, 200);
  const { json } = await begin();
  const browser = new Browser();
  const page = await openAccount(browser, host, DEVICES);
  t.deepEqual(items(page), ['Firefox 126 on Linux', 'The newsletter']);
  t.regex(page.text, /id="kc-link-sessions"[\s\S]*<dt>Links<\/dt><dd>2<\/dd>/);
  t.deepEqual(sessionIds(page), []);
  const after = await follow(browser, await send(browser, page, DEVICES, { client: 'nl' }));
  t.deepEqual([items(after), told(after)[1]], [['Firefox 126 on Linux'], 'The application no longer has this access.']);
  const refresh_token = json.refresh_token ?? '';
  const nl = { client_id: 'nl', client_secret: 'nl-secret' };
  t.is((await host.token(host.defaultRealm, { ...nl, grant_type: 'refresh_token', refresh_token })).status, 400);
});

test('account page: sessions show device and applications; a user signs out one, or all others, and nobody else’s', async (t) => {
  const host = await withUsers([erin(), frank]);
  const here = new Browser();
  const there = new Browser();
  const third = new Browser();
  const franks = new Browser();
  await signIn(there, codeRequest(host).url, ERIN);
  await signIn(third, codeRequest(host).url, ERIN);
  const franksPage = await openAccount(franks, host, DEVICES, FRANK);
  const { json } = await host.token(host.defaultRealm, {
    ...WEB,
    grant_type: 'password',
    ...ERIN,
    scope: 'openid offline_access',
  });
  const page = await openAccount(here, host, DEVICES);
  t.is(items(page)[0], 'Firefox 126 on Linux');
  t.regex(page.text, /Current session/);
  t.regex(page.text, /id="kc-offline-sessions"/);
  const [one = '', ...more] = sessionIds(page);
  t.is(more.length, 2, 'its own session has no button');
  const after = await follow(here, await send(here, page, DEVICES, { session: one }));
  t.deepEqual([told(after)[1], sessionIds(after).length], ['The device was signed out.', 2]);
  const franksId = await sessionOf(host, 'frank');
  await send(here, page, DEVICES, { session: franksId });
  t.is(await sessionOf(host, 'frank'), franksId);
  await follow(here, await send(here, page, DEVICES, { others: 'true' }));
  t.deepEqual(sessionIds(await openAccount(here, host, DEVICES)), []);
  t.is(
    (await post(host, 'token', { ...WEB, grant_type: 'refresh_token', refresh_token: String(json.refresh_token) }))
      .status,
    400,
  );
  t.is((await openAccount(franks, host, DEVICES, FRANK)).status, franksPage.status);
  for (const browser of [there, third]) {
    const silent = await browser.open(codeRequest(host, { prompt: 'none' }).url);
    t.is(silent.location?.searchParams.get('error'), 'login_required');
  }
  t.is((await types(host)).filter((type) => type === 'LOGOUT').length, 3);
});

async function sessionOf(host: TestHost, username: string): Promise<string> {
  const [session] = await host.store.sessions.list(host.defaultRealm, {
    userId: (await stored(host, username)).id ?? '',
    offline: false,
  });
  return session?.id ?? '';
}

test('account page: applications show what they were granted, and lose all of it at once', async (t) => {
  const host = await inRealm(shared(), (name) => {
    const base = accountRealm([erin(), frank], {}, name);
    const clients = (base.clients ?? []).map((client) =>
      client.clientId === 'one'
        ? { ...client, alwaysDisplayInConsole: true, baseUrl: 'https://one.test/' }
        : client.clientId === 'asks'
          ? {
              ...client,
              defaultClientScopes: [...DEFAULT_CLIENT_SCOPES],
              optionalClientScopes: ['offline_access', 'phone'],
            }
          : client,
    );
    return { ...base, clients };
  });
  const browser = new Browser();
  await openAccount(browser, host, '/applications');
  const request = codeRequest(host, { client_id: 'asks', redirect_uri: CALLBACK, scope: 'openid phone' });
  const consent = await browser.open(request.url);
  const back = await browser.submit(consent, { accept: 'Yes' });
  const code = back.location?.searchParams.get('code') ?? '';
  const grant = {
    client_id: 'asks',
    redirect_uri: CALLBACK,
    code_verifier: request.verifier,
    grant_type: 'authorization_code',
  };
  const { json } = await post(host, 'token', { ...grant, code });
  const listed = await openAccount(browser, host, '/applications');
  t.deepEqual(items(listed).sort(), ['Account console', 'Asks &lt;b&gt;you&lt;/b&gt;', 'one']);
  t.regex(listed.text, /Phone number/);
  t.is((await stored(host)).clientConsents?.length, 1);
  const sent = await send(browser, listed, '/applications', { client: 'asks' });
  const done = await follow(browser, sent);
  t.deepEqual(
    [told(done)[1], items(done).sort()],
    ['The application no longer has access.', ['Account console', 'one']],
  );
  t.is(
    (
      await post(host, 'token', {
        client_id: 'asks',
        grant_type: 'refresh_token',
        refresh_token: String(json.refresh_token),
      })
    ).status,
    400,
  );
  t.deepEqual((await stored(host)).clientConsents, []);
  const [event] = (await host.stored(host.defaultRealm)).filter(({ type }) => type === 'REVOKE_GRANT');
  t.is(event?.details.revoked_client, 'asks');
});

test('account page: linked accounts are shown, and can be removed if another way to sign in is left', async (t) => {
  const federatedIdentities = [{ identityProvider: 'github', userId: '1', userName: 'erin-there' }];
  const host = await withUsers([erin({ federatedIdentities }), frank], providers);
  const browser = new Browser();
  const page = await openAccount(browser, host, LINKED);
  t.deepEqual(items(page), ['GitHub &lt;b&gt;']);
  t.regex(page.text, /Linked to erin-there/);
  const other = await openAccount(browser, host);
  const demo = await host.loadedRealm(host.defaultRealm);
  const { id = '', credentials = [] } = await stored(host);
  const withPassword = (list: typeof credentials) =>
    host.users.change(demo, id, (draft) => {
      draft.credentials = [...list];
    });
  await withPassword([]);
  const last = await follow(
    browser,
    await send(browser, page, `${LINKED}/unlink`, { ...fieldsOf(other), provider: 'github' }),
  );
  t.is(told(last)[1], 'You cannot unlink this account, because you would have no other way to sign in.');
  await withPassword(credentials);
  const asked = await browser.open(`${host.realm(host.defaultRealm)}/account${LINKED}/unlink?provider=github`);
  t.is(told(asked)[0], 'Unlink GitHub <b>?');
  const done = await follow(browser, await send(browser, asked, `${LINKED}/unlink`, { provider: 'github' }));
  t.is(told(done)[1], 'The account was unlinked.');
  t.deepEqual((await stored(host)).federatedIdentities, []);
  t.deepEqual((await stored(host, 'frank')).federatedIdentities, frank.federatedIdentities);
  t.true((await types(host)).includes('REMOVE_FEDERATED_IDENTITY'));
  const without = await withUsers([erin()]);
  const plain = await openAccount(new Browser(), without);
  t.notRegex(plain.text, /linked-accounts/);
});

test.serial(
  'account page: a password is changed through the realm’s action, after a fresh login, and the page confirms it',
  async (t) => {
    const host = await withUsers([erin()]);
    const browser = new Browser();
    await openAccount(browser, host, SIGNING_IN);
    clock.forward(301);
    const start = (action: string) =>
      browser.open(`${host.realm(host.defaultRealm)}/account/start?${new URLSearchParams({ action, to: SIGNING_IN })}`);
    const login = await follow(browser, await start('UPDATE_PASSWORD'));
    t.regex(login.text, /id="password"/);
    const form = await signInOn(browser, login);
    t.is(told(form)[0], 'Update password');
    const changed = { 'password-new': 'another password', 'password-confirm': 'another password' };
    const done = await follow(browser, await browser.submit(form, changed));
    t.deepEqual(told(done), ['Signing in', 'Your account has been updated.']);
    const again = await follow(
      browser,
      await browser.submit(await follow(browser, await start('UPDATE_PASSWORD')), { 'cancel-aia': 'true' }),
    );
    t.deepEqual(told(again), ['Signing in'], 'cancelled');
    for (const action of [
      'TERMS_AND_CONDITIONS',
      'VERIFY_PROFILE',
      'UPDATE_PASSWORD:x',
      'idp_link',
      'delete_account',
      '__proto__',
      '',
    ]) {
      t.is(
        told(await follow(browser, await start(action)))[1],
        'You are not allowed to do this. Contact your administrator.',
        action,
      );
    }
    t.is((await host.token(host.defaultRealm, { ...WEB, grant_type: 'password', ...ERIN })).status, 400);
  },
);

test.serial('account page: a second factor is set up, required from then on, and removed', async (t) => {
  const host = await withUsers([accountUser('erin')]);
  const browser = new Browser();
  const page = await openAccount(browser, host, SIGNING_IN);
  t.regex(page.text, /No second factor is set up/);
  const link = unescapeHtml(/id="kc-set-up-otp" href="([^"]*)"/.exec(page.text)?.[1] ?? '');
  const form = await follow(browser, await browser.open(new URL(link, page.url).href));
  t.is(told(form)[0], 'Set up authenticator app');
  const { totpSecret = '' } = fieldsOf(form);
  const format = { digits: 6, algorithm: 'HmacSHA1' } as const;
  const code = () => codeAt(Buffer.from(totpSecret), Math.floor(clock.now() / 30_000), format);
  const done = await follow(browser, await browser.submit(form, { totp: code(), totpSecret, userLabel: 'My phone' }));
  t.deepEqual(
    [...told(done), ...items(done)],
    ['Signing in', 'Your account has been updated.', 'My password', 'My phone'],
  );
  clock.forward(60);
  const elsewhere = new Browser();
  const asked = await openAccount(elsewhere, host, SIGNING_IN);
  t.is(told(asked)[0], 'Enter your one-time code');
  t.is(told(await follow(elsewhere, await elsewhere.submit(asked, { otp: code() })))[0], 'Signing in');
  const [, otp] = (await stored(host)).credentials ?? [];
  const confirm = await browser.open(
    `${host.realm(host.defaultRealm)}/account${SIGNING_IN}/remove?credential=${otp?.id}`,
  );
  await follow(browser, await send(browser, confirm, `${SIGNING_IN}/remove`, { credential: otp?.id ?? '' }));
  t.is(told(await openAccount(new Browser(), host, SIGNING_IN))[0], 'Signing in');
  const about = (await types(host)).filter((type) => /TOTP|CREDENTIAL/.test(type)).sort();
  t.deepEqual(about, ['REMOVE_CREDENTIAL', 'REMOVE_TOTP', 'UPDATE_TOTP']);
});
