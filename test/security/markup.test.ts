import test from 'ava';
import { fetchAnswer } from '../helpers/host.js';
import { generate, post, SVC, WEB } from '../helpers/login.js';
import { rawGet } from '../helpers/raw.js';
import { ALICE, testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const host = shareHost(test, { realms: [testRealm('demo', { displayName: '<i>Demo</i>' })] });
const PROBES = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'-alert(1)-'",
  '{{1234*5678}}',
  '${1234*5678}',
  '<%= 1234*5678 %>',
  '\r\nSet-Cookie: evil=1',
];
const HTML = { accept: 'text/html' };

/** A page must not contain the probe as markup. JSON may, because browsers do not render it. */
function harmless({ headers, text }: { headers: Headers; text: string }): string | undefined {
  if (text.includes(String(1234 * 5678))) return 'the probe was computed';
  if (headers.get('set-cookie') !== null || headers.get('location') !== null) return 'a header was made';
  const type = headers.get('content-type') ?? '';
  if (type === 'application/json' || type === '')
    return headers.get('x-content-type-options') === 'nosniff' ? undefined : 'the type may be guessed';
  const body = text.slice(text.indexOf('<body>'));
  return /<script|<img|<i>|<%/.test(text) || /onerror=alert\(1\)>/.test(body) ? `markup in ${type}` : undefined;
}

test('T217 · markup: parameters, paths and headers are never markup or code', async (t) => {
  const names = ['key', 'error', 'error_description', 'kc_locale', 'ui_locales', 'client_id', 'state', 'execution'];
  for (const probe of PROBES) {
    const encoded = encodeURIComponent(probe);
    const paths = [
      `/realms/${encoded}`,
      `/realms/${encoded}/login-actions/action-token`,
      `/realms/demo/${encoded}`,
      `/realms/demo/newsletter/${encoded}`,
      `/${encoded}`,
      `/xyz?q=${encoded}`,
      ...names.map((name) => `/realms/demo/login-actions/action-token?${name}=${encoded}`),
      ...names.map((name) => `/realms/demo/.well-known/openid-configuration?${name}=${encoded}`),
      `/realms/demo/login-actions/action-token?key=${encoded}&key=2`,
    ];
    for (const path of paths) {
      const answer = await fetchAnswer(`${host().url}${path}`, { headers: { ...HTML, 'accept-language': 'x' } });
      t.is(harmless(answer), undefined, `${path}\n${answer.text}`);
    }
  }
  const forms: Record<string, string>[] = [
    { grant_type: 'client_credentials', ...SVC },
    { grant_type: 'password', ...WEB, username: 'alice', password: 'x' },
    { grant_type: 'refresh_token', ...WEB, refresh_token: 'x' },
  ];
  for (const form of forms) {
    for (const name of [...Object.keys(form), 'scope', 'audience']) {
      for (const probe of PROBES) {
        const answer = await post(host(), 'token', { ...form, [name]: probe }, HTML);
        t.is(harmless(answer), undefined, `${name}\n${answer.text}`);
        t.is(answer.headers.get('content-type'), 'application/json');
      }
    }
  }
  for (const probe of PROBES) {
    for (const body of [
      { userId: probe, applicationId: '1' },
      { userId: ALICE, applicationId: probe },
      { [probe]: 1 },
    ]) {
      const answer = await generate(host(), body, HTML);
      t.true([400, 404].includes(answer.status));
      t.is(harmless(answer), undefined, answer.text);
    }
  }
  const raw = await rawGet(host().url, '/realms/demo/<script>alert(1)</script>', 'Accept: text/html');
  t.notRegex(raw, /<script/);
});

test('T219 · markup: error parameters of a URL are not repeated on any page', async (t) => {
  const text = 'your-bank-says-call-us';
  const query = `error=${text}&error_description=${text}&error_hint=${text}&message=${text}&client_data=${text}`;
  for (const path of ['login-actions/action-token', 'login-actions/authenticate', 'protocol/openid-connect/auth', '']) {
    for (const accept of ['text/html', 'application/json']) {
      const answer = await fetchAnswer(`${host().realm('demo')}/${path}?${query}`, { headers: { accept } });
      t.false(answer.text.includes(text), path);
    }
  }
});
