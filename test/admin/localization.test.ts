import test from 'ava';
import { adminCaller, adminClient, startAdministered } from '../helpers/admin.js';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, codeRequest } from '../helpers/form-browser.js';

const demo = { realm: 'demo' };

test('localization: the realm’s texts are set, shown on its pages at once, and removed', async (t) => {
  const host = await startAdministered(t, { realms: [codeRealm('demo')] });
  const { realms } = await adminClient(host);
  const call = await adminCaller(host);
  const page = async () => (await new Browser().open(codeRequest(host).url)).text;
  t.deepEqual(await realms.getRealmSpecificLocales(demo), []);
  await realms.addLocalization({ ...demo, selectedLocale: 'en', key: 'doLogIn' }, 'Step <in>');
  t.regex(await page(), /Step &lt;in&gt;/);
  t.is((await call('POST', '/realms/demo/localization/de', { doLogIn: 'Los', other: 'Anderes' })).status, 204);
  t.is((await call('POST', '/realms/demo/localization/de', { doLogIn: 'Herein' })).status, 204);
  t.deepEqual(await realms.getRealmSpecificLocales(demo), ['de', 'en']);
  t.deepEqual(await realms.getRealmLocalizationTexts({ ...demo, selectedLocale: 'de' }), {
    doLogIn: 'Herein',
    other: 'Anderes',
  });
  const one = await call('GET', '/realms/demo/localization/de/doLogIn');
  t.is(one.text, 'Herein');
  t.regex(one.headers.get('content-type') ?? '', /^text\/plain/);
  t.deepEqual(await realms.getRealmLocalizationTexts({ ...demo, selectedLocale: 'fr' }), {});
  await realms.deleteRealmLocalizationTexts({ ...demo, selectedLocale: 'en', key: 'doLogIn' });
  t.notRegex(await page(), /Step/);
  t.is((await call('DELETE', '/realms/demo/localization/de')).status, 204);
  t.deepEqual(await realms.getRealmSpecificLocales(demo), []);
  for (const path of ['de/doLogIn', 'de/toString', '__proto__/toString']) {
    t.is((await call('GET', `/realms/demo/localization/${path}`)).status, 404, path);
  }
  t.is((await call('DELETE', '/realms/demo/localization/de')).status, 404);
  const text = { 'content-type': 'text/plain' };
  for (const path of ['__proto__/x', 'de/__proto__', 'not%20a%20language/x']) {
    t.is((await call('PUT', `/realms/demo/localization/${path}`, 'x', text)).status, 400, path);
  }
  t.is((await call('POST', '/realms/demo/localization/de', { a: [1] })).status, 400);
});
