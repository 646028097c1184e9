import test from 'ava';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, codeRequest } from '../helpers/form-browser.js';
import { fetchAnswer, inRealm, TestClock } from '../helpers/host.js';
import { pollAddress, pollingStep } from '../helpers/polling-step.js';
import { flowWith } from '../helpers/redirecting-step.js';
import { shareHost } from '../helpers/shared-host.js';

const clock = new TestClock();
const shared = shareHost(test, {
  realms: [],
  clock,
  plugins: [{ module: 'phone' }],
  packages: { phone: pollingStep('phone') },
});
const realm = () =>
  inRealm(shared(), (name) => ({
    ...codeRealm(name, flowWith('phone')),
    providers: { 'realm-restapi-extension': { phone: { enabled: true } } },
  }));

test.serial('T680 · polling steps: a poll without its login, its newest page or its browser is refused', async (t) => {
  const host = await realm();
  const browser = new Browser();
  const page = await browser.open(codeRequest(host).url);
  const other = await realm();
  const address = pollAddress(page);
  const changed = (name: string, value: string | undefined) => {
    const url = new URL(address);
    if (value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
    return url.href;
  };
  const theirs = new Browser();
  await theirs.open(codeRequest(host).url);
  const tries: [string, Browser, string][] = [
    ['no browser', new Browser(), address],
    ['another browser with a login of its own', theirs, address],
    ['another realm', browser, address.replace(`/realms/${host.defaultRealm}/`, `/realms/${other.defaultRealm}/`)],
    ...['session_code', 'execution', 'tab_id', 'client_id'].flatMap((name): [string, Browser, string][] => [
      [`no ${name}`, browser, changed(name, undefined)],
      [`another ${name}`, browser, changed(name, 'web2')],
    ]),
  ];
  for (const [what, who, url] of tries) {
    clock.forward(2);
    const answer = await who.open(url);
    t.is(answer.status, 400, what);
    t.deepEqual(Object.keys(JSON.parse(answer.text)), ['error', 'error_description'], what);
  }
  clock.forward(2);
  t.is((await browser.open(address)).status, 200, 'it is still good');

  await fetchAnswer(`${host.realm(host.defaultRealm)}/phone`, { method: 'POST' });
  const done = await browser.submit(page, {});
  t.truthy(done.location?.searchParams.get('code'));
  clock.forward(2);
  t.is((await browser.open(address)).status, 400, 'the login is over');
});

test.serial('T681 · polling steps: polls are answered once a second, and none of them signs anybody in', async (t) => {
  const host = await realm();
  await fetchAnswer(`${host.realm(host.defaultRealm)}/phone`, { method: 'POST' });
  const browser = new Browser();
  const page = await browser.open(codeRequest(host).url);
  clock.forward(2);
  const many = await Promise.all(Array.from({ length: 20 }, () => browser.open(pollAddress(page))));
  t.is(many.filter(({ status }) => status === 200).length, 1);
  t.true(many.every(({ status, headers }) => status === 200 || (status === 429 && headers.get('retry-after') === '1')));
  t.false(browser.cookies.has('KEYCLOAK_IDENTITY'));
  t.is((await browser.open(pollAddress(page), { method: 'POST' })).status, 405);
  const elsewhere = await browser.open(pollAddress(page), { headers: { origin: 'https://evil.test' } });
  t.is(elsewhere.headers.get('access-control-allow-origin'), null);
});

test.serial('T682 · polling steps: polls do not make a login last', async (t) => {
  const host = await realm();
  const browser = new Browser();
  const page = await browser.open(codeRequest(host).url);
  const answers: number[] = [];
  for (let minutes = 0; minutes < 40; minutes += 5) {
    clock.forward(5 * 60);
    answers.push((await browser.open(pollAddress(page))).status);
  }
  t.is(answers[0], 200);
  t.is(answers.at(-1), 400);
});
