import test from 'ava';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, CALLBACK, codeRequest, formAction, type Visit } from '../helpers/form-browser.js';
import { fetchAnswer, inRealm, type TestHost } from '../helpers/host.js';
import { LINKS, linkingStep } from '../helpers/linking-step.js';
import { ALICE, idIn } from '../helpers/realms.js';
import { flowWith } from '../helpers/redirecting-step.js';
import { ask, scriptedPlugin } from '../helpers/scripted-plugin.js';
import { shareHost } from '../helpers/shared-host.js';

const NEEDS = { 'issue-login-links': 'tries it' };
const shared = shareHost(test, {
  realms: [],
  plugins: [
    { module: 'mailer', grants: LINKS },
    { module: 'apart', isolation: 'worker', grants: LINKS },
    { module: 'desk', grants: LINKS },
  ],
  packages: { mailer: linkingStep('mailer'), apart: linkingStep('apart'), desk: scriptedPlugin('desk', NEEDS) },
});

const realm = (id: string, more: object = {}) =>
  inRealm(shared(), (name) => ({
    ...codeRealm(name, { ...flowWith(id), ...more }),
    providers: {
      'realm-restapi-extension': { mailer: { enabled: true }, apart: { enabled: true }, desk: { enabled: true } },
    },
  }));

const heading = ({ text }: Visit) => /<h1[^>]*>([^<]*)/.exec(text)?.[1];
const said = ({ text }: Visit) => /id="kc-(?:info|error)-message">([^<]*)/.exec(text)?.[1];
const code = ({ location }: Visit) => location?.searchParams.get('code') ?? undefined;

/** A login that waits for its link. */
async function waiting(host: TestHost, id: string) {
  const browser = new Browser();
  const page = await browser.submit(await browser.open(codeRequest(host).url), { name: 'alice' });
  const { json } = await fetchAnswer(`${host.realm(host.defaultRealm)}/${id}`);
  const { link, number } = json as unknown as { link: string; number: string };
  return { browser, page, link, number };
}

for (const id of ['mailer', 'apart']) {
  test(`login links: a link completes the login that waits in the same browser, after a button: ${id}`, async (t) => {
    const host = await realm(id);
    const { browser, page, link, number } = await waiting(host, id);
    t.is(heading(page), `Number ${number}`);
    const asked = await browser.open(link);
    t.is(asked.status, 200);
    t.regex(asked.text, /signs you in to web as alice/);
    t.is(code(await browser.open(formAction(page))), undefined, 'the link was only looked at');
    const done = await browser.submit(await browser.open(link), { key: keyOf(link) });
    t.truthy(code(done), done.text);
  });

  test(`login links: in another browser the user selects the number of the waiting window: ${id}`, async (t) => {
    const host = await realm(id);
    const { browser, page, link, number } = await waiting(host, id);
    const phone = new Browser();
    const asked = await phone.open(link);
    t.regex(asked.text, /A browser is waiting to sign in to web as alice/);
    t.regex(asked.text, /address is 127\.0\.0\.1/);
    const told = await phone.submit(asked, { key: keyOf(link), choice: number });
    t.deepEqual([told.status, said(told)], [200, 'Go back to the window that shows the number, and continue there.']);
    t.false(phone.cookies.has('KEYCLOAK_IDENTITY'), 'nobody is signed in there');
    const done = await browser.submit(page, {});
    t.truthy(code(done), done.text);
    const events = await host.stored(host.defaultRealm);
    t.deepEqual(
      events.slice(0, 2).map(({ type, error, details }) => [type, error, details?.token_id]),
      [
        ['LOGIN', undefined, events[1]?.details?.token_id],
        ['EXECUTE_ACTION_TOKEN', undefined, events[0]?.details?.token_id],
      ],
    );
  });
}

test('login links: a link of a plugin signs in the browser that follows it, and leads to its application', async (t) => {
  const host = await realm('mailer', { browserFlow: 'browser' });
  const userId = idIn(host.defaultRealm, ALICE);
  const issue = async (more: object) => {
    const { value, error } = await ask(host, host.defaultRealm, 'desk', 'loginLinks', 'issue', { userId, ...more });
    if (error !== undefined) throw new Error(JSON.stringify(error));
    return (value as unknown as { link: string }).link;
  };
  const cases = [
    [{}, undefined],
    [{ clientId: 'web', redirectUri: CALLBACK }, CALLBACK],
  ] as const;
  for (const [more, target] of cases) {
    const browser = new Browser();
    const link = await issue(more);
    const asked = await browser.open(link);
    t.false(browser.cookies.has('KEYCLOAK_IDENTITY'), 'it was only looked at');
    const done = await browser.submit(asked, { key: keyOf(link) });
    t.is(done.location?.href, target);
    if (target === undefined) t.is(said(done), 'You are signed in.');
    t.true(browser.cookies.has('KEYCLOAK_IDENTITY'));
    t.truthy(code(await browser.open(codeRequest(host).url)), 'the application asks nothing more');
    const again = await new Browser().open(link);
    t.is(again.status, 400, 'once');
  }
});

function keyOf(link: string): string {
  return new URL(link).searchParams.get('key') ?? '';
}
