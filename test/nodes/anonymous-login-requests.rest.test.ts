import test from 'ava';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, codeRequest, formAction, type Visit } from '../helpers/form-browser.js';
import { TestClock, type TestHost } from '../helpers/host.js';
import { reachedAt, startNodes } from '../helpers/nodes.js';
import { shareStarted } from '../helpers/shared-host.js';

const ALICE = { username: 'alice', password: 'Alice-pass-1!' };

const scene = shareStarted(test, async (scope) => {
  const realms = ['demo', 'counted', 'other'].map((name) => codeRealm(name));
  const { front, nodes } = await startNodes(scope, { realms });
  return { host: front, nodes: nodes.map((node) => reachedAt(node, node.url)) as [TestHost, TestHost] };
});

/** Returns the number of authentication sessions in the store. */
async function countStoredSessions({ store }: TestHost, realm: string): Promise<number> {
  const range = { realm, namespace: '/authentication-sessions', prefix: '', first: 0, max: 100, now: Date.now() };
  return (await store.entries.list(range)).filter(({ value }) => JSON.parse(value).session !== undefined).length;
}

const openLoginPage = (browser: Browser, host: TestHost, realm = 'demo') =>
  browser.open(codeRequest(host, {}, realm).url);
const isLoggedIn = ({ location }: Visit) => location?.searchParams.has('code') === true;

test('nodes, anonymous logins: opening login pages stores nothing, and submitting one does', async (t) => {
  const { host } = scene();
  const browser = new Browser();
  const page = await openLoginPage(browser, host, 'counted');
  for (let visit = 0; visit < 20; visit += 1)
    await openLoginPage(visit % 2 === 0 ? browser : new Browser(), host, 'counted');
  t.is(await countStoredSessions(host, 'counted'), 0);
  const again = await browser.submit(page, { ...ALICE, password: 'wrong' });
  t.is(await countStoredSessions(host, 'counted'), 1);
  t.true(isLoggedIn(await browser.submit(again, ALICE)));
  t.is(await countStoredSessions(host, 'counted'), 0);
});

test('nodes, anonymous logins: each tab of a browser goes on with its own login', async (t) => {
  const { host } = scene();
  const browser = new Browser();
  const tabs = [await openLoginPage(browser, host), await openLoginPage(browser, host)] as const;
  const wrong = await browser.submit(tabs[0], { ...ALICE, password: 'wrong' });
  t.regex(wrong.text, /Invalid username or password/);
  t.true(isLoggedIn(await browser.submit(tabs[1], ALICE)));
});

test('nodes, anonymous logins: a first page that is answered on all nodes at once logs in once, and never again', async (t) => {
  const { host, nodes } = scene();
  const browser = new Browser();
  const page = await openLoginPage(browser, host);
  const { pathname, search } = new URL(formAction(page));
  const post = (node: TestHost) =>
    browser.open(`${node.url}${pathname}${search}`, { method: 'POST', body: new URLSearchParams(ALICE) });
  const cookies = new Map(browser.cookies);
  const answers = await Promise.all([...nodes, ...nodes].map(post));
  t.is(answers.filter(isLoggedIn).length, 1);
  for (const node of nodes) {
    t.false(isLoggedIn(await post(node)), 'the browser presses its button again');
    browser.cookies.clear();
    for (const [name, value] of cookies) browser.cookies.set(name, value);
    t.false(isLoggedIn(await post(node)), 'as it was before');
  }
});

test('nodes, anonymous logins: the state in a page is usable by its browser alone, in its realm, and unchanged', async (t) => {
  const { host } = scene();
  const browser = new Browser();
  const other = new Browser();
  const page = await openLoginPage(browser, host);
  await openLoginPage(other, host);
  const submit = async (who: Browser, change: (url: URL) => void) => {
    const url = new URL(formAction(page));
    change(url);
    return who.open(url.href, { method: 'POST', body: new URLSearchParams(ALICE) });
  };
  const unchanged = () => undefined;
  const carried = new URL(formAction(page)).searchParams.get('client_data') ?? '';
  t.false(carried.includes('web') || Buffer.from(carried, 'base64url').toString().includes('redirect'));
  t.false(isLoggedIn(await submit(other, unchanged)), 'another browser');
  t.false(isLoggedIn(await submit(new Browser(), unchanged)), 'one that was never here');
  // Not the last character: four of its six bits are padding.
  const changed = carried.replace(/.(?=.{4}$)/, (one) => (one === 'A' ? 'B' : 'A'));
  t.false(isLoggedIn(await submit(browser, (url) => url.searchParams.set('client_data', changed))), 'changed');
  t.false(isLoggedIn(await submit(browser, (url) => (url.pathname = url.pathname.replace('demo', 'other')))), 'realm');
  t.false(isLoggedIn(await submit(browser, (url) => url.searchParams.set('tab_id', 'x'.repeat(11)))), 'tab');
  t.false(isLoggedIn(await submit(browser, (url) => url.searchParams.set('session_code', 'x'))), 'code');
});

test('nodes, anonymous logins: a first page is good for as long as the realm lets a login take', async (t) => {
  const clock = new TestClock();
  const { front } = await startNodes(t, { clock, realms: [codeRealm('demo')] });
  const browser = new Browser();
  const page = await openLoginPage(browser, front);
  clock.forward(1801);
  const late = await browser.submit(page, ALICE);
  t.false(isLoggedIn(late));
  t.regex(late.text, /Your login attempt timed out/);
  t.true(isLoggedIn(await browser.submit(late, ALICE)));
});
