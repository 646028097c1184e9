import test from 'ava';
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
import { Browser, unescapeHtml, type Visit } from '../helpers/form-browser.js';
import { inRealm, TestClock, type TestHost } from '../helpers/host.js';
import { WEB } from '../helpers/login.js';
import { shareHost } from '../helpers/shared-host.js';

/** The test that moves the clock is the first one. */
const clock = new TestClock();
const shared = shareHost(test, { realms: [], clock });
const withUsers = (users: UserRepresentation[], changes: Partial<RealmRepresentation> = {}) =>
  inRealm(shared(), (name) => accountRealm(users, changes, name));

const PROFILE = {
  'org.keycloak.userprofile.UserProfileProvider': [
    {
      providerId: 'declarative-user-profile',
      config: {
        'kc.user.profile.config': [
          JSON.stringify({
            attributes: [
              { name: 'username', validations: { length: { min: 3, max: 20 } }, permissions: BOTH() },
              {
                name: 'email',
                displayName: '${email}',
                validations: { email: {} },
                required: { roles: ['user'] },
                permissions: BOTH(),
              },
              { name: 'firstName', displayName: '${firstName}', permissions: BOTH() },
              { name: 'lastName', displayName: '${lastName}', permissions: BOTH() },
              { name: 'nickname', displayName: 'Nicknames', multivalued: true, permissions: BOTH(), group: 'more' },
              {
                name: 'size',
                displayName: 'Shirt size',
                permissions: BOTH(),
                group: 'more',
                validations: { options: { options: ['S', 'M'] } },
                annotations: { inputType: 'select' },
              },
              {
                name: 'staffId',
                displayName: 'Staff number',
                permissions: { view: ['admin', 'user'], edit: ['admin'] },
              },
              { name: 'rating', displayName: 'Rating', permissions: { view: ['admin'], edit: ['admin'] } },
            ],
            groups: [{ name: 'more', displayHeader: 'More about you' }],
          }),
        ],
      },
    },
  ],
};

function BOTH() {
  return { view: ['admin', 'user'], edit: ['admin', 'user'] };
}

const erin = accountUser('erin', { attributes: { staffId: ['17'], rating: ['bad'], nickname: ['E.'], role: ['x'] } });
const FIELDS = {
  email: 'erin@example.test',
  firstName: 'Erin',
  lastName: 'Example',
  nickname: 'E.',
  size: '',
};

const typedIn = ({ text }: Visit, name: string) =>
  unescapeHtml(new RegExp(`<input id="${name}"[^>]* value="([^"]*)"`).exec(text)?.[1] ?? '∅');

async function stored(host: TestHost, username = 'erin') {
  return (await host.users.byUsername(await host.loadedRealm(host.defaultRealm), username))?.representation;
}

test('account page, profile: users see and change what the realm’s user profile lets them, and nothing else', async (t) => {
  const host = await withUsers([erin], { components: PROFILE });
  const browser = new Browser();
  const page = await openAccount(browser, host);
  t.deepEqual([page.status, ...told(page)], [200, 'Personal info']);
  t.deepEqual(
    ['username', 'email', 'staffId'].map((name) => typedIn(page, name)),
    ['erin', 'erin@example.test', '17'],
  );
  t.regex(page.text, /<input id="username"[^>]* readonly>/);
  t.regex(page.text, /<input id="staffId"[^>]* readonly>/);
  t.regex(page.text, /More about you/);
  t.notRegex(page.text, /Rating|"bad"|name="role"/);
  const changes: [string, string][] = [
    ...Object.entries({ ...FIELDS, firstName: 'Érin <b>', size: 'M', nickname: 'E.\r\nSecond\r\n' }),
    // None of these is theirs to change.
    ...Object.entries({
      username: 'root',
      staffId: '1',
      rating: 'good',
      role: 'admin',
      enabled: 'false',
      emailVerified: 'false',
    }),
  ];
  const done = await follow(browser, await send(browser, page, '/', changes));
  t.deepEqual([done.status, ...told(done)], [200, 'Personal info', 'Your account has been updated.']);
  t.false(done.text.includes('<b>'));
  t.like(await stored(host), { username: 'erin', firstName: 'Érin <b>', emailVerified: true, enabled: true });
  t.deepEqual((await stored(host))?.attributes, {
    staffId: ['17'],
    rating: ['bad'],
    role: ['x'],
    nickname: ['E.', 'Second'],
    size: ['M'],
  });
  t.deepEqual(told(await openAccount(browser, host)), ['Personal info'], 'it is told once');
  const [event, ...more] = (await host.stored(host.defaultRealm)).filter(({ type }) => type === 'UPDATE_PROFILE');
  t.deepEqual(more, []);
  t.like(event, {
    clientId: 'account-console',
    details: { updated_attributes: 'firstName nickname size' },
  });
});

test('account page, profile: errors are shown at their fields, and no input is lost', async (t) => {
  const host = await withUsers([erin], { components: PROFILE, editUsernameAllowed: true });
  const browser = new Browser();
  const page = await openAccount(browser, host);
  for (const [change, complaint] of [
    [{ email: '' }, 'Please enter an email address.'],
    [{ email: 'nobody' }, 'Invalid email address.'],
    [{ email: 'ALICE@example.test' }, 'Email already exists.'],
    [{ username: 'alice' }, 'Username already exists.'],
    [{ username: 'alice@example.test' }, 'Username already exists.'],
    [{ username: 'x' }, 'Length must be between 3 and 20.'],
    [{ size: 'XXL' }, 'Invalid value.'],
  ] as const) {
    const refused = await send(browser, page, '/', { ...FIELDS, username: 'erin', lastName: 'Typed', ...change });
    t.deepEqual([refused.status, ...told(refused)], [400, 'Personal info', complaint], JSON.stringify(change));
    t.is(typedIn(refused, 'lastName'), 'Typed');
    t.regex(refused.text, /aria-invalid="true" aria-describedby="input-error-\w+" autofocus/);
  }
  t.like(await stored(host), { email: 'erin@example.test', lastName: 'Example' });
});

test.serial(
  'account page, profile: a new email address or username needs a fresh login, which loses nothing; the address is unverified and old links die',
  async (t) => {
    const host = await withUsers([erin, accountUser('frank')], { editUsernameAllowed: true });
    const browser = new Browser();
    const page = await openAccount(browser, host);
    clock.forward(301);
    const typed = { email: 'new@example.test', firstName: 'Erin', lastName: 'Typed', username: 'erin' };
    const asked = await send(browser, page, '/', typed);
    t.deepEqual([asked.status, told(asked)[0]], [403, 'Please sign in again']);
    t.is((await stored(host))?.email, 'erin@example.test');
    const draft = unescapeHtml(/id="kc-continue" href="([^"]*)"/.exec(asked.text)?.[1] ?? '');
    const stranger = new Browser();
    await openAccount(stranger, host, '/', { username: 'frank', password: PASSWORD });
    const others = await follow(stranger, await stranger.open(draft));
    t.is(typedIn(others, 'lastName'), 'Example', 'nobody sees what another typed');
    const login = await follow(browser, await browser.open(draft));
    t.regex(login.text, /id="password"/);
    const back = await signInOn(browser, login);
    t.deepEqual(
      [told(back)[1], typedIn(back, 'email'), typedIn(back, 'lastName')],
      ['You are signed in again. Select Save to apply your changes.', 'new@example.test', 'Typed'],
    );
    const before = clock.now();
    const done = await follow(browser, await send(browser, back, '/', typed));
    t.regex(done.text, /This email address is not verified yet/);
    t.like(await stored(host), { email: 'new@example.test', emailVerified: false, linksNotBefore: before });
    const types = (await host.stored(host.defaultRealm)).map(({ type }) => type);
    t.true(types.includes('UPDATE_EMAIL') && types.includes('UPDATE_PROFILE'));
  },
);

test('account page, profile: users with view rights change nothing, and users without a role see nothing', async (t) => {
  const reader = accountUser('reader', { realmRoles: [], clientRoles: { account: ['view-profile'] } });
  const host = await withUsers([reader, accountUser('none', { realmRoles: [] })]);
  const browser = new Browser();
  const page = await openAccount(browser, host, '/', { username: 'reader', password: PASSWORD });
  t.deepEqual([page.status, told(page)[0], page.text.includes('kc-save')], [200, 'Personal info', false]);
  const refused = await send(browser, page, '/', { firstName: 'X', ...fieldsOf(page) });
  t.is(refused.status, 403);
  t.is((await stored(host, 'reader'))?.firstName, 'Erin');
  const nobody = await openAccount(new Browser(), host, '/', { username: 'none', password: PASSWORD });
  t.is(nobody.status, 403);
  t.is(
    (await host.token(host.defaultRealm, { ...WEB, grant_type: 'password', username: 'none', password: PASSWORD }))
      .status,
    200,
  );
});
