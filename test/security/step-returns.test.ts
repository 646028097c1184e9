import test, { type ExecutionContext } from 'ava';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, codeRequest, type Visit } from '../helpers/form-browser.js';
import { inRealm, startHost, TestClock, type TestHost } from '../helpers/host.js';
import { flowWith, redirectingStep } from '../helpers/redirecting-step.js';
import { shareStarted } from '../helpers/shared-host.js';

const clock = new TestClock();
const shared = shareStarted(test, async (scope) => ({
  host: await startHost(scope, {
    realms: [],
    clock,
    plugins: [{ module: 'elsewhere' }],
    packages: { elsewhere: redirectingStep('elsewhere') },
  }),
}));

const realm = () => inRealm(shared().host, (name) => codeRealm(name, flowWith('elsewhere')));

/** The URL to which the other site redirects the browser, for the user that it names. */
function backOf({ location }: Visit, changes: Record<string, string> = {}): string {
  const [back, state] = ['back', 'state'].map((name) => location?.searchParams.get(name) ?? '');
  return `${back}?${new URLSearchParams({ state: state ?? '', code: 'right', username: 'alice', ...changes })}`;
}

async function leave(host: TestHost, browser = new Browser()) {
  return { browser, away: await browser.open(codeRequest(host).url) };
}

/** Checks that no user is signed in, and that the application gets no response. */
function refused(t: ExecutionContext, browser: Browser, { status, location, text }: Visit, what: string) {
  t.is(location?.href, undefined, what);
  t.is(status, 400, what);
  t.false(browser.cookies.has('KEYCLOAK_IDENTITY'), what);
  t.false(text.includes('at Object.'), what);
}

test('T640 · redirecting steps: the state of a redirect is valid in the same browser, and once', async (t) => {
  const host = await realm();
  const { browser, away } = await leave(host);
  const other = new Browser();
  refused(t, other, await other.open(backOf(away)), 'a browser that knows nothing of the login');
  const victim = (await leave(host)).browser;
  refused(t, victim, await victim.open(backOf(away)), 'a browser with a login of its own');
  t.truthy((await browser.open(backOf(away))).location?.searchParams.get('code'), 'it was nobody else’s to use up');
  const again = await browser.open(backOf(away));
  t.is(again.location?.searchParams.get('code') ?? null, null, 'a second time');
});

test('T641 · redirecting steps: a return must belong to the redirect that the login waits for', async (t) => {
  const host = await realm();
  const { browser, away } = await leave(host);
  const [random, ...names] = (away.location?.searchParams.get('state') ?? '').split('.');
  const forged = [`${random?.slice(1)}x.${names.join('.')}`, `.${names.join('.')}`, '', 'x'];
  for (const state of forged) refused(t, browser, await browser.open(backOf(away, { state })), `state ${state}`);

  refused(t, browser, await browser.open(`${backOf(away)}&state=x`), 'two states');

  const second = await browser.open(codeRequest(host).url);
  const mixed = `${random}.${(second.location?.searchParams.get('state') ?? '').split('.').slice(1).join('.')}`;
  refused(t, browser, await browser.open(backOf(away, { state: mixed })), 'of another tab');

  const page = await browser.open(backOf(second, { code: 'wrong' }));
  const third = await browser.submit(page, { code: 'right', username: 'alice' });
  t.is(third.location?.host, 'there.test', 'a posted page does not stand for coming back');
  refused(t, browser, await browser.open(backOf(second)), 'the trip before');
  t.truthy((await browser.open(backOf(third))).location?.searchParams.get('code'));
});

test.serial('T642 · redirecting steps: a late return begins the login again', async (t) => {
  const host = await realm();
  const { browser, away } = await leave(host);
  clock.forward(31 * 60);
  const late = await browser.open(backOf(away));
  t.is(late.location?.host ?? 'none', 'there.test', late.text);
  t.false(browser.cookies.has('KEYCLOAK_IDENTITY'));
  t.truthy((await browser.open(backOf(late))).location?.searchParams.get('code'));
});
