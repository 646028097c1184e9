import test, { type ExecutionContext } from 'ava';
import { replacing } from '../../core/di/module.js';
import type {
  ExecutionRepresentation,
  FlowRepresentation,
  RealmRepresentation,
} from '../../core/model/representation.js';
import { CallTimeout } from '../../core/registry/module.js';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, codeRequest, signIn, type Visit } from '../helpers/form-browser.js';
import { inRealm, type TestHost } from '../helpers/host.js';
import { pluginSource } from '../helpers/plugins.js';
import { shareHost } from '../helpers/shared-host.js';

type Flow = FlowRepresentation;

const PASSWORD = { authenticator: 'auth-username-password-form', requirement: 'REQUIRED', priority: 10 };
const USER_CONFIGURED = { authenticator: 'conditional-user-configured', requirement: 'REQUIRED', priority: 10 };

/** The browser flow as Keycloak 26 exports it; its forms have these steps after the password. */
function exported(second: ExecutionRepresentation[] = [], more: Flow[] = []): Partial<RealmRepresentation> {
  const flow = (alias: string, ...authenticationExecutions: ExecutionRepresentation[]): Flow => ({
    alias,
    authenticationExecutions,
  });
  const sub = (flowAlias: string, requirement: string, priority: number) => ({
    authenticatorFlow: true,
    flowAlias,
    requirement,
    priority,
    userSetupAllowed: false,
  });
  const flows = [
    flow(
      'browser',
      { authenticator: 'auth-cookie', requirement: 'ALTERNATIVE', priority: 10 },
      { authenticator: 'auth-spnego', requirement: 'DISABLED', priority: 20 },
      { authenticator: 'identity-provider-redirector', requirement: 'ALTERNATIVE', priority: 25 },
      sub('Organization', 'ALTERNATIVE', 26),
      sub('forms', 'ALTERNATIVE', 30),
    ),
    flow('Organization', sub('Browser - Conditional Organization', 'CONDITIONAL', 10)),
    flow('Browser - Conditional Organization', USER_CONFIGURED, {
      authenticator: 'organization',
      requirement: 'ALTERNATIVE',
      priority: 20,
    }),
    flow('forms', PASSWORD, sub('Browser - Conditional 2FA', 'CONDITIONAL', 20), ...second),
    flow(
      'Browser - Conditional 2FA',
      USER_CONFIGURED,
      { authenticator: 'conditional-credential', requirement: 'REQUIRED', priority: 20 },
      { authenticator: 'auth-otp-form', requirement: 'ALTERNATIVE', priority: 30 },
      { authenticator: 'webauthn-authenticator', requirement: 'DISABLED', priority: 40 },
    ),
  ];
  return { browserFlow: 'browser', authenticationFlows: [...flows, ...more] };
}

/** A plugin whose step `second` asks for a word, and behaves as the word says. */
const SECOND = pluginSource(import.meta.url, 'plugins/second.js');

const shared = shareHost(
  test,
  {
    realms: [],
    plugins: [{ module: 'second' }],
    packages: { second: SECOND },
    replace: [replacing(CallTimeout, 3000)],
  },
  // Errors of the steps that throw, hang, and return nothing or nonsense.
  /secret-of-the-plugin|provider_timeout|what its SPI does not allow/,
);

const withFlows = (changes: Partial<RealmRepresentation>) =>
  inRealm(shared(), (name) => codeRealm(name, { providers: {}, ...changes }));

const second = (authenticator = 'second', requirement = 'REQUIRED') => ({ authenticator, requirement, priority: 30 });

/** The login fails: no code is issued, and the browser must sign in again. */
async function keptOut(
  t: ExecutionContext,
  host: TestHost,
  browser: Browser,
  page: Visit,
  what: string,
): Promise<void> {
  t.is(page.location?.searchParams.get('code') ?? null, null, what);
  t.notRegex(page.text, /secret-of-the-plugin|\.js:\d/, what);
  t.false(browser.cookies.has('KEYCLOAK_IDENTITY'), what);
  const silent = await browser.open(codeRequest(host, { prompt: 'none' }).url);
  t.is(silent.location?.searchParams.get('code') ?? null, null, what);
}

test('login flow: Keycloak’s exported browser flow signs in users without a second factor, and silently afterwards', async (t) => {
  const host = await withFlows(exported());
  const browser = new Browser();
  t.truthy((await signIn(browser, codeRequest(host).url)).location?.searchParams.get('code'));
  t.truthy((await browser.open(codeRequest(host, { prompt: 'none' }).url)).location?.searchParams.get('code'));
});

test('login flow: a user with a second factor that this host lacks does not get in', async (t) => {
  const key = { type: 'webauthn', secretData: '{}', credentialData: '{}' };
  const text = JSON.stringify(exported()).replace(
    '"requirement":"DISABLED","priority":40',
    '"requirement":"ALTERNATIVE","priority":40',
  );
  const host = await inRealm(shared(), (name) => {
    const { users = [], ...realm } = codeRealm(name, { providers: {}, ...JSON.parse(text) });
    const withKey = users.map((user) =>
      user.username === 'alice' ? { ...user, credentials: [...(user.credentials ?? []), key] } : user,
    );
    return { ...realm, users: withKey };
  });
  const browser = new Browser();
  await keptOut(t, host, browser, await signIn(browser, codeRequest(host).url), 'alice');
  const dave = await signIn(new Browser(), codeRequest(host).url, { username: 'dave', password: 'Dave-pass-1!' });
  t.truthy(dave.location?.searchParams.get('code'), 'others log in');
});

test('login flow: a plugin’s required second step is shown, and signs in if it succeeds', async (t) => {
  for (const id of ['second', 'conditional-second']) {
    const host = await withFlows(exported([second(id)]));
    const browser = new Browser();
    const asked = await signIn(browser, codeRequest(host).url);
    t.regex(asked.text, /name="word"/);
    await keptOut(t, host, new Browser(), asked, 'not yet');
    const wrong = await browser.submit(asked, { word: 'wrong' });
    t.regex(wrong.text, /name="word"/);
    t.truthy((await browser.submit(wrong, { word: 'right' })).location?.searchParams.get('code'));
    t.truthy((await browser.open(codeRequest(host, { prompt: 'none' }).url)).location?.searchParams.get('code'));
  }
});

test('login flow: a second step that fails, throws, hangs or answers nonsense lets nobody in', async (t) => {
  const words = ['fail', 'throw', 'refuse', 'hang', 'nothing', 'odd', 'empty', 'attempted', 'other'];
  const host = await withFlows(exported([second()]));
  const atTheAnswer = async (word: string) => {
    const browser = new Browser();
    const asked = await signIn(browser, codeRequest(host).url);
    const after = await browser.submit(asked, { word });
    t.true(after.status >= 400, `${word} ${after.status}`);
    await keptOut(t, host, browser, after, word);
    const again = await browser.submit(asked, { word: 'nonsense' });
    await keptOut(t, host, browser, again, `${word}, then the page again`);
    await keptOut(t, host, browser, await browser.open(new URL(asked.url).href), `${word}, then the address again`);
  };
  const atOnce = async (word: string) => {
    const own = await withFlows(exported([second(`second-${word}`)]));
    const browser = new Browser();
    await keptOut(t, own, browser, await signIn(browser, codeRequest(own).url), `at once ${word}`);
  };
  await Promise.all(words.flatMap((word) => [atTheAnswer(word), atOnce(word)]));
});

test('login flow: an invalid answer of a step is logged with the plugin, the step and the member', async (t) => {
  const wrong: Readonly<Record<string, string>> = {
    nothing: 'answer must be an object',
    odd: 'answer.outcome must be one of success, attempted, challenge, identity-provider, redirect, fork, failure (did you mean "success"?)',
    empty: 'answer "outcome" is missing',
    pageless: 'answer "page" is missing',
    wordless: 'answer "message" is missing',
    misspelt: 'answer.userid unknown key (did you mean "userId"?)',
    fieldless: 'answer.page.fields[0].type must be one of text, password, email',
  };
  const host = await withFlows(exported([second()]));
  for (const [word, message] of Object.entries(wrong)) {
    const browser = new Browser();
    const asked = await signIn(browser, codeRequest(host).url);
    await keptOut(t, host, browser, await browser.submit(asked, { word }), word);
    const told = `second: authenticator/second answered action with what its SPI does not allow: `;
    const reasons = shared().log.map(({ fields }) => (fields as { readonly reason?: string } | undefined)?.reason);
    const ofStep = reasons.filter((reason) => reason?.startsWith(told));
    t.true(
      ofStep.some((reason) => reason?.includes(message)),
      `${word}: ${ofStep.at(-1)}`,
    );
  }
});

test('login flow: a step refuses a login by an error: the page has its message, the event its code, the log the plugin', async (t) => {
  const host = await withFlows(exported([second()]));
  const browser = new Browser();
  const refused = await browser.submit(await signIn(browser, codeRequest(host).url), { word: 'refuse' });
  t.is(refused.status, 400);
  t.regex(refused.text, /<html[\s\S]*Your card is blocked/);
  t.true(
    (await host.stored(host.defaultRealm)).some(
      ({ type, error }) => type === 'LOGIN_ERROR' && error === 'card_blocked',
    ),
  );
  const [line] = shared().log.filter(({ message }) => message.startsWith('a step of a login threw'));
  t.like(line, {
    level: 'warn',
    fields: { plugin: 'second', provider: 'authenticator/second', error: 'card_blocked' },
  });
});

test('login flow: a missing required step or a circle lets nobody in, and a misspelt requirement is refused', async (t) => {
  const sub = (flowAlias: string, requirement = 'REQUIRED') => ({ flowAlias, requirement, priority: 30 });
  const circle = { alias: 'circle', authenticationExecutions: [sub('circle')] };
  const broken: [string, ExecutionRepresentation, Flow[]?][] = [
    ['a step that nobody has', second('no-such-step')],
    ['a flow that is not there', sub('no-such-flow')],
    ['a conditional flow that is not there', sub('no-such-flow', 'CONDITIONAL')],
    ['an entry of nothing', { requirement: 'REQUIRED', priority: 30 }],
    ['no requirement', { authenticator: 'second', priority: 30 }],
    ['a circle', sub('circle'), [circle]],
  ];
  for (const [what, step, more] of broken) {
    const host = await withFlows(exported([step], more));
    const browser = new Browser();
    await keptOut(t, host, browser, await signIn(browser, codeRequest(host).url), what);
  }
  await t.throwsAsync(withFlows(exported([second('second', 'required')])), { message: 'the realm file has a mistake' });
  for (const flow of [[], [second('no-such-step')]]) {
    const host = await withFlows({
      browserFlow: 'own',
      authenticationFlows: [{ alias: 'own', authenticationExecutions: flow }],
    });
    const browser = new Browser();
    await keptOut(t, host, browser, await browser.open(codeRequest(host).url), JSON.stringify(flow));
  }
});

test('login flow: in a stored realm a misspelt requirement counts as REQUIRED', async (t) => {
  const host = await withFlows(exported([second()]));
  const record = await host.store.realms.get(host.defaultRealm);
  if (record === undefined) throw new Error('the realm is not stored');
  const change = async (expectedVersion: number, requirement: string) => {
    const flows = exported([second('second', requirement)]);
    const representation = { ...record.representation, ...flows };
    // Realm files cannot contain this, but the store can.
    t.not(await host.store.realms.put({ ...record, representation }, { expectedVersion }), 'conflict');
    host.realms.invalidate(host.defaultRealm);
    const browser = new Browser();
    return { browser, page: await signIn(browser, codeRequest(host).url) };
  };
  for (const [index, word] of ['required', 'OPTIONAL', 'DISABLD', ''].entries()) {
    const { browser, page } = await change(record.version + index, word);
    t.regex(page.text, /name="word"/, word);
    await keptOut(t, host, browser, page, word);
    const passed = await browser.submit(page, { word: 'right' });
    t.truthy(passed.location?.searchParams.get('code'), word);
  }
});

test('login flow: a second answer to the password page cannot change whose second factor was shown', async (t) => {
  const host = await withFlows(exported([second()]));
  for (let round = 0; round < 5; round++) {
    const browser = new Browser();
    const page = await browser.open(codeRequest(host).url);
    const dave = browser.submit(page, { username: 'dave', password: 'Dave-pass-1!' });
    const alice = browser.submit(page, { username: 'alice', password: 'Alice-pass-1!' });
    const both = await Promise.all([dave, alice]);
    const asked = both.filter(({ text }) => /name="word"/.test(text));
    t.is(asked.length, 1, 'one of the two is taken');
    for (const { location } of both) t.is(location, undefined);
  }
});
