import test from 'ava';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, codeRequest, signIn, unescapeHtml } from '../helpers/form-browser.js';
import { inRealm, type TestHost } from '../helpers/host.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, { realms: [] });

const started = (changes = {}) =>
  inRealm(shared(), (name) =>
    codeRealm(name, { providers: {}, internationalizationEnabled: true, supportedLocales: ['en', 'de'], ...changes }),
  );

const ALICE = { username: 'alice', password: 'Alice-pass-1!' };
const localeOf = async (host: TestHost) => {
  const user = await host.users.byUsername(await host.loadedRealm(host.defaultRealm), 'alice');
  return user?.view.attributes.locale;
};

/** Signs in after a click on a language of the page. */
async function signedIn(host: TestHost, locale?: string, changes: Record<string, string> = {}) {
  const browser = new Browser();
  let page = await browser.open(codeRequest(host, changes).url);
  if (locale !== undefined) {
    const links = [...page.text.matchAll(/(?:href|value)="([^"]*kc_locale=[^"]*)"/g)].map(([, link = '']) => link);
    const link = links.map(unescapeHtml).find((one) => /kc_locale=de/.test(one)) ?? '';
    page = await browser.open(new URL(link.replace('kc_locale=de', `kc_locale=${locale}`), page.url).href);
  }
  const done = await browser.submit(page, ALICE);
  return done.location?.searchParams.has('code') === true;
}

test('user locale: the language that a user has chosen on a page of the login becomes the user’s own, once', async (t) => {
  const host = await started();
  t.true(await signedIn(host, 'de'));
  t.deepEqual(await localeOf(host), ['de']);
  t.true(await signedIn(host, 'de'));
  const events = (await host.stored(host.defaultRealm)).filter(({ type }) => type === 'UPDATE_PROFILE');
  t.is(events.length, 1);
  t.like(events[0]?.details, { updated_locale: 'de' });
  t.true(await signedIn(host, 'en'));
  t.deepEqual(await localeOf(host), ['en']);
});

/** As in Keycloak 26.7.3, the language requested by an application or browser is not stored. */
test('user locale: nothing else changes the language of the user', async (t) => {
  const host = await started();
  t.true(await signedIn(host));
  t.true(await signedIn(host, undefined, { ui_locales: 'de', kc_locale: 'de' }));
  t.true(await signedIn(host, 'fr'));
  const browser = new Browser();
  browser.cookies.set('KEYCLOAK_LOCALE', 'de');
  t.truthy((await signIn(browser, codeRequest(host).url)).location);
  t.is(await localeOf(host), undefined);
  const page = await signIn(new Browser(), codeRequest(host, { kc_action: 'update_user_locale' }).url);
  t.is(page.location?.searchParams.get('kc_action_status'), 'error');
  const requiredActions = [
    { alias: 'update_user_locale', name: 'x', providerId: 'update_user_locale', enabled: false },
  ];
  const off = await started({ requiredActions });
  t.true(await signedIn(off, 'de'));
  t.is(await localeOf(off), undefined);
});
