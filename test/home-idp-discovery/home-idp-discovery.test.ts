import test from 'ava';
import type { UserRepresentation } from '../../core/model/representation.js';
import { Browser } from '../helpers/form-browser.js';
import { startHost, type TestHost } from '../helpers/host.js';
import { shownLogin, shownRealm } from '../helpers/shown-realm.js';

const NAME = 'home-idp-discovery';
const GRANTS = { grants: { '*': ['view-identity-providers', 'view-users'] } };

async function start(t: Parameters<typeof startHost>[0], isolation: string, config: Record<string, string> = {}) {
  const realm = await shownRealm(NAME);
  const [provider] = realm.identityProviders ?? [];
  const user = (username: string, more: Partial<UserRepresentation>): UserRepresentation => ({
    username,
    email: `${username}@partner.example`,
    enabled: true,
    ...more,
  });
  const linkedTo = (identityProvider: string, name: string) => ({
    federatedIdentities: [{ identityProvider, userId: name, userName: name }],
  });
  return startHost(t, {
    realms: [
      {
        ...realm,
        identityProviders: [
          provider,
          {
            ...provider,
            alias: 'other',
            displayName: 'Other',
            config: {
              ...provider?.config,
              'home.idp.discovery.domains': 'both.example##other.example',
              'home.idp.discovery.matchSubdomains': 'false',
            },
          },
          {
            ...provider,
            alias: 'third',
            displayName: 'Third',
            config: { ...provider?.config, 'home.idp.discovery.domains': 'both.example' },
          },
          {
            ...provider,
            alias: 'off',
            enabled: false,
            config: { ...provider?.config, 'home.idp.discovery.domains': 'off.example' },
          },
        ] as never,
        users: [
          ...(realm.users ?? []),
          user('vera', { emailVerified: true }),
          user('unverified', {}),
          user('second', linkedTo('partner', 'x')),
          user('elsewhere', linkedTo('other', 'y')),
          user('both', { emailVerified: true, ...linkedTo('other', 'z') }),
          user('shared', { email: 'shared@both.example', ...linkedTo('third', 'w') }),
          user('named@partner.example', { email: 'named@nowhere.example', emailVerified: true }),
          user('linked', { email: 'linked@nowhere.example', emailVerified: true, ...linkedTo('other', 'x') }),
        ],
        authenticatorConfig: [{ alias: 'discovery', config: { ...realm.authenticatorConfig?.[0]?.config, ...config } }],
      },
    ],
    plugins: [{ module: '@keyhost/home-idp-discovery', isolation, ...GRANTS }],
  });
}

/** The target of a username: an identity provider with the login hint, or the next page. */
async function leads(host: TestHost, username: string): Promise<string> {
  const browser = new Browser();
  let page = await browser.submit(await browser.open(shownLogin(host, NAME).url), { username });
  while (page.location?.origin === new URL(host.url).origin) page = await browser.open(page.location.href);
  if (page.location !== undefined) return `${page.location.host} ${page.location.searchParams.get('login_hint')}`;
  return /id="password"/.test(page.text) ? 'password' : page.text;
}

for (const isolation of ['none', 'worker']) {
  test(`home IdP discovery: the domain of an address leads to its identity provider, and other names to the password (${isolation})`, async (t) => {
    const host = await start(t, isolation);
    const partner = 'id.partner.example';
    for (const [username, expected] of Object.entries({
      'Somebody@Partner.Example': `${partner} Somebody@Partner.Example`,
      'a@deep.sub.partner.test': `${partner} a@deep.sub.partner.test`,
      'a@otherpartner.test': 'password',
      'a@sub.other.example': 'password',
      'a@off.example': 'password',
      'a@': 'password',
      vera: `${partner} vera`,
      unverified: 'password',
      'unverified@partner.example': 'password',
      linked: `${partner} linked`,
      // It was linked to the partner before, and the partner's email addresses are not trusted.
      'second@partner.example': `${partner} second@partner.example`,
      second: `${partner} second`,
      ada: 'password',
      'nobody at all': 'password',
    })) {
      t.is(await leads(host, username), expected, username);
    }

    const browser = new Browser();
    const page = await browser.open(shownLogin(host, NAME).url);
    const password = await browser.submit(page, { username: 'ada' });
    t.regex(password.text, /value="ada"/, 'the name is not asked for twice');
    const done = await browser.submit(password, { username: 'ada', password: 'ada' });
    t.truthy(done.location?.searchParams.get('code'));

    const hinted = await new Browser().open(shownLogin(host, NAME, { login_hint: 'a@partner.example' }).url);
    t.regex(hinted.location?.searchParams.get('redirect_uri') ?? '', /\/broker\/partner\/endpoint$/);
    const other = await new Browser().open(shownLogin(host, NAME, { login_hint: 'a@nowhere.example' }).url);
    t.regex(other.text, /value="a@nowhere.example"/);
  });
}

test('home IdP discovery: users choose among the identity providers of a domain if the step says so', async (t) => {
  const host = await start(t, 'none', { forwardToFirstMatch: 'false' });
  const browser = new Browser();
  const page = await browser.submit(await browser.open(shownLogin(host, NAME).url), { username: 'a@both.example' });
  t.deepEqual(
    [...page.text.matchAll(/value="(other|third|partner)"/g)].map(([, alias]) => alias),
    ['other', 'third'],
  );
  const again = await browser.submit(page, { home: 'partner' });
  t.is(again.status, 200, 'one that was not offered is none');
  const chosen = await browser.submit(again, { home: 'third' });
  t.regex(chosen.location?.searchParams.get('redirect_uri') ?? '', /\/broker\/third\/endpoint$/);
});

/** The alias of the identity provider for a username, the aliases to choose from, or `password`. */
async function aliasFor(host: TestHost, username: string): Promise<string> {
  const browser = new Browser();
  const page = await browser.submit(await browser.open(shownLogin(host, NAME).url), { username });
  const [, alias] = /\/broker\/([a-z]+)\/endpoint$/.exec(page.location?.searchParams.get('redirect_uri') ?? '') ?? [];
  const choice = [...page.text.matchAll(/value="(other|third|partner)"/g)].map(([, offered]) => offered);
  return alias ?? (choice.length > 0 ? choice.join(' or ') : 'password');
}

/** The same expectation for the username and the email address of a user. */
const named = (username: string, alias: string, domain = 'partner.example') => ({
  [username]: alias,
  [`${username}@${domain}`]: alias,
});
const TABLE: Record<string, [config: Record<string, string>, expected: Record<string, string>]> = {
  'the defaults': [
    {},
    {
      ...named('unverified', 'password'),
      ...named('second', 'partner'),
      ...named('elsewhere', 'password'),
      ...named('both', 'partner'),
      // If two providers have the same domain, the linked one is used, even without forwardToLinkedIdp.
      ...named('shared', 'third', 'both.example'),
      'nobody@both.example': 'other',
      // It is the address of its user that counts.
      'named@partner.example': 'password',
    },
  ],
  'unverified addresses': [
    { forwardUnverifiedEmail: 'true' },
    {
      ...named('unverified', 'partner'),
      ...named('second', 'partner'),
      // As in Keycloak's extension: a user who enters another person's address in an account is sent to that address's
      // provider.
      ...named('elsewhere', 'partner'),
      ...named('both', 'partner'),
      ...named('shared', 'other', 'both.example'),
    },
  ],
  'linked providers': [
    { forwardToLinkedIdp: 'true' },
    {
      ...named('unverified', 'password'),
      ...named('second', 'partner'),
      ...named('elsewhere', 'other'),
      ...named('both', 'other'),
      ...named('shared', 'third', 'both.example'),
    },
  ],
  'unverified addresses and linked providers': [
    { forwardUnverifiedEmail: 'true', forwardToLinkedIdp: 'true' },
    {
      ...named('unverified', 'partner'),
      ...named('elsewhere', 'other'),
      ...named('shared', 'third', 'both.example'),
    },
  ],
  'a choice': [
    { forwardToFirstMatch: 'false' },
    { ...named('shared', 'third', 'both.example'), 'nobody@both.example': 'other or third' },
  ],
};

for (const [what, [config, expected]] of Object.entries(TABLE)) {
  test(`home IdP discovery: a known user follows their address and links: ${what}`, async (t) => {
    const host = await start(t, 'none', { forwardToLinkedIdp: 'false', ...config });
    for (const [typed, leadsTo] of Object.entries(expected)) t.is(await aliasFor(host, typed), leadsTo, typed);
  });
}
