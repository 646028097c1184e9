import test from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { adminCaller, startAdministered } from '../helpers/admin.js';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, codeRequest, formAction, signIn, unescapeHtml, type Visit } from '../helpers/form-browser.js';
import { fetchAnswer, startHost, TestClock, type TestHost } from '../helpers/host.js';
import { userinfo, WEB } from '../helpers/login.js';
import { startMailServer } from '../helpers/mail-server.js';

const PASSWORD = 'Newcomer-pass-1!';
const NEWCOMER = {
  ...{ username: 'Newcomer', email: 'New@Comer.test', firstName: 'New', lastName: 'Comer' },
  ...{ password: PASSWORD, 'password-confirm': PASSWORD },
};
const PROFILE = 'org.keycloak.userprofile.UserProfileProvider';

function realm(changes: Partial<RealmRepresentation> = {}): RealmRepresentation {
  return codeRealm('demo', { registrationAllowed: true, providers: {}, ...changes });
}

/** The built-in registration form with other steps in it. */
function flow(...steps: [authenticator: string, requirement: string][]): Partial<RealmRepresentation> {
  return {
    authenticationFlows: [
      {
        alias: 'registration',
        topLevel: true,
        authenticationExecutions: [
          { authenticator: 'registration-page-form', flowAlias: 'the form', requirement: 'REQUIRED' },
        ],
      },
      {
        alias: 'the form',
        providerId: 'form-flow',
        authenticationExecutions: steps.map(([authenticator, requirement]) => ({ authenticator, requirement })),
      },
    ],
  };
}

/** The profile of a realm that wants to know more of its users than Keycloak's default one. */
function profile(attributes: object[], more: object = {}): Partial<RealmRepresentation> {
  const own = { permissions: { view: ['admin', 'user'], edit: ['admin', 'user'] } };
  const config = { attributes: [{ name: 'username', ...own }, { name: 'email', ...own }, ...attributes], ...more };
  return {
    components: {
      [PROFILE]: [
        {
          providerId: 'declarative-user-profile',
          config: { 'kc.user.profile.config': [JSON.stringify(config)] },
        },
      ],
    },
  };
}

const link = (page: Visit, id: string) => {
  const href = new RegExp(`id="${id}"[^]*?href="([^"]*)"`).exec(page.text)?.[1];
  return href === undefined ? undefined : new URL(unescapeHtml(href), page.url).href;
};
const heading = ({ text }: Visit) => /<h1[^>]*>([^<]*)/.exec(text)?.[1];
/** What the page complains of, from top to bottom. */
const complaints = ({ text }: Visit) =>
  [...text.matchAll(/class="field-error"[^>]*>([^<]*)/g)].map(([, found = '']) => unescapeHtml(found));
const code = ({ location }: Visit) => location?.searchParams.get('code') ?? undefined;
const fieldNames = ({ text }: Visit) =>
  [...text.matchAll(/<(?:input|textarea|select)[^>]* name="([^"]*)"/g)].map(([, name]) => name);

async function events(host: TestHost, type: string): Promise<string[]> {
  return (await host.stored('demo')).filter((one) => one.type.startsWith(type)).map((one) => one.error ?? '');
}

async function stored(host: TestHost, username: string) {
  return (await host.users.byUsername((await host.realms.get('demo')) as never, username))?.representation;
}

test('who has no account makes one from the login page, is logged in, and has what every new user gets', async (t) => {
  const host = await startHost(t, {
    realms: [
      realm({
        passwordPolicy: 'length(10) and notUsername',
        defaultGroups: ['/team/dev'],
      }),
    ],
  });
  const browser = new Browser();
  const login = await browser.open(codeRequest(host).url);
  const register = link(login, 'kc-registration');
  t.regex(register ?? '', /\/login-actions\/registration\?/);
  let page = await browser.open(register ?? '');
  t.is(heading(page), 'Register');
  t.deepEqual(fieldNames(page), ['username', 'email', 'firstName', 'lastName', 'password', 'password-confirm']);
  for (const [change, complaint] of [
    [{ username: '' }, ['Please specify username.']],
    [{ username: 'a b', lastName: '<b>' }, ['Value contains invalid character.', 'Value contains invalid character.']],
    [{ username: 'ab' }, ['Length must be between 3 and 255.']],
    [{ email: 'nobody', firstName: ' ' }, ['Invalid email address.', 'Please specify first name.']],
    [{ email: 'a@b.test\r\nBcc: c@d.test' }, ['Invalid value.']],
    [{ password: '' }, ['Please specify password.']],
    [{ 'password-confirm': 'another' }, ["Password confirmation doesn't match."]],
    [{ password: 'short', 'password-confirm': 'short' }, ['Invalid password: minimum length 10.']],
    [{ username: 'ALICE' }, ['Username already exists.']],
    [{ email: 'ALICE@example.test' }, ['Email already exists.']],
  ] as const) {
    page = await browser.submit(page, { ...NEWCOMER, ...change });
    t.deepEqual([page.status, heading(page), ...complaints(page)], [200, 'Register', ...complaint]);
    t.false(page.text.includes(PASSWORD));
  }
  t.true(page.text.includes('value="newcomer"'));
  const done = await browser.submit(page, { ...NEWCOMER, enabled: 'true', realmRoles: 'admin', groups: '/admins' });
  t.is(done.status, 302, done.text);
  const tokens = await host.token('demo', {
    ...WEB,
    grant_type: 'password',
    username: 'newcomer',
    password: PASSWORD,
    scope: 'openid',
  });
  t.like((await userinfo(host, tokens.json.access_token ?? '')).json, {
    preferred_username: 'newcomer',
    email: 'new@comer.test',
  });
  t.like(await stored(host, 'newcomer'), {
    ...{ enabled: true, emailVerified: false, firstName: 'New', lastName: 'Comer', groups: ['/team/dev'] },
    ...{ realmRoles: ['default-roles-demo'], requiredActions: [] },
  });
  const again = await browser.open(codeRequest(host).url);
  t.truthy(code(again), 'the browser is logged in');
  t.deepEqual((await events(host, 'REGISTER')).sort(), [
    ...['', 'email_in_use'],
    ...Array.from({ length: 8 }, () => 'invalid_registration'),
    'username_in_use',
  ]);
  const registered = (await host.stored('demo')).find(({ type, error }) => type === 'REGISTER' && error === undefined);
  t.like(registered, { clientId: 'web', details: { username: 'newcomer', register_method: 'form' } });
  t.false(JSON.stringify(await host.stored('demo')).includes(PASSWORD));
});

test('a realm that lets nobody register has no link, no form, no prompt, and says so in discovery', async (t) => {
  const host = await startHost(t, { realms: [realm(), codeRealm('closed')] });
  const prompts = async (name: string) =>
    (await fetchAnswer(`${host.realm(name)}/.well-known/openid-configuration`)).json.prompt_values_supported as unknown;
  t.deepEqual(await prompts('demo'), ['none', 'login', 'consent', 'create']);
  t.deepEqual(await prompts('closed'), ['none', 'login', 'consent']);
  const browser = new Browser();
  const login = await browser.open(codeRequest(host, {}, 'closed').url);
  t.is(link(login, 'kc-registration'), undefined);
  const refused = [
    await browser.open(formAction(login).replace('/authenticate?', '/registration?')),
    await browser.open(codeRequest(host, { prompt: 'create' }, 'closed').url),
    await browser.open(codeRequest(host, {}, 'closed').url.replace('/auth?', '/registrations?')),
  ];
  for (const page of refused) t.deepEqual([page.status, /Registration not allowed/.test(page.text)], [400, true]);
  const errors = (await host.stored('closed')).map(({ type, error }) => `${type} ${error}`);
  t.deepEqual(
    errors.filter((one) => one.startsWith('REGISTER')),
    Array.from({ length: 3 }, () => 'REGISTER_ERROR registration_disabled'),
  );
});

test('an application may send people to the form at once, and they may go back to the login', async (t) => {
  const host = await startHost(t, { realms: [realm()] });
  const starts = [
    codeRequest(host, { prompt: 'create' }).url,
    codeRequest(host).url.replace('/auth?', '/registrations?'),
  ];
  for (const [index, url] of starts.entries()) {
    const browser = new Browser();
    const page = await browser.open(url);
    t.is(heading(page), 'Register');
    const login = await browser.submit(page, { 'cancel-aia': 'true' });
    t.is(heading(login), 'Sign in to your account');
    const form = await browser.open(link(login, 'kc-registration') ?? '');
    const expired = await browser.submit(login, { username: 'alice', password: 'Alice-pass-1!' });
    t.is(heading(expired), 'Page has expired');
    const person = { ...NEWCOMER, username: `newcomer${index}`, email: `new${index}@comer.test` };
    const done = await browser.submit(form, person);
    t.truthy(code(done), done.text);
    const replayed = await browser.submit(form, { ...person, username: 'somebody', email: 's@b.test' });
    t.is(replayed.status, 400);
    t.is(await stored(host, 'somebody'), undefined);
  }
  const none = await new Browser().open(codeRequest(host, { prompt: 'none create' }).url);
  t.is(none.location?.searchParams.get('error'), 'invalid_request');
  const silent = codeRequest(host, { prompt: 'none' }).url.replace('/auth?', '/registrations?');
  t.is((await new Browser().open(silent)).location?.searchParams.get('error'), 'login_required');
});

test('a form that this browser was not given makes nobody', async (t) => {
  const host = await startHost(t, { realms: [realm()] });
  const page = await new Browser().open(codeRequest(host, { prompt: 'create' }).url);
  const stranger = await new Browser().submit(page, NEWCOMER);
  t.is(stranger.status, 400);
  const browser = new Browser();
  const own = await browser.open(codeRequest(host, { prompt: 'create' }).url);
  const forged = formAction(own).replace(/session_code=[^&]*/, 'session_code=guessed');
  t.is((await browser.open(forged, { method: 'POST', body: new URLSearchParams(NEWCOMER) })).status, 400);
  t.is(await stored(host, 'newcomer'), undefined);
});

test('of two who take one name at once, one has it and the other is told so', async (t) => {
  const host = await startHost(t, { realms: [realm()] });
  const pages = await Promise.all(
    Array.from({ length: 4 }, async (_, index) => {
      const browser = new Browser();
      const page = await browser.open(codeRequest(host, { prompt: 'create' }).url);
      return () =>
        browser.submit(
          page,
          index < 2 ? { ...NEWCOMER, email: `${index}@b.test` } : { ...NEWCOMER, username: `other${index}` },
        );
    }),
  );
  const ends = await Promise.all(pages.map((send) => send()));
  t.is(ends.slice(0, 2).filter(code).length, 1);
  t.is(ends.slice(2).filter(code).length, 1);
  t.deepEqual(ends.flatMap(complaints).sort(), ['Email already exists.', 'Username already exists.']);
});

test('nobody registers under the address of somebody else, or with an address that is somebody’s name', async (t) => {
  const host = await startHost(t, { realms: [realm()] });
  const browser = new Browser();
  let page = await browser.open(codeRequest(host, { prompt: 'create' }).url);
  page = await browser.submit(page, { ...NEWCOMER, username: 'alice@example.test' });
  t.deepEqual(complaints(page), ['Username already exists.']);
  t.truthy(code(await browser.submit(page, { ...NEWCOMER, username: 'new@name.test' })));
  const other = new Browser();
  page = await other.open(codeRequest(host, { prompt: 'create' }).url);
  page = await other.submit(page, { ...NEWCOMER, username: 'other', email: 'new@name.test' });
  t.deepEqual(complaints(page), ['Email already exists.']);
});

test('whoever registers in a browser of somebody else is the new user, and the other is not changed', async (t) => {
  const host = await startHost(t, { realms: [realm()] });
  const browser = new Browser();
  t.truthy(code(await signIn(browser, codeRequest(host).url)));
  const page = await browser.open(codeRequest(host, { prompt: 'create' }).url);
  const { verifier, url } = codeRequest(host);
  t.truthy(code(await browser.submit(page, NEWCOMER)));
  const form = { grant_type: 'authorization_code', redirect_uri: 'http://127.0.0.1:9999/cb', code_verifier: verifier };
  const tokens = await host.token('demo', { ...WEB, ...form, code: code(await browser.open(url)) ?? '' });
  t.like((await userinfo(host, tokens.json.access_token ?? '')).json, { preferred_username: 'newcomer' });
});

test('addresses can be the names, and a mail to the new one comes before the application gets its answer', async (t) => {
  const mails = await startMailServer(t);
  const host = await startHost(t, {
    realms: [realm({ registrationEmailAsUsername: true, verifyEmail: true, smtpServer: mails.settings })],
  });
  const browser = new Browser();
  const form = await browser.open(codeRequest(host, { prompt: 'create' }).url);
  t.deepEqual(fieldNames(form), ['email', 'firstName', 'lastName', 'password', 'password-confirm']);
  const taken = await browser.submit(form, { ...NEWCOMER, email: 'alice@example.test' });
  t.deepEqual(complaints(taken), ['Email already exists.']);
  const waits = await browser.submit(taken, { ...NEWCOMER, username: 'admin' });
  t.is(heading(waits), 'Email verification');
  t.is(code(waits), undefined);
  t.is((await stored(host, 'new@comer.test'))?.emailVerified, false);
  t.is(await stored(host, 'admin'), undefined);
  const mail = await mails.mail(0);
  t.deepEqual(mail.envelope.to, ['new@comer.test']);
  const followed = await browser.open(mail.link);
  t.truthy(code(followed), followed.text);
  t.is((await stored(host, 'new@comer.test'))?.emailVerified, true);
});

test('the realm’s user profile decides what is asked for, of whom, and how', async (t) => {
  const own = { permissions: { view: ['user'], edit: ['user'] } };
  const host = await startHost(t, {
    realms: [
      realm({
        localizationTexts: { en: { 'profile.color': 'Favourite <color>' } },
        ...profile(
          [
            {
              name: 'color',
              ...own,
              displayName: '${profile.color}',
              required: { roles: ['user'] },
              annotations: { inputType: 'select' },
              validations: { options: { options: ['red', 'blue'] } },
              group: 'taste',
            },
            {
              name: 'hobbies',
              ...own,
              multivalued: true,
              group: 'taste',
              annotations: { inputType: 'multiselect-checkboxes', inputOptionLabels: { chess: 'Chess & more' } },
              validations: { options: { options: ['chess', 'go', 'tennis'] }, multivalued: { max: 2 } },
            },
            { name: 'nicknames', ...own, multivalued: true },
            {
              name: 'age',
              ...own,
              displayName: 'Your age',
              annotations: { inputType: 'html5-number', inputHelperTextAfter: 'In years' },
              validations: { integer: { min: 18, max: 150 } },
            },
            { name: 'about', ...own, annotations: { inputType: 'textarea', inputTypePlaceholder: 'Anything' } },
            { name: 'seen', permissions: { view: ['user'], edit: ['admin'] } },
            { name: 'rank', required: {}, permissions: { view: ['admin'], edit: ['admin'] } },
          ],
          { groups: [{ name: 'taste', displayHeader: 'What you like' }] },
        ),
      }),
    ],
  });
  const browser = new Browser();
  let page = await browser.open(codeRequest(host, { prompt: 'create' }).url);
  const boxes = ['hobbies', 'hobbies', 'hobbies'];
  const names = ['username', 'email', 'color', ...boxes, 'nicknames', 'age', 'about', 'password', 'password-confirm'];
  t.deepEqual(fieldNames(page), names);
  for (const text of [
    'Favourite &#60;color&#62;',
    'Chess &#38; more',
    'What you like',
    'In years',
    'Anything',
    'One value per line.',
  ]) {
    t.true(page.text.includes(text), text);
  }
  const send = (fields: [string, string][]) =>
    browser.open(formAction(page), {
      method: 'POST',
      body: new URLSearchParams([...Object.entries(NEWCOMER), ...fields]),
    });
  page = await send([
    ['color', 'green'],
    ['age', '17'],
    ['hobbies', 'go'],
    ['hobbies', 'chess'],
    ['hobbies', 'tennis'],
  ]);
  t.deepEqual(complaints(page), [
    'Invalid value.',
    'There must be at least … and at most 2 values.',
    'Number must be between 18 and 150.',
  ]);
  t.is([...page.text.matchAll(/type="checkbox"[^>]* checked/g)].length, 3);
  page = await send([
    ['color', 'red'],
    ['hobbies', 'go'],
    ['hobbies', 'chess'],
    ['nicknames', 'Nic\r\n\r\nNik'],
    ['age', ''],
    ['about', 'I <b>am</b>\r\nhere'],
    ['rank', 'general'],
    ['seen', 'x'],
    ['other', 'y'],
    ['firstName', 'z'],
  ]);
  t.truthy(code(page), page.text);
  const user = await stored(host, 'newcomer');
  t.deepEqual(user?.attributes, {
    color: ['red'],
    hobbies: ['go', 'chess'],
    nicknames: ['Nic', 'Nik'],
    about: ['I <b>am</b>\nhere'],
  });
  t.is(user?.firstName, undefined);
});

test('the flow may ask for consent to the terms and leave the password out; the realm’s default actions come next', async (t) => {
  const host = await startHost(t, {
    realms: [
      realm({
        ...flow(
          ['registration-user-creation', 'REQUIRED'],
          ['registration-password-action', 'DISABLED'],
          ['registration-terms-and-conditions', 'REQUIRED'],
        ),
        requiredActions: [
          { alias: 'TERMS_AND_CONDITIONS', enabled: true, defaultAction: true },
          { alias: 'UPDATE_PASSWORD', enabled: true, defaultAction: true },
          { alias: 'UPDATE_PROFILE', enabled: false, defaultAction: true },
        ],
      }),
    ],
    parts: { clock: new TestClock(1_700_000_000_000) },
  });
  const browser = new Browser();
  let page = await browser.open(codeRequest(host, { prompt: 'create' }).url);
  page = await browser.submit(page, NEWCOMER);
  t.deepEqual(complaints(page), ['You must agree to our terms and conditions.']);
  page = await browser.submit(page, { ...NEWCOMER, termsAccepted: 'on' });
  t.is(heading(page), 'Update password');
  const user = await stored(host, 'newcomer');
  t.deepEqual(user?.requiredActions, ['UPDATE_PASSWORD']);
  t.deepEqual(user?.attributes, { terms_and_conditions: ['1700000000'] });
  t.deepEqual(user?.credentials, undefined);
});

test('a step of an imported flow that is not there keeps everybody from registering, and is named in the log', async (t) => {
  const host = await startHost(t, {
    realms: [realm(flow(['registration-user-creation', 'REQUIRED'], ['registration-recaptcha-action', 'REQUIRED']))],
  });
  const page = await new Browser().open(codeRequest(host, { prompt: 'create' }).url);
  t.is(page.status, 400);
  t.regex(page.text, /Registration is not fully set up/);
  t.deepEqual(await events(host, 'REGISTER'), ['invalid_registration']);
  t.true(host.log.some((line) => JSON.stringify(line).includes('registration-recaptcha-action')));
});

test('a registration flow is built by the Admin API, and none that nobody could register by', async (t) => {
  const host = await startAdministered(t, { realms: [realm()] });
  const call = await adminCaller(host);
  const flows = '/realms/demo/authentication/flows';
  const own = { alias: 'own', providerId: 'basic-flow', topLevel: true, builtIn: false };
  t.is((await call('POST', flows, own)).status, 201);
  const form = (provider: string) =>
    call('POST', `${flows}/own/executions/flow`, { alias: 'own form', type: 'form-flow', provider });
  t.is((await form('unknown')).status, 400);
  t.is((await form('registration-page-form')).status, 201);
  for (const provider of ['registration-user-creation', 'registration-terms-and-conditions']) {
    t.is((await call('POST', `${flows}/own%20form/executions/execution`, { provider })).status, 201);
  }
  const recaptcha = await call('POST', `${flows}/own%20form/executions/execution`, {
    provider: 'registration-recaptcha-action',
  });
  t.is(recaptcha.status, 400);
  const bind = () => call('PUT', '/realms/demo', { registrationFlow: 'own' });
  const refused = await bind();
  t.is(refused.status, 400);
  t.regex(refused.text, /nobody could register by this flow/);
  const { json: executions } = await call('GET', `${flows}/own/executions`);
  for (const { id } of executions as unknown as { id: string }[]) {
    t.is((await call('PUT', `${flows}/own/executions`, { id, requirement: 'REQUIRED' })).status, 202);
  }
  t.is((await bind()).status, 204);
  const page = await new Browser().open(codeRequest(host, { prompt: 'create' }).url);
  t.deepEqual(fieldNames(page), ['username', 'email', 'firstName', 'lastName', 'termsAccepted']);
});

test('one address cannot try names without end', async (t) => {
  const clock = new TestClock();
  const host = await startHost(t, { realms: [realm()], parts: { clock } });
  const browser = new Browser();
  let page = await browser.open(codeRequest(host, { prompt: 'create' }).url);
  for (let attempt = 0; attempt < 60; attempt += 1) {
    page = await browser.submit(page, { ...NEWCOMER, username: 'alice' });
    t.deepEqual(complaints(page), ['Username already exists.']);
  }
  page = await browser.submit(page, NEWCOMER);
  t.regex(page.text, /Too many attempts/);
  t.is(await stored(host, 'newcomer'), undefined);
  clock.forward(3601);
  page = await browser.open(codeRequest(host, { prompt: 'create' }).url);
  t.truthy(code(await browser.submit(page, NEWCOMER)));
});
