import test from 'ava';
import type { UserRepresentation } from '../../core/model/representation.js';
import { adminCaller, startAdministered } from '../helpers/admin.js';
import { eventually } from '../helpers/eventually.js';
import { Browser } from '../helpers/form-browser.js';
import { fetchAnswer, startHost, TestClock, type TestHost } from '../helpers/host.js';
import { shownLogin, shownRealm } from '../helpers/shown-realm.js';
import { codeOfApp, withApp } from '../helpers/stepping-realm.js';

const NAME = 'trusted-device';
const DAY = 86_400;
const FIREFOX = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };

/** Signs in with a browser that has no cookies of the last login except the plugin's. */
async function logIn(host: TestHost, clock: TestClock, browser: Browser, answer?: Record<string, string>) {
  for (const name of [...browser.cookies.keys()]) if (!name.startsWith('KEYHOST_STEP_')) browser.cookies.delete(name);
  const page = await browser.submit(await browser.open(shownLogin(host, NAME).url), {
    username: 'ada',
    password: 'ada',
  });
  if (answer === undefined) return page;
  clock.forward(30);
  const asked = await browser.submit(page, { otp: codeOfApp(clock.now()) });
  if (asked.status !== 200) return asked;
  // As the page is when it is drawn.
  return browser.open(/action="([^"]*)"/.exec(asked.text)?.[1]?.replaceAll('&amp;', '&') ?? '', {
    method: 'POST',
    headers: FIREFOX,
    body: new URLSearchParams(answer),
  });
}

for (const isolation of ['none', 'worker']) {
  test(`trusted device: a second factor is asked for until the device is trusted, and again after that time or another password (${isolation})`, async (t) => {
    const clock = new TestClock();
    const realm = await shownRealm(NAME);
    const users: UserRepresentation[] = withApp([
      { ...realm.users?.[0], username: 'alice', requiredActions: [] },
      { ...realm.users?.[0], username: 'eve', email: 'eve@example.com', requiredActions: [] },
    ]).map((user) => (user.username === 'alice' ? { ...user, username: 'ada' } : user));
    const clients = realm.clients?.map((client) => ({ ...client, directAccessGrantsEnabled: true }));
    const host = await startAdministered(t, {
      realms: [{ ...realm, users, clients: clients ?? [] }],
      plugins: [{ module: '@keyhost/trusted-device', isolation }],
      clock,
    });
    const code = (page: { location: URL | undefined }) => page.location?.searchParams.get('code');
    const browser = new Browser();
    t.truthy(code(await logIn(host, clock, browser, { trust: 'no', name: '' })));
    t.regex((await logIn(host, clock, browser)).text, /name="otp"/, 'it was not trusted');
    t.truthy(code(await logIn(host, clock, browser, { trust: 'yes', name: ' Admin console <1> ' })));
    t.truthy(code(await logIn(host, clock, browser)), 'it is trusted');
    t.regex((await logIn(host, clock, new Browser())).text, /name="otp"/, 'another browser is not');

    const grant = { grant_type: 'password', client_id: 'app', scope: 'openid' };
    const token = async (username: string) => {
      const answer = await host.token(NAME, { ...grant, username, password: 'ada', totp: codeOfApp(clock.now()) });
      t.is(answer.status, 200, answer.text);
      return { authorization: `Bearer ${answer.json.access_token}` };
    };
    clock.forward(30);
    const url = `${host.realm(NAME)}/trusted-devices`;
    const ada = await token('ada');
    const list = async () =>
      (await fetchAnswer(url, { headers: ada })).json as unknown as { id: string; name: string }[];
    const [device] = await list();
    t.is(device?.name, 'Admin console <1>');
    t.is((await fetchAnswer(url)).status, 401);
    t.is((await fetchAnswer(`${url}/${device?.id}`, { method: 'DELETE', headers: await token('eve') })).status, 204);
    t.is((await list()).length, 1, 'nobody removes the device of another user');

    clock.forward(90 * DAY);
    t.regex((await logIn(host, clock, browser)).text, /name="otp"/, 'it was trusted for 90 days');
    t.truthy(code(await logIn(host, clock, browser, { trust: 'yes', name: '' })));
    clock.forward(30);
    Object.assign(ada, await token('ada'));
    const [again] = await list();
    t.is(again?.name, 'Firefox on Linux');
    t.is((await fetchAnswer(`${url}/${again?.id}`, { method: 'DELETE', headers: ada })).status, 204);
    t.regex((await logIn(host, clock, browser)).text, /name="otp"/, 'the user has removed it');

    t.truthy(code(await logIn(host, clock, browser, { trust: 'yes', name: '' })));
    const change = await browser.open(shownLogin(host, NAME, { kc_action: 'UPDATE_PASSWORD' }).url);
    const same = { 'password-new': 'ada', 'password-confirm': 'ada' };
    t.is((await browser.submit(change, same)).location?.searchParams.get('kc_action_status'), 'success');
    t.true(await eventually(async () => (await logIn(host, clock, browser)).text.includes('name="otp"')));

    t.truthy(code(await logIn(host, clock, browser, { trust: 'yes', name: '' })));
    const root = await adminCaller(host);
    const [{ id }] = JSON.parse((await root('GET', `/realms/${NAME}/users?username=ada`)).text);
    const reset = { type: 'password', value: 'ada', temporary: false };
    t.is((await root('PUT', `/realms/${NAME}/users/${id}/reset-password`, reset)).status, 204);
    t.true(await eventually(async () => (await logIn(host, clock, browser)).text.includes('name="otp"')));
  });
}

test('trusted device: an invalid duration is refused with a message', async (t) => {
  const realm = await shownRealm(NAME);
  const error = await t.throwsAsync(
    startHost(t, {
      realms: [
        {
          ...realm,
          authenticatorConfig: realm.authenticatorConfig?.map((one) => ({
            ...one,
            config: { ...one.config, duration: '90 days' },
          })),
        },
      ],
      plugins: [{ module: '@keyhost/trusted-device' }],
    }),
  );
  t.regex(JSON.stringify(error), /duration.*must be an ISO 8601 duration of days.*such as P90D/);
});
