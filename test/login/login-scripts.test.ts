import test from 'ava';
import { codeRequest } from '../helpers/form-browser.js';
import { startHost } from '../helpers/host.js';
import { testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const host = shareHost(test);

/**
 * How scripts for Keycloak find the URL of the login form. Each pattern is from several public repositories. They post
 * to the match unchanged, some of them with `&amp;`.
 */
const SCRIPTS: Readonly<Record<string, RegExp>> = {
  'Python, id first': /<form id="kc-form-login"[^>]*action="([^"]+)"/,
  'Python, any form': /<form[^>]*id="kc-form-login"[^>]*action="([^"]+)"/s,
  'Python, by the line': /\s+<form id="kc-form-login" .* action="(.*)" method="(.*)">/,
  'JavaScript, the whole form': /<form[^>]+id="kc-form-login"[^>]*action="([^"]+)"[^>]*>(?:[\s\S]*?)<\/form>/i,
  Perl: /<form\s+id="kc-form-login"[^>]*\saction="([^"]+)"/s,
  'PHP, greedy': /kc-form-login.*action="(.*)" /,
  sed: /^.*id="kc-form-login"[^>]*action="([^"]*)".*$/m,
  'grep, the first action of the page': /action="([^"]+)"/,
  'action before method': /action="([^"]*)" method="post"/,
  'JMeter, by the path': /action="([^"]*\/login-actions\/authenticate\?[^"]*)"/,
};

/** They do not parse HTML; python-keycloak's own test is an example. */
const AS_WRITTEN = ['Python, by the line', 'sed'];

for (const [name, pattern] of Object.entries(SCRIPTS)) {
  test(`login page: a script for Keycloak’s login page signs in here: ${name}`, async (t) => {
    const page = await fetch(codeRequest(host()).url);
    const cookie = page.headers
      .getSetCookie()
      .map((line) => line.split(';', 1)[0])
      .join('; ');
    const found = pattern.exec(await page.text())?.[1] ?? '';
    const action = AS_WRITTEN.includes(name) ? found : found.replaceAll('&amp;', '&');
    t.true(action.startsWith(`${host().realm('demo')}/login-actions/authenticate?session_code=`), action);
    const body = new URLSearchParams({ username: 'alice', password: 'Alice-pass-1!', credentialId: '' });
    const back = await fetch(action, { method: 'POST', redirect: 'manual', headers: { cookie }, body });
    t.is(back.status, 302);
    t.regex(back.headers.get('location') ?? '', /[?&]code=[^&]+/);
  });
}

test('login page: fields are found by Keycloak’s IDs and names, and URLs have no numeric entities', async (t) => {
  const text = await (await fetch(codeRequest(host(), { login_hint: '<"a&b\'>' }).url)).text();
  for (const [id, name] of [
    ['username', 'username'],
    ['password', 'password'],
    ['id-hidden-input', 'credentialId'],
  ]) {
    t.regex(text, new RegExp(`<input [^>]*id="${id}" name="${name}"`));
  }
  t.regex(text, /<button [^>]*name="login" id="kc-login" type="submit">/);
  t.regex(text, /<input id="username" name="username" value="&lt;&quot;a&amp;b&#39;&gt;" type="text"/);
  t.notRegex(text, /&#3[48];|&#6[02];/);
});

test('login page: a browser with another host name than the issuer’s posts to that name', async (t) => {
  const other = await startHost(t, { realms: [testRealm('demo')], argv: ['--hostname', 'https://id.example.test'] });
  const text = await (await fetch(codeRequest(other).url)).text();
  t.regex(text, /id="kc-form-login"[^>]* action="\/realms\/demo\/login-actions\/authenticate\?/);
});
