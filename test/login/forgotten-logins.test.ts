import test from 'ava';
import { Browser, codeRequest, type Visit } from '../helpers/form-browser.js';
import { TestClock } from '../helpers/host.js';
import { testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const clock = new TestClock();
const host = shareHost(test, { realms: [testRealm('demo'), testRealm('other')], clock });
const ANSWER = { username: 'alice', password: 'Alice-pass-1!' };
const TOO_LATE = /Login timeout\. Please sign in again\./;

/** A login page whose login the host has lost, as after half an hour or a restart. */
async function forgotten(changes: Record<string, string> = {}): Promise<{ browser: Browser; page: Visit }> {
  const browser = new Browser();
  const page = await browser.open(codeRequest(host(), changes).url);
  browser.cookies.delete('AUTH_SESSION_ID');
  return { browser, page };
}

test('lost login: it begins again at its application, with a message that no timeout expired', async (t) => {
  const { browser, page } = await forgotten({ state: 'mine' });
  const again = await browser.submit(page, ANSWER);
  t.is(again.status, 200);
  t.regex(again.text, /Your sign-in was interrupted\. It starts again from the beginning\./);
  const wrong = await browser.submit(again, { ...ANSWER, password: 'wrong' });
  t.notRegex(wrong.text, /interrupted/);
  const back = await browser.submit(wrong, ANSWER);
  t.is(back.location?.searchParams.get('state'), 'mine');
  t.truthy(back.location?.searchParams.get('code'));
  t.false(browser.cookies.has('KC_RESTART'));
});

test.serial('lost login: after a timeout it begins again, with a message', async (t) => {
  const browser = new Browser();
  const page = await browser.open(codeRequest(host()).url);
  clock.forward(1801);
  const again = await browser.submit(page, ANSWER);
  t.is(again.status, 200);
  t.regex(again.text, /Your login attempt timed out\. Login will start from the beginning\./);
});

/** The cookie with each of its parts modified, removed or truncated, and invalid values. */
function changed(cookie: string): string[] {
  const parts = cookie.split('.');
  const edits = [(part: string) => `${part.slice(0, -2)}x`, (part: string) => part.slice(0, 4), () => '', () => 'e30'];
  const edited = parts.flatMap((part, at) => edits.map((edit) => parts.with(at, edit(part)).join('.')));
  return [...new Set(edited), 'x', '....', 'a.b.c', parts.slice(0, 3).join('.')].filter((one) => one !== cookie);
}

test('lost login: no other tab, browser, realm or client continues it, and no changed cookie', async (t) => {
  const { browser, page } = await forgotten();
  const without = await new Browser().submit(page, ANSWER);
  const change = async (edit: (url: URL) => void) => {
    const url = new URL(/action="([^"]+)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? '', page.url);
    edit(url);
    return browser.open(url.href);
  };
  const tab = await change((url) => url.searchParams.set('tab_id', 'another'));
  const client = await change((url) => url.searchParams.set('client_id', 'web2'));
  const realm = await change((url) => {
    url.pathname = url.pathname.replace('/demo/', '/other/');
  });
  const answers = [without, tab, client, realm];
  for (const cookie of changed(browser.cookies.get('KC_RESTART') ?? '')) {
    browser.cookies.set('KC_RESTART', cookie);
    answers.push(await browser.submit(page, ANSWER));
  }
  for (const answer of answers) {
    t.is(answer.status, 400);
    t.regex(answer.text, TOO_LATE);
  }
});

test('lost login: a request that no cookie can hold is answered, and cannot begin again', async (t) => {
  const { browser, page } = await forgotten({ state: 'x'.repeat(4000) });
  t.is(page.status, 200);
  t.false(browser.cookies.has('KC_RESTART'));
  t.regex((await browser.submit(page, ANSWER)).text, TOO_LATE);
});
