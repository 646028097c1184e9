import test from 'ava';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, codeRequest } from '../helpers/form-browser.js';
import { fetchAnswer, inRealm, TestClock } from '../helpers/host.js';
import { pollAddress, pollingStep } from '../helpers/polling-step.js';
import { flowWith } from '../helpers/redirecting-step.js';
import { shareHost } from '../helpers/shared-host.js';

const clock = new TestClock();
const shared = shareHost(
  test,
  {
    realms: [],
    clock,
    plugins: [{ module: 'phone' }, { module: 'apart', isolation: 'worker' }, { module: 'deaf' }],
    packages: {
      phone: pollingStep('phone'),
      apart: pollingStep('apart'),
      deaf: pollingStep('deaf').replace('poll: async', 'asked: async'),
    },
  },
  /authenticator\/deaf answered poll/,
);

for (const id of ['phone', 'apart']) {
  test.serial(`polling steps: a page asks its step until that is ready, and goes on: ${id}`, async (t) => {
    const host = await inRealm(shared(), (name) => ({
      ...codeRealm(name, flowWith(id)),
      providers: { 'realm-restapi-extension': { [id]: { enabled: true } } },
    }));
    const browser = new Browser();
    const page = await browser.open(codeRequest(host).url);
    t.regex(page.text, /data-interval="2"/);
    t.regex(page.headers.get('content-security-policy') ?? '', /script-src 'self'; connect-src 'self'; form-action/);
    const poll = async () => {
      clock.forward(2);
      const { status, text } = await browser.open(pollAddress(page));
      return [status, JSON.parse(text)];
    };
    const data = { state: 'kept', login: 'string' };
    t.deepEqual(await poll(), [200, { ready: false, data }]);
    t.deepEqual(await poll(), [200, { ready: false, data }]);
    // Without scripts, and too early: the page is shown again.
    const again = await browser.submit(page, {});
    t.regex(again.text, /Look at your phone/);

    await fetchAnswer(`${host.realm(host.defaultRealm)}/${id}`, { method: 'POST' });
    clock.forward(2);
    const ready = await browser.open(pollAddress(again));
    t.deepEqual(JSON.parse(ready.text), { ready: true, data });
    const done = await browser.submit(again, {});
    t.truthy(done.location?.searchParams.get('code'), done.text);
  });
}

test('polling steps: a page without a poll or a field is not shown, and the log says why', async (t) => {
  const host = await inRealm(shared(), (name) => codeRealm(name, flowWith('deaf')));
  t.is((await new Browser().open(codeRequest(host).url)).status, 500);
  const said = host.log.map(({ message, fields }) => `${message} ${JSON.stringify(fields)}`);
  t.true(said.some((line) => line.includes('deaf: authenticator/deaf answered poll, and has no method poll')));
});
