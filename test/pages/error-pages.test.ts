import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { createApp } from '../../core/http/app.js';
import { fetchAnswer } from '../helpers/host.js';
import { follow, issueKey } from '../helpers/login.js';
import { rawRequest } from '../helpers/raw.js';
import { guardedRealm, testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const GERMAN = { displayName: 'Die Firma', defaultLocale: 'de' };
const host = shareHost(test, {
  realms: [
    guardedRealm('demo', { confirm: true }, GERMAN),
    testRealm('off', { ...GERMAN, enabled: false }),
    testRealm('other'),
  ],
});
const INVALID_CODE = 'An error occurred, please login again through your application.';
const HTML = { accept: 'text/html,*/*;q=0.8' };

test('error pages: an error has the look, name and language of its realm, where there is one', async (t) => {
  const page = (path: string) => fetchAnswer(`${host().url}${path}`, { headers: HTML });
  const cases: [string, number, string, string][] = [
    ['/realms/demo/nothing', 404, 'Die Firma', 'Seite nicht gefunden. Prüfen Sie die Adresse.'],
    [
      '/realms/off/account',
      403,
      'Die Firma',
      'Dieser Realm ist deaktiviert. Bitte wenden Sie sich an Ihren Administrator.',
    ],
    ['/realms/other/nothing', 404, 'other', 'Page not found. Check the address.'],
    ['/realms/nobody/account', 404, 'Keyhost', 'Page not found. Check the address.'],
    ['/realms/%zz', 400, 'Keyhost', 'Malformed percent-encoding in the path'],
    ['/nothing', 404, 'Keyhost', 'Page not found. Check the address.'],
  ];
  for (const [path, status, name, text] of cases) {
    const answer = await page(path);
    t.is(answer.status, status, path);
    t.true(answer.text.includes(`<span>${name}</span></div></header>`), path);
    t.true(answer.text.includes(`<p id="kc-error-message">${text}</p>`), answer.text);
    const style = /rel="stylesheet" href="([^"]+)"/.exec(answer.text)?.[1] ?? '';
    t.is((await fetch(`${host().url}${style}`)).status, 200);
  }
});

test('error pages: a form that a browser leaves its page for fails on a page, and one of a program in JSON', async (t) => {
  const post = (headers: Record<string, string>) =>
    fetchAnswer(`${host().realm('demo')}/nothing`, { method: 'POST', headers: { ...HTML, ...headers } });
  t.is((await post({})).headers.get('content-type'), 'application/json');
  t.is((await post({ 'sec-fetch-mode': 'cors' })).headers.get('content-type'), 'application/json');
  // fetch sets this header itself: a navigation must be written by hand.
  const lines = ['Sec-Fetch-Mode: navigate', 'Accept: text/html', 'Content-Length: 0', 'Connection: close', '', ''];
  const raw = await rawRequest(
    host().url,
    ['POST /realms/demo/nothing HTTP/1.1', 'Host: 127.0.0.1', ...lines].join('\r\n'),
  );
  t.regex(raw, /^HTTP\/1\.1 404 [\s\S]*Content-Type: text\/html; charset=utf-8/i);
});

test('error pages: a link with an action token asks and refuses in the language of the realm, and events stay English', async (t) => {
  const asked = await follow(host(), await issueKey(host()), HTML);
  t.regex(asked.text, /der Anwendung 42 für das Konto a…e geöffnet/);
  t.regex(asked.text, /action="\/realms\/demo\/login-actions\/action-token"/);
  t.regex(asked.text, /id="kc-proceed" name="proceed">Weiter</);
  const refused = await follow(host(), 'rubbish', HTML);
  t.regex(refused.text, /id="kc-error-message">Es ist ein Fehler aufgetreten. Bitte melden Sie sich erneut über/);
  const [event] = await host().stored('demo');
  t.deepEqual([event?.type, event?.details.reason], ['EXECUTE_ACTION_TOKEN_ERROR', INVALID_CODE]);
  const program = await follow(host(), 'rubbish', { accept: 'application/json' });
  t.deepEqual(program.json, { error: 'invalid_request', error_description: INVALID_CODE });
});

test('error pages: if even the error page fails, an empty page says so', async (t) => {
  const said: string[] = [];
  const log = (message: string) => void said.push(message);
  const app = createApp({
    relativePath: '',
    https: false,
    logger: { debug: log, info: log, warn: log, error: log },
    registry: host().registry,
    middleware: [],
    errorPage: async () => {
      throw new Error('<b>no paper</b>');
    },
  });
  const server = createServer(app.callback());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  const answer = await fetchAnswer(`http://127.0.0.1:${port}/x`, { headers: HTML });
  t.deepEqual([answer.status, answer.headers.get('content-type')], [404, 'text/html; charset=utf-8']);
  t.regex(answer.text, /We are sorry…/);
  t.notRegex(answer.text, /no paper|<link|<style/);
  t.deepEqual(said, ['the error page failed']);
});
