import test from 'ava';
import { Realm } from '../../core/model/realm.js';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { chooseLocale, languageLabel, matchLocale, type RequestedLocales } from '../../core/pages/locale/locale.js';
import { ENGLISH } from '../../core/pages/messages/english.js';
import { GERMAN } from '../../core/pages/messages/german.js';
import { Texts } from '../../core/pages/messages/texts.js';
import { type PageApp, startPageApp } from '../helpers/page-app.js';
import { testRealm } from '../helpers/realms.js';

const INTERNATIONAL = {
  internationalizationEnabled: true,
  supportedLocales: ['en', 'de', 'pt-BR'],
  defaultLocale: 'de',
  localizationTexts: { 'pt-BR': { password: 'Senha' } },
  providers: {},
};
const ARABIC = {
  ...INTERNATIONAL,
  supportedLocales: ['ar', 'en', 'fr'],
  defaultLocale: 'ar',
  localizationTexts: {},
};
const NOTHING: RequestedLocales = {
  kcLocale: undefined,
  uiLocales: undefined,
  cookie: undefined,
  acceptLanguage: undefined,
};

function choice(wishes: Partial<RequestedLocales>, changes: Partial<RealmRepresentation> = INTERNATIONAL): string {
  const representation = { realm: 'demo', ...changes };
  return chooseLocale(new Realm({ id: 'x', name: 'demo', version: 1, representation }, 'http://h'), {
    ...NOTHING,
    ...wishes,
  });
}

let app: PageApp;
const cleanups: (() => unknown)[] = [];
test.before(async () => {
  app = await startPageApp(
    { teardown: (cleanup) => void cleanups.unshift(cleanup) },
    {
      realms: [
        testRealm('demo', {
          ...INTERNATIONAL,
          displayName: '${brand}',
          localizationTexts: {
            ...INTERNATIONAL.localizationTexts,
            de: { brand: 'Die Firma', doLogIn: "Los geht''s" },
            en: { brand: 'The Company' },
          },
        }),
        testRealm('arabic', { ...ARABIC }),
        testRealm('spoken', { ...ARABIC, localizationTexts: { ar: { password: 'x' } } }),
        testRealm('plain', { supportedLocales: ['de'], providers: {} }),
        testRealm('german', { defaultLocale: 'de', providers: {} }),
      ],
      samples: {
        wished: { content: { page: 'error' }, extra: { uiLocales: 'fr pt' } },
        elsewhere: { content: { page: 'error' }, extra: { address: '/realms/demo/other?tab=1' } },
      },
      argv: ['--http-relative-path', '/auth'],
    },
  );
});
test.after.always(async () => {
  for (const cleanup of cleanups) await cleanup();
});

test('languages: a language without texts falls back as a whole, and is not offered', async (t) => {
  const arabic = ARABIC;
  const texts = { ar: { password: '\u0643\u0644\u0645\u0629' } };
  t.is(choice({ kcLocale: 'ar' }, arabic), 'en');
  t.is(choice({ acceptLanguage: 'ar, fr' }, arabic), 'en');
  t.is(choice({ acceptLanguage: 'fr' }, { ...arabic, localizationTexts: texts }), 'ar', 'the default');
  t.is(choice({ kcLocale: 'ar' }, { ...arabic, localizationTexts: { ar: {} } }), 'en', 'a table without a text');
  t.is(choice({ kcLocale: 'fr' }, { ...arabic, loginTheme: 'of-a-plugin' }), 'fr', 'a theme may have texts');
  t.is(choice({ kcLocale: 'ar' }, { ...arabic, loginTheme: 'keycloak' }), 'en');
  for (const [realm, lang, dir] of [
    ['arabic', 'en', 'ltr'],
    ['spoken', 'ar', 'rtl'],
  ] as const) {
    const { text } = await app.show('login', '?kc_locale=ar', {}, realm);
    t.regex(text, new RegExp(`<html lang="${lang}" dir="${dir}">`), realm);
    t.is(text.includes('kc_locale=fr'), false, 'not offered');
  }
});

test('languages: German has every text that English has, with the same parameters', (t) => {
  const parameters = (text: string) => [...new Set(text.match(/\{\d\}/g))].sort();
  t.deepEqual(Object.keys(GERMAN).sort(), Object.keys(ENGLISH).sort());
  for (const [key, text] of Object.entries(ENGLISH)) {
    const german = GERMAN[key as keyof typeof ENGLISH];
    t.true(german.trim() !== '', key);
    t.deepEqual(parameters(german), parameters(text), key);
  }
});

test('languages: a text gets its parameters, and an unknown key is shown as it is', (t) => {
  const texts = new Texts('de-AT', [{ mine: '{1}, {0}, {2}', toString: "it''s" }, undefined]);
  t.is(texts.of('mine', 'a', '{1}'), '{1}, a, {2}');
  t.is(texts.of('toString'), "it's");
  t.is(texts.of('constructor'), 'constructor');
  t.is(texts.of('password'), 'Passwort');
  t.is(texts.text({ key: '${password}' }), 'Passwort');
  t.is(texts.text({ key: '${nobody}', params: ['x'] }), 'nobody');
  t.is(texts.name('password'), 'password', 'a name is no key');
  t.is(new Texts('fr').of('password'), 'Password');
  const invited = { key: 'invited', params: ['alice'], texts: { en: '{0} was invited', de: '{0} wurde eingeladen' } };
  const said = (locale: string, above = {}) => new Texts(locale, [above]).text(invited);
  t.deepEqual(
    ['de', 'de-AT', 'en', 'fr'].map((locale) => said(locale)),
    ['alice wurde eingeladen', 'alice wurde eingeladen', 'alice was invited', 'alice was invited'],
  );
  t.is(said('de', { invited: 'Hallo {0}' }), 'Hallo alice', 'the realm has the last word');
  t.is(new Texts('de').text({ key: "{0} isn't known", params: ['alice'] }), "alice isn't known");
});

test('languages: the first requested and offered language wins, in Keycloak’s order', (t) => {
  const all = { kcLocale: 'en', uiLocales: 'pt-BR', cookie: 'de', acceptLanguage: 'de' };
  t.is(choice(all), 'en');
  t.is(choice({ ...all, kcLocale: undefined }), 'pt-BR');
  t.is(choice({ ...all, kcLocale: 'xx', uiLocales: 'fr it' }), 'de');
  t.is(choice({ acceptLanguage: 'fr, en;q=0.5, pt;q=0.9, de;q=0' }), 'pt-BR');
  t.is(choice({ acceptLanguage: 'en-GB' }), 'en');
  t.is(choice({}), 'de', 'the default');
  t.is(choice({ kcLocale: '"><script>', acceptLanguage: `${'a,'.repeat(10_000)}en` }), 'de');
  t.is(choice({ ...all }, { defaultLocale: 'de', supportedLocales: ['en'] }), 'de', 'not internationalized');
  t.is(choice({ ...all }, {}), 'en');
  t.is(choice({}, { defaultLocale: 'not a language' }), 'en');
});

test('languages: a language is found by its longest part, written in any way', (t) => {
  const offered = ['de', 'de-AT', 'zh-Hant', 'pt-BR'];
  const found = ['DE', 'de-at', 'de_AT', 'de-CH', 'zh', 'zh-Hant-TW', 'pt-PT', 'fr', '', '*'];
  t.deepEqual(
    found.map((tag) => matchLocale(offered, tag)),
    ['de', 'de-AT', 'de-AT', 'de', 'zh-Hant', 'zh-Hant', 'pt-BR', undefined, undefined, undefined],
  );
  t.deepEqual(['de', 'en', 'fr'].map(languageLabel), ['Deutsch', 'English', 'Français']);
});

test('languages: kc_locale shows the page in that language and keeps it in a cookie for the realm', async (t) => {
  const german = await app.show('login');
  t.is(german.headers.get('set-cookie'), null, 'nobody asked');
  const english = await app.show('login', '?kc_locale=en-GB');
  t.is(english.headers.get('content-language'), 'en');
  t.is(english.headers.get('set-cookie'), 'KEYCLOAK_LOCALE=en; Path=/auth/realms/demo/; HttpOnly; SameSite=Lax');
  const cookie = { cookie: 'a=b; KEYCLOAK_LOCALE=en; KEYCLOAK_LOCALE=de' };
  t.is((await app.show('login', '', cookie)).headers.get('content-language'), 'en');
  const secure = await app.show('login', '?kc_locale=en', { 'x-forwarded-proto': 'https' });
  t.regex(secure.headers.get('set-cookie') ?? '', /; HttpOnly; Secure; SameSite=None$/);
  for (const unknown of ['xx', '', 'en%0d%0aX:y', '%22', 'fr']) {
    const answer = await app.show('login', `?kc_locale=${unknown}`);
    t.deepEqual([answer.headers.get('content-language'), answer.headers.get('set-cookie')], ['de', null], unknown);
  }
  t.is((await app.show('wished')).headers.get('content-language'), 'pt-BR');
});

test('languages: the languages link to the same page, and a page that continues by itself has no links', async (t) => {
  const { text } = await app.show('login', '?a=1%262&kc_locale=de&a=%22');
  const links = [
    ...text.matchAll(/<a href="([^"]*)" hreflang="([^"]*)" lang="[^"]*"( aria-current="true")?>([^<]*)</g),
  ];
  const path = '/auth/realms/demo/show/login?a=1%262&amp;kc_locale=';
  t.deepEqual(
    links.map(([, ...found]) => found),
    [
      [`${path}en&amp;a=%22`, 'en', undefined, 'English'],
      [`${path}de&amp;a=%22`, 'de', ' aria-current="true"', 'Deutsch'],
      [`${path}pt-BR&amp;a=%22`, 'pt-BR', undefined, 'Português (Brasil)'],
    ],
  );
  t.true((await app.show('elsewhere')).text.includes('href="/realms/demo/other?tab=1&amp;kc_locale=en"'));
  for (const name of ['form-post', 'frontchannel-logout']) t.notRegex((await app.show(name)).text, /hreflang/);
});

test("languages: the realm's own texts come first, also in names", async (t) => {
  const { text } = await app.show('login');
  t.true(text.includes('<title>Anmeldung bei Die Firma</title>'));
  t.true(text.includes('type="submit">Los geht&#39;s</button>'));
  t.true((await app.show('login', '?kc_locale=en')).text.includes('<title>Sign in to The Company</title>'));
});

test('languages: a realm without internationalization has one language and offers no choice', async (t) => {
  for (const [realm, language] of [
    ['plain', 'en'],
    ['german', 'de'],
  ]) {
    const { headers, text } = await app.show('login', '?kc_locale=pt-BR', { 'accept-language': 'pt-BR' }, realm);
    t.deepEqual([headers.get('content-language'), headers.get('set-cookie')], [language as string, null]);
    t.notRegex(text, /hreflang/);
  }
});

test('languages: errors of the host are shown in the language of the realm', async (t) => {
  const page = async (path: string) => fetch(`${app.url}${path}`, { headers: { accept: 'text/html' } });
  const missing = await page('/realms/demo/nothing');
  t.deepEqual([missing.status, missing.headers.get('content-language')], [404, 'de']);
  t.regex(
    await missing.text(),
    /Es tut uns leid…[\s\S]*id="kc-error-message">Seite nicht gefunden\. Prüfen Sie die Adresse\.</,
  );
  const nowhere = await page('/nothing');
  t.regex(await nowhere.text(), /We are sorry…[\s\S]*id="kc-error-message">Page not found\. Check the address\.</);
});
