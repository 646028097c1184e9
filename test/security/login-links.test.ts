import test, { type ExecutionContext } from 'ava';
import { administrator } from '../helpers/admin.js';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, codeRequest, type Visit } from '../helpers/form-browser.js';
import { claimsOf, fetchAnswer, inRealm, type TestHost } from '../helpers/host.js';
import { LINKS, linkingStep } from '../helpers/linking-step.js';
import { ALICE, idIn } from '../helpers/realms.js';
import { flowWith } from '../helpers/redirecting-step.js';
import { ask, scriptedPlugin } from '../helpers/scripted-plugin.js';
import { shareHost } from '../helpers/shared-host.js';

const NEEDS = { 'issue-login-links': 'tries it' };
/** A plugin's handler that returns an answer which only built-in ones may return. */
const HANDLER = `provide(ActionTokenHandler, { id: 'own-link', eventType: 'OWN', defaultError: 'invalid_token', defaultMessage: 'x',
  open: () => ({ create: () => ({ requiredActions: async () => ({ requiredActions: [], provesUser: true, signsIn: {} }) }) }) }),`;
const shared = shareHost(
  test,
  {
    realms: [],
    plugins: [
      { module: 'mailer', grants: LINKS },
      { module: 'desk', grants: LINKS },
      { module: 'far', isolation: 'worker', grants: { elsewhere: ['issue-login-links'] } },
      { module: 'bare' },
      { module: 'own', grants: LINKS },
    ],
    packages: {
      mailer: linkingStep('mailer'),
      desk: scriptedPlugin('desk', NEEDS),
      far: scriptedPlugin('far', NEEDS),
      bare: scriptedPlugin('bare', undefined),
      own: scriptedPlugin('own', NEEDS, HANDLER).replace('{ AdminPage,', '{ ActionTokenHandler, AdminPage,'),
    },
  },
  /plugin_not_granted|invalid_argument/,
);

const on = (...names: string[]) => Object.fromEntries(names.map((name) => [name, { enabled: true }]));
const realm = (changes: object = {}) =>
  inRealm(shared(), (name) => {
    const base = codeRealm(name, { ...flowWith('mailer'), ...changes });
    return {
      ...base,
      users: [
        ...(base.users ?? []),
        { username: 'erin', enabled: true, email: 'erin@example.org' },
        { ...administrator('boss', 'view-users'), id: idIn(name, BOSS), email: 'boss@example.org' },
      ],
      providers: {
        'realm-restapi-extension': on('mailer', 'desk', 'far', 'bare', 'own'),
        'action-token-handler': on('own-link'),
      },
    };
  });
const BOSS = 'b0550000-0000-4000-8000-000000000002';

const keyOf = (link: string) => new URL(link).searchParams.get('key') ?? '';
const code = ({ location }: Visit) => location?.searchParams.get('code') ?? undefined;
const choicesOf = ({ text }: Visit) => [...text.matchAll(/name="choice" value="(\d+)"/g)].map(([, number]) => number);

/** An attacker starts a login as alice, and has its link mailed to her. */
async function waiting(host: TestHost, browser = new Browser()) {
  const page = await browser.submit(await browser.open(codeRequest(host).url), { name: 'alice' });
  const { json } = await fetchAnswer(`${host.realm(host.defaultRealm)}/mailer`);
  const { link, number } = json as unknown as { link: string; number: string };
  return { browser, page, link, number, goOn: () => browser.submit(page, {}) };
}

async function issued(host: TestHost, more: object = {}, by = 'desk'): Promise<string> {
  const { value } = await ask(host, host.defaultRealm, by, 'loginLinks', 'issue', {
    userId: idIn(host.defaultRealm, ALICE),
    ...more,
  });
  return (value as unknown as { link: string }).link;
}

/** Presses a button on the link's page. */
const press = (browser: Browser, link: string, choice?: string) => {
  const body = new URLSearchParams({ key: keyOf(link), ...(choice === undefined ? {} : { choice }) });
  return browser.open(link.replace(/\?.*/, ''), { method: 'POST', body });
};

function nobody(t: ExecutionContext, browser: Browser, page: Visit, what: string) {
  t.is(code(page), undefined, what);
  t.false(browser.cookies.has('KEYCLOAK_IDENTITY'), what);
}

test('T670 · login links: a user who starts a login and mails its link is not signed in by the click', async (t) => {
  const host = await realm();
  const attacker = await waiting(host);
  const victim = new Browser();
  t.regex((await victim.open(attacker.link)).text, /somebody else is trying to sign in as you/);
  for (const choice of [undefined, '', 'x'.repeat(65)]) {
    const clicked = await press(victim, attacker.link, choice);
    t.is(clicked.status, 400, `${choice}`);
    nobody(t, victim, clicked, 'the click signs nobody in');
  }
  nobody(t, attacker.browser, await attacker.goOn(), 'the login waits still');
});

test('T671 · login links: a wrong number, or the button of a user who did not start it, ends the link', async (t) => {
  const host = await realm();
  for (const pick of ['wrong', 'none', '00']) {
    const login = await waiting(host);
    const victim = new Browser();
    const wrong = choicesOf(await victim.open(login.link)).find((number) => number !== login.number);
    t.is((await press(victim, login.link, pick === 'wrong' ? wrong : pick)).status, 400, pick);
    t.is((await press(victim, login.link, login.number)).status, 400, 'the right one comes too late');
    nobody(t, login.browser, await login.goOn(), pick);
    // Not even in the browser of the login.
    nobody(t, login.browser, await press(login.browser, login.link), pick);
  }
  const login = await waiting(host);
  const others = choicesOf(await new Browser().open(login.link));
  const tried = await Promise.all([...others, ...others].map((number) => press(new Browser(), login.link, number)));
  const judged = tried.filter(({ text }) => !text.includes('Action expired'));
  t.true(judged.length <= 1, 'of many picks at once one counts');
});

test('T672 · login links: the true number is not distinguishable', async (t) => {
  const host = await realm();
  const login = await waiting(host);
  const seen = [];
  for (let n = 0; n < 3; n += 1) seen.push(choicesOf(await new Browser().open(login.link)));
  t.deepEqual(seen[1], seen[0]);
  t.deepEqual(seen[2], seen[0]);
  t.is(new Set(seen[0]).size, 3);
  t.true(seen[0]?.includes(login.number));
  t.false(Object.values(claimsOf(keyOf(login.link))).some((claim) => claim === login.number));
  const places = new Set<number>();
  for (let n = 0; n < 40 && places.size < 3; n += 1) {
    const { link, number } = await waiting(host);
    places.add(choicesOf(await new Browser().open(link)).indexOf(number));
  }
  t.deepEqual([...places].sort(), [0, 1, 2], 'it is at any place');
});

test('T673 · login links: prefetching a link changes nothing', async (t) => {
  const host = await realm();
  const login = await waiting(host);
  const scanner = new Browser();
  for (const address of [login.link, `${login.link}&choice=${login.number}`, `${login.link}&proceed=`]) {
    for (const [method, headers] of [
      ['GET', {}],
      ['HEAD', {}],
      ['GET', { 'sec-purpose': 'prefetch' }],
    ] as const) {
      nobody(t, scanner, await scanner.open(address, { method, headers }), `${method} ${address}`);
    }
  }
  nobody(t, login.browser, await login.goOn(), 'the login waits still');
  nobody(t, login.browser, await login.browser.open(login.link), 'in its own browser too');
  t.is((await press(scanner, login.link, login.number)).status, 200, 'and the link is good still');
  t.truthy(code(await login.goOn()));
});

test('T674 · login links: a link is valid once, as the newest of its user, and for nobody else', async (t) => {
  const host = await realm({ browserFlow: 'browser' });
  const older = await issued(host);
  const newer = await issued(host);
  t.is((await press(new Browser(), older)).status, 400, 'there is a newer one');
  const other = await realm();
  const elsewhere = newer.replace(`/realms/${host.defaultRealm}/`, `/realms/${other.defaultRealm}/`);
  t.is((await press(new Browser(), elsewhere)).status, 400, 'another realm');

  const erins = new Browser();
  await erins.open(await issuedFor(host, 'erin')).then((page) => erins.submit(page, { key: keyOf(page.url) }));
  t.true(erins.cookies.has('KEYCLOAK_IDENTITY'));
  t.regex((await press(erins, newer)).text, /already signed in as “erin”/);

  const both = [new Browser(), new Browser()];
  const answers = await Promise.all(both.map((browser) => press(browser, newer)));
  t.deepEqual(answers.map(({ status }) => status).sort(), [200, 400], 'once');
  const stale = await issued(host);
  const compiled = await host.realms.get(host.defaultRealm);
  if (compiled === undefined) throw new Error('the realm is gone');
  await host.users.change(compiled, idIn(host.defaultRealm, ALICE), (draft) => {
    draft.email = 'new@example.org';
  });
  t.is((await press(new Browser(), stale)).status, 400, 'another address');
  const late = await issued(host);
  await host.users.change(compiled, idIn(host.defaultRealm, ALICE), (draft) => {
    draft.enabled = false;
  });
  const refused = new Browser();
  nobody(t, refused, await press(refused, late), 'a disabled user');
});

async function issuedFor(host: TestHost, username: string): Promise<string> {
  const compiled = await host.realms.get(host.defaultRealm);
  const user = compiled && (await host.users.byUsername(compiled, username));
  return issued(host, { userId: user?.id });
}

test('T675 · login links: links that sign in need their grant, in this realm, and one more for administrators', async (t) => {
  const host = await realm();
  const tries = [
    ['bare', {}, 'plugin_not_granted', 'issue-login-links'],
    ['far', {}, 'plugin_not_granted', 'issue-login-links'],
    ['desk', { userId: idIn(host.defaultRealm, BOSS) }, 'plugin_not_granted', 'manage-admins'],
    ['desk', { userId: 'nobody' }, 'user_not_found', 'User not found'],
  ] as const;
  for (const [plugin, more, error, what] of tries) {
    const request = { userId: idIn(host.defaultRealm, ALICE), ...more };
    const answer = await ask(host, host.defaultRealm, plugin, 'loginLinks', 'issue', request);
    t.is(answer.error?.code, error, plugin);
    t.true(answer.error?.message.includes(what), answer.error?.message);
  }
});

test('T676 · login links: a link completes the login of the step that asks, and leads to addresses of its client', async (t) => {
  const host = await realm();
  const login = await waiting(host);
  const { asid } = claimsOf(keyOf(login.link));
  const wrong = [
    { login: asid },
    { login: 'x.y.z' },
    { login: 7 },
    { clientId: 'nobody' },
    { clientId: 'web', redirectUri: 'https://evil.test/' },
    { redirectUri: 'https://evil.test/' },
    { expiresIn: 0 },
    { expiresIn: 86_401 },
    { userId: undefined },
  ];
  for (const more of wrong) {
    const request = { userId: idIn(host.defaultRealm, ALICE), ...more };
    const { error } = await ask(host, host.defaultRealm, 'desk', 'loginLinks', 'issue', request);
    t.is(error?.code, 'invalid_argument', JSON.stringify(more));
  }
  const browser = new Browser();
  const page = await browser.submit(await browser.open(codeRequest(host).url), { name: 'alice', login: String(asid) });
  t.is(page.status, 500, 'a step asks for its own login alone');
});

test('T677 · login links: an action token of the type is no such link, and a plugin’s handler signs nobody in', async (t) => {
  const host = await realm();
  const claims = { userId: idIn(host.defaultRealm, ALICE), claims: { eml: 'alice@example.org' } };
  for (const [type, more] of [
    ['login-link', claims],
    ['own-link', { userId: claims.userId }],
  ] as const) {
    const { value } = await ask(host, host.defaultRealm, 'own', 'actionTokens', 'issue', { type, ...more });
    const browser = new Browser();
    nobody(t, browser, await press(browser, (value as unknown as { link: string }).link), type);
    t.true(browser.cookies.size === 0 || !code(await browser.open(codeRequest(host).url)), type);
  }
});

test('T678 · login links: a user who planted the cookie of a login does not share what its link proves', async (t) => {
  const host = await realm();
  const attacker = await waiting(host);
  const victim = new Browser();
  for (const [name, value] of attacker.browser.cookies) victim.cookies.set(name, value);
  t.truthy(code(await press(victim, attacker.link)), 'the victim is signed in, in the browser at hand');
  nobody(t, attacker.browser, await attacker.goOn(), 'the attacker is not');
});
