import test from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { adminCaller, startAdministered } from '../helpers/admin.js';
import { Browser, codeRequest, formAction } from '../helpers/form-browser.js';
import { startHost, TestClock } from '../helpers/host.js';
import { codeOf, complaints, fieldNames, heading } from '../helpers/read-page.js';
import { eventErrors, NEWCOMER, openRealm, storedUser, userProfile } from '../helpers/registration.js';

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

test('registration flow: the realm’s user profile decides which attributes are asked for, of whom, and how', async (t) => {
  const own = { permissions: { view: ['user'], edit: ['user'] } };
  const host = await startHost(t, {
    realms: [
      openRealm({
        localizationTexts: { en: { 'profile.color': 'Favourite <color>' } },
        ...userProfile(
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
    'Favourite &lt;color&gt;',
    'Chess &amp; more',
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
    'Enter at least … and at most 2 values.',
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
  t.truthy(codeOf(page), page.text);
  const user = await storedUser(host, 'newcomer');
  t.deepEqual(user?.attributes, {
    color: ['red'],
    hobbies: ['go', 'chess'],
    nicknames: ['Nic', 'Nik'],
    about: ['I <b>am</b>\nhere'],
  });
  t.is(user?.firstName, undefined);
});

test('registration flow: the flow may ask for consent to the terms and leave the password out; the realm’s default actions come next', async (t) => {
  const host = await startHost(t, {
    realms: [
      openRealm({
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
    clock: new TestClock(1_700_000_000_000),
  });
  const browser = new Browser();
  let page = await browser.open(codeRequest(host, { prompt: 'create' }).url);
  page = await browser.submit(page, NEWCOMER);
  t.deepEqual(complaints(page), ['You must agree to the terms and conditions.']);
  page = await browser.submit(page, { ...NEWCOMER, termsAccepted: 'on' });
  t.is(heading(page), 'Update password');
  const user = await storedUser(host, 'newcomer');
  t.deepEqual(user?.requiredActions, ['UPDATE_PASSWORD']);
  t.deepEqual(user?.attributes, { terms_and_conditions: ['1700000000'] });
  t.deepEqual(user?.credentials, undefined);
});

test('registration flow: a step of an imported flow that is not there keeps everybody from registering, and is named in the log', async (t) => {
  const host = await startHost(t, {
    realms: [
      openRealm(flow(['registration-user-creation', 'REQUIRED'], ['registration-recaptcha-action', 'REQUIRED'])),
    ],
  });
  const page = await new Browser().open(codeRequest(host, { prompt: 'create' }).url);
  t.is(page.status, 400);
  t.regex(page.text, /Registration is not fully set up/);
  t.deepEqual(await eventErrors(host, 'REGISTER'), ['invalid_registration']);
  t.true(host.log.some((line) => JSON.stringify(line).includes('registration-recaptcha-action')));
});

test('registration flow: one is built by the Admin API, and nobody registers by one that lacks its steps', async (t) => {
  const host = await startAdministered(t, { realms: [openRealm()] });
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
  // A Keycloak step that this host does not have is stored, and reported.
  t.deepEqual([recaptcha.status, recaptcha.headers.get('keyhost-ignored')], [201, 'provider']);
  const register = () => new Browser().open(codeRequest(host, { prompt: 'create' }).url);
  t.is((await call('PUT', '/realms/demo', { registrationFlow: 'own' })).status, 204);
  t.true(host.log.some(({ message }) => message.includes('no user can register with this flow')));
  t.deepEqual(fieldNames(await register()), []);
  const { json: executions } = await call('GET', `${flows}/own/executions`);
  for (const { id, providerId } of executions as unknown as { id: string; providerId?: string }[]) {
    const requirement = providerId === 'registration-recaptcha-action' ? 'DISABLED' : 'REQUIRED';
    t.is((await call('PUT', `${flows}/own/executions`, { id, requirement })).status, 202);
  }
  const page = await register();
  t.deepEqual(fieldNames(page), ['username', 'email', 'firstName', 'lastName', 'termsAccepted']);
});
