import test from 'ava';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, codeRequest } from '../helpers/form-browser.js';
import { inRealm } from '../helpers/host.js';
import { ALICE_LOGIN, WEB } from '../helpers/login.js';
import { flowWith, redirectingStep } from '../helpers/redirecting-step.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(
  test,
  {
    realms: [],
    plugins: [{ module: 'elsewhere' }, { module: 'apart', isolation: 'worker' }, { module: 'lost' }],
    packages: {
      elsewhere: redirectingStep('elsewhere'),
      apart: redirectingStep('apart'),
      lost: redirectingStep('lost').replace('returned: async', 'arrived: async'),
    },
  },
  /authenticator\/lost answered redirect/,
);

for (const id of ['elsewhere', 'apart']) {
  test(`redirecting steps: a step redirects the browser, and reads the parameters of its return: ${id}`, async (t) => {
    const host = await inRealm(shared(), (name) => codeRealm(name, flowWith(id)));
    const browser = new Browser();
    const away = await browser.open(codeRequest(host).url);
    t.deepEqual(
      [away.status, away.location?.host, away.headers.get('referrer-policy')],
      [303, 'there.test', 'no-referrer'],
    );
    const [back, state] = ['back', 'state'].map((name) => away.location?.searchParams.get(name) ?? '');
    t.true(back?.endsWith('/login-actions/return'), back);

    // The redirect after this answer is a separate one with a new state.
    const page = await browser.open(
      `${back}?${new URLSearchParams({ state: state ?? '', code: 'wrong', extra: 'x' })}`,
    );
    t.true(page.text.includes('came with'), page.text);
    t.regex(page.text.replaceAll('&quot;', '"'), /\{"code":"wrong","extra":"x","state":"kept by web"\}/);
    const again = await browser.submit(page, {});
    const next = again.location?.searchParams.get('state') ?? '';
    t.not(next, state);

    // Other sites may post a form.
    const body = new URLSearchParams({ state: next, code: 'right', username: 'alice' });
    const done = await browser.open(back ?? '', { method: 'POST', body });
    t.truthy(done.location?.searchParams.get('code'), done.text);
  });
}

test('redirecting steps: in a password grant it is refused, and prompt=none answers login_required', async (t) => {
  const host = await inRealm(shared(), (name) => codeRealm(name, flowWith('elsewhere')));
  const answer = await host.token(host.defaultRealm, { ...WEB, ...ALICE_LOGIN });
  t.like(answer.json, { error: 'invalid_grant' });
  const silent = await new Browser().open(codeRequest(host, { prompt: 'none' }).url);
  t.is(silent.location?.searchParams.get('error'), 'login_required');
});

test('redirecting steps: a step that cannot handle the return does not redirect, and the log names it', async (t) => {
  const host = await inRealm(shared(), (name) => codeRealm(name, flowWith('lost')));
  const page = await new Browser().open(codeRequest(host).url);
  t.deepEqual([page.status, page.location], [500, undefined]);
  const said = host.log.map(({ message, fields }) => `${message} ${JSON.stringify(fields)}`);
  t.true(said.some((line) => line.includes('lost: authenticator/lost answered redirect, and has no method returned')));
});
