import test from 'ava';
import type { BootError } from '../../core/config/boot-error.js';
import { adminCaller, administered } from '../helpers/admin.js';
import { eventually } from '../helpers/eventually.js';
import { type FormEntry, formOf, quizAction } from '../helpers/form-actions.js';
import { Browser, codeRequest, type Visit } from '../helpers/form-browser.js';
import { inRealm, type TestHost } from '../helpers/host.js';
import { codeOf, complaints, fieldNames, heading } from '../helpers/read-page.js';
import { eventErrors, NEWCOMER, openRealm, storedUser } from '../helpers/registration.js';
import { shareHost } from '../helpers/shared-host.js';

const CREATION = 'registration-user-creation';
const PASSWORD = 'registration-password-action';
const TERMS = 'registration-terms-and-conditions';
const PROFILE_FIELDS = ['username', 'email', 'firstName', 'lastName'];
const PASSWORDS = ['password', 'password-confirm'];

const shared = shareHost(
  test,
  administered({
    realms: [openRealm()],
    plugins: [
      { module: 'quiz' },
      { module: 'apart', isolation: 'worker' },
      // For those that hang. Others need a timeout that is long enough for a busy machine.
      { module: 'quiz-late', limits: { callTimeout: 0.5 } },
      { module: 'apart-late', isolation: 'worker', limits: { callTimeout: 5 } },
    ],
    packages: Object.fromEntries(['quiz', 'apart', 'quiz-late', 'apart-late'].map((id) => [id, quizAction(id)])),
  }),
  /a form action failed|worker|plugin/,
);

const inForm = (...executions: FormEntry[]): Promise<TestHost> =>
  inRealm(shared(), (name) => openRealm({ passwordPolicy: 'length(8)', ...formOf(...executions) }, name));
const register = async (host: TestHost, browser = new Browser()) =>
  [browser, await browser.open(codeRequest(host, { prompt: 'create' }).url)] as const;
const alert = ({ text }: Visit) => /role="alert"[^>]*>\s*(?:<[^>]*>\s*)*([^<]*)/.exec(text)?.[1]?.trim();
const kept = (host: TestHost, plugin: string, key: string) =>
  host.store.entries.get({ realm: host.defaultRealm, namespace: plugin, key, now: Date.now() });

for (const id of ['quiz', 'apart']) {
  const field = `${id}-answer`;
  const quiz = (config: Record<string, string> = {}) => ({
    authenticator: config.does?.endsWith(' wait') ? `${id}-late` : id,
    config: { answer: 'four', ...config },
  });

  test(`form actions: one of a plugin adds to the page, checks the form, and changes the user: ${id}`, async (t) => {
    const host = await inForm(CREATION, quiz(), PASSWORD);
    const [browser, page] = await register(host);
    t.deepEqual(fieldNames(page), [...PROFILE_FIELDS, field, ...PASSWORDS]);
    t.regex(page.text, /Two and two \(en\)/);
    const wrong = await browser.submit(page, { ...NEWCOMER, username: '', [field]: 'five' });
    t.deepEqual(complaints(wrong), ['Please enter a username.', 'Wrong answer.']);
    t.true(wrong.text.includes('value="five"'), 'what was typed stays');
    t.truthy(codeOf(await browser.submit(wrong, { ...NEWCOMER, [field]: 'four' })) ?? heading(wrong));
    const user = await storedUser(host, 'newcomer');
    t.deepEqual([user?.attributes?.quiz, user?.requiredActions], [['passed by newcomer'], ['UPDATE_PROFILE']]);
    t.is(user?.credentials?.length, 1);
    t.regex((await kept(host, id, 'seen')) ?? '', /"asked of web"/, 'what it keeps with its page comes back');
    t.deepEqual((await eventErrors(host, 'REGISTER')).sort(), ['', 'invalid_registration']);
  });

  for (const [does, at] of [
    ['buildPage throw', 'page'],
    ['buildPage nonsense', 'page'],
    ['buildPage wait', 'page'],
    ['buildPage collide', 'page'],
    ['buildPage password', 'page'],
    ['buildPage script', 'page'],
    ['validate throw', 'answer'],
    ['validate nonsense', 'answer'],
    ['validate wait', 'answer'],
    ['success throw', 'answer'],
    ['success nonsense', 'answer'],
    ['success wait', 'answer'],
    ['success rename', 'answer'],
    // Without a worker it would end the host.
    ...(id === 'apart' ? [['validate exit', 'answer'] as const] : []),
  ] as const) {
    test.serial(
      `form actions: if one fails, nobody registers, the form is kept, and the page says so: ${id}: ${does}`,
      async (t) => {
        const host = await inForm(CREATION, PASSWORD, quiz({ does }));
        const [browser, page] = await register(host);
        t.is(page.status, 200);
        t.is(/not possible at the moment/.test(page.text), at === 'page', page.text);
        const asked = does.endsWith(' wait') ? `${id}-late-answer` : field;
        const answer = await browser.submit(page, { ...NEWCOMER, [asked]: 'four' });
        t.deepEqual([answer.status, heading(answer)], [200, 'Register']);
        t.is(alert(answer), 'Registration is not possible at the moment. Please try again later.');
        t.regex(answer.text, /value="new@comer.test"/);
        t.false(answer.text.includes(NEWCOMER.password));
        t.is(await storedUser(host, 'newcomer'), undefined);
        t.true((await eventErrors(host, 'REGISTER')).every((error) => error !== ''));
        // Other tests use the worker too, so wait until it has restarted.
        const well = await inForm(CREATION, quiz());
        await eventually(async () => fieldNames((await register(well))[1]).includes(field));
      },
    );
  }

  test(`form actions: one that refuses by an error has its own message: ${id}`, async (t) => {
    const host = await inForm(CREATION, quiz({ does: 'validate refuse' }));
    const [browser, page] = await register(host);
    const answer = await browser.submit(page, { ...NEWCOMER, [field]: 'four' });
    t.is(alert(answer), 'The quiz is closed today.');
    t.is(await storedUser(host, 'newcomer'), undefined);
    t.deepEqual(await eventErrors(host, 'REGISTER'), ['no_quiz']);
  });
}

test('form actions: an error of a field that the page does not have is shown above the form', async (t) => {
  const host = await inForm(CREATION, {
    authenticator: 'quiz',
    config: { answer: 'four', does: 'validate elsewhere' },
  });
  const [browser, page] = await register(host);
  const answer = await browser.submit(page, NEWCOMER);
  t.deepEqual([alert(answer), complaints(answer)], ['Not here.', []]);
  t.is(await storedUser(host, 'newcomer'), undefined);
});

test('form actions: all run in order, the first that refuses determines the event, and one may be the only one shown', async (t) => {
  const quiz = (config: Record<string, string>) => ({ authenticator: 'quiz', config: { answer: 'four', ...config } });
  // As in Keycloak 26.7.3, except for taken names: Keycloak also reports them if another field is invalid.
  for (const [executions, change, told, error] of [
    [[CREATION, PASSWORD], { username: '', 'password-confirm': 'x' }, 2, 'invalid_registration'],
    [[PASSWORD, CREATION], { username: '', 'password-confirm': 'x' }, 2, 'invalid_registration'],
    [[CREATION, PASSWORD], { password: 'short', 'password-confirm': 'other' }, 2, 'invalid_registration'],
    [[CREATION, PASSWORD], { password: 'short', 'password-confirm': 'short' }, 1, 'invalid_registration'],
    [[CREATION, PASSWORD, TERMS], { username: '' }, 2, 'invalid_registration'],
    [[CREATION, PASSWORD, TERMS], {}, 1, 'invalid_registration'],
    [[TERMS, PASSWORD, CREATION], { username: 'alice' }, 1, 'invalid_registration'],
    [[TERMS, CREATION], { username: 'alice', termsAccepted: 'on' }, 1, 'username_in_use'],
    [[CREATION], { email: 'alice@example.test' }, 1, 'email_in_use'],
    [[quiz({ error: 'quiz_failed' }), CREATION], { username: '' }, 2, 'quiz_failed'],
    [[CREATION, quiz({ error: 'quiz_failed' })], { username: '' }, 2, 'invalid_registration'],
    [[CREATION, quiz({ alone: 'true' })], { username: '' }, 1, 'invalid_registration'],
    [[CREATION, quiz({})], { username: 'alice' }, 1, 'invalid_registration'],
  ] as const) {
    const host = await inForm(...executions);
    const [browser, page] = await register(host);
    const answer = await browser.submit(page, { ...NEWCOMER, ...change });
    const what = JSON.stringify([executions, change, complaints(answer)]);
    t.deepEqual([answer.status, complaints(answer).length], [200, told], what);
    t.deepEqual(await eventErrors(host, 'REGISTER'), [error], what);
  }
});

test('form actions: the fields have the order of the flow, and a disabled action is off', async (t) => {
  const host = await inForm(TERMS, { authenticator: 'quiz', requirement: 'DISABLED' }, PASSWORD, CREATION);
  const [browser, page] = await register(host);
  t.deepEqual(fieldNames(page), ['termsAccepted', ...PASSWORDS, ...PROFILE_FIELDS]);
  // Keycloak fails here, because the third action creates its user.
  t.truthy(codeOf(await browser.submit(page, { ...NEWCOMER, termsAccepted: 'on' })));
  t.is((await storedUser(host, 'newcomer'))?.credentials?.length, 1);
  t.is(await kept(host, 'quiz', 'seen'), undefined);
});

test('form actions: a misspelt one and a missing or unknown setting are errors at their lines', async (t) => {
  for (const [execution, told] of [
    [
      { authenticator: 'registration-password-acton' },
      /form action "registration-password-acton" not found.*registration-password-action/s,
    ],
    [{ authenticator: 'quiz' }, /"quiz" needs the setting "answer"/],
    [{ authenticator: 'quiz', config: { answer: 'four', anser: 'x' } }, /authenticatorConfig\[0\]\.config\.anser/],
  ] as const) {
    const report = (await t.throwsAsync<BootError>(inForm(CREATION, execution)))?.report() ?? '';
    t.regex(report, told);
    t.regex(report, /\.json:\d+:\d+/);
  }
});

test('form actions: the Admin API lists them as Keycloak does, with their settings, and reports unsupported ones', async (t) => {
  const call = await adminCaller(shared());
  const get = async (path: string) => (await call('GET', `/realms/demo/authentication/${path}`)).json as unknown;
  const actions = (await get('form-action-providers')) as { id: string; displayName: string; description: string }[];
  const ids = actions.map(({ id }) => id);
  for (const id of [CREATION, PASSWORD, TERMS, 'quiz', 'apart']) t.true(ids.includes(id), id);
  for (const id of ['registration-recaptcha-action', 'registration-recaptcha-enterprise']) {
    t.regex(actions.find((one) => one.id === id)?.description ?? '', /Keyhost does not support it/);
  }
  t.like(
    actions.find(({ id }) => id === CREATION),
    { displayName: 'Registration User Profile Creation' },
  );
  t.deepEqual(
    ((await get('form-providers')) as { id: string }[]).map(({ id }) => id),
    ['registration-page-form'],
  );
  const { properties } = (await get('config-description/quiz')) as {
    properties: { name: string; required: boolean }[];
  };
  t.deepEqual(properties.find(({ name }) => name === 'answer')?.required, true);
  const { providers } = (await call('GET', '/serverinfo')).json as unknown as {
    providers: Record<string, { providers: Record<string, { operationalInfo?: Record<string, string> }> }>;
  };
  const listed = providers['form-action']?.providers ?? {};
  t.deepEqual(Object.keys(listed).sort(), ids.sort());
  t.is(listed.quiz?.operationalInfo?.plugin, 'quiz');
  t.is(listed['registration-recaptcha-action']?.operationalInfo?.supported, 'false');
});
