import test from 'ava';
import { PAULA, startWithPartner, TwoRealmBrowser } from '../helpers/external-idp.js';
import { Browser, CALLBACK, codeRequest } from '../helpers/form-browser.js';
import { claimsOf } from '../helpers/host.js';
import { WEB } from '../helpers/login.js';
import { codeOf, heading } from '../helpers/read-page.js';

test('first login: a new account at a provider becomes a user, and later logins are that user’s', async (t) => {
  const { host, user, events } = await startWithPartner(t);
  const browser = new TwoRealmBrowser();
  const done = await browser.signInByPartner(host);
  t.truthy(codeOf(done), done.text);
  const paula = await user('paula');
  t.like(paula?.view, { email: 'paula@partner.test', emailVerified: false, firstName: 'Paula', enabled: true });
  t.deepEqual(paula?.representation.federatedIdentities, [
    { identityProvider: 'partner', userId: 'paula-at-partner', userName: 'paula' },
  ]);
  t.true(paula?.representation.realmRoles?.includes('default-roles-demo'));
  t.deepEqual(await events(), ['REGISTER', 'LOGIN']);
  const [login] = await host.stored('demo');
  t.like(login?.details, { identity_provider: 'partner', identity_provider_identity: 'paula' });

  const again = new TwoRealmBrowser();
  t.truthy(codeOf(await again.signInByPartner(host)));
  t.is((await user('paula'))?.id, paula?.id);
  t.is((await user('paula'))?.version, paula?.version, 'nothing has changed');
  const { url, verifier } = codeRequest(host);
  const sso = await again.open(url);
  const { json } = await host.token('demo', {
    ...WEB,
    grant_type: 'authorization_code',
    redirect_uri: CALLBACK,
    code_verifier: verifier,
    code: codeOf(sso) ?? '',
  });
  t.is(claimsOf(json.access_token ?? '').sub, paula?.id);
});

test('first login: missing required attributes are asked for', async (t) => {
  const { host, user } = await startWithPartner(t, {
    config: { defaultScope: 'openid', disableUserInfo: 'true' },
    partner: { defaultDefaultClientScopes: ['basic'], defaultOptionalClientScopes: [] },
  });
  const browser = new TwoRealmBrowser();
  const page = await browser.signInByPartner(host, PAULA);
  t.is(heading(page), 'Update account information');
  t.regex(page.text, /Review the profile data from Partner &amp; Co/);
  const wrong = await browser.submit(page, { username: 'paul', email: 'nowhere', firstName: 'P', lastName: '' });
  t.regex(wrong.text, /Please enter a last name/);
  const done = await browser.submit(wrong, { username: 'Paul', email: 'p@x.test', firstName: 'P', lastName: 'Q' });
  t.truthy(codeOf(done), done.text);
  t.like((await user('paul'))?.view, { username: 'paul', email: 'p@x.test', emailVerified: false });
});

test('first login: it may always show the profile, and ask for a password', async (t) => {
  const { host } = await startWithPartner(t, {
    demo: {
      authenticatorConfig: [
        { alias: 'review profile config', config: { 'update.profile.on.first.login': 'on' } },
        { alias: 'create unique user config', config: { 'require.password.update.after.registration': 'true' } },
      ],
    },
  });
  const browser = new TwoRealmBrowser();
  const page = await browser.signInByPartner(host);
  t.is(heading(page), 'Update account information', 'though nothing is missing');
  const next = await browser.submit(page, {
    username: 'paula',
    email: 'paula@partner.test',
    firstName: 'P',
    lastName: 'Q',
  });
  t.is(heading(next), 'Update password');
});

test('first login: a login page shows the enabled providers in their order', async (t) => {
  const { host, admin } = await startWithPartner(t, { config: { guiOrder: '2' } });
  const { config } = await admin.identityProviders
    .findOne({ alias: 'partner' })
    .then((one) => ({ config: one?.config }));
  const others = { first: { config: { guiOrder: '1' } }, hidden: { hideOnLogin: true }, off: { enabled: false } };
  for (const [alias, members] of Object.entries({ ...others, links: { linkOnly: true } })) {
    const own = { ...config, clientSecret: 's', ...('config' in members ? members.config : {}) };
    await admin.identityProviders.create({ alias, providerId: 'oidc', ...members, config: own });
  }
  const page = await new Browser().open(codeRequest(host).url);
  t.deepEqual(
    [...page.text.matchAll(/id="social-([^"]*)"/g)].map(([, alias]) => alias),
    ['first', 'partner'],
  );
});
