import test from 'ava';
import type { RequiredActionRepresentation, UserRepresentation } from '../../core/model/representation.js';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, codeRequest, signIn, type Visit } from '../helpers/form-browser.js';
import { inRealm, type TestHost } from '../helpers/host.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, { realms: [] });

const PASSWORD = 'Alice-pass-1!';
const NEW = { 'password-new': 'Other-pass-1!', 'password-confirm': 'Other-pass-1!' };
const WRONG = { 'password-new': 'Other-pass-1!', 'password-confirm': 'x' };
const PROFILE = { email: 'new@x.test', firstName: 'C', lastName: 'D' };
const CANCEL = { 'cancel-aia': 'true' };

interface Row {
  /** `kc_action`. */
  readonly asks: string;
  /** Actions that the user must do anyway. */
  readonly required?: readonly string[];
  /** The user has signed in before. */
  readonly before?: true;
  readonly prompt?: 'none';
  readonly user?: Partial<UserRepresentation>;
  readonly steps?: readonly Readonly<Record<string, string>>[];
  /** The responses to the login and to each step. */
  readonly answers: readonly string[];
}

const shown = (title: string) => `page ${title}`;
const done = (action: string, status: string) => `${status} ${action}`;
const ERROR = 'error';

/**
 * As in Keycloak 26.7.3, with two differences. After a login, Keycloak names the last execution of the flow as
 * `kc_action` if the status is `error`, and if the email is verified already. After single sign-on it does not. Keyhost
 * never does. An empty action as in `kc_action=UPDATE_PASSWORD:` or `kc_action=:` makes Keycloak answer 500. An empty
 * `kc_action` counts as absent here (RFC 6749 §3.1).
 */
const TABLE: readonly Row[] = [
  { asks: 'UPDATE_PASSWORD', steps: [NEW], answers: [shown('Update password'), done('UPDATE_PASSWORD', 'success')] },
  {
    asks: 'UPDATE_PASSWORD',
    steps: [CANCEL],
    answers: [shown('Update password'), done('UPDATE_PASSWORD', 'cancelled')],
  },
  {
    asks: 'UPDATE_PASSWORD',
    steps: [WRONG, CANCEL],
    answers: [shown('Update password'), shown('Update password'), done('UPDATE_PASSWORD', 'cancelled')],
  },
  {
    asks: 'UPDATE_PASSWORD',
    before: true,
    steps: [NEW],
    answers: [shown('Update password'), done('UPDATE_PASSWORD', 'success')],
  },
  {
    asks: 'UPDATE_PASSWORD',
    before: true,
    steps: [CANCEL],
    answers: [shown('Update password'), done('UPDATE_PASSWORD', 'cancelled')],
  },
  { asks: 'UPDATE_PASSWORD', before: true, prompt: 'none', answers: ['refused interaction_required'] },
  { asks: 'NOPE', before: true, prompt: 'none', answers: [ERROR] },
  { asks: 'NOPE', answers: [ERROR] },
  { asks: 'NOPE', before: true, answers: [ERROR] },
  { asks: 'NOPE:x', answers: [ERROR] },
  { asks: 'update_password', answers: [ERROR] },
  { asks: ':', answers: [ERROR] },
  { asks: ':x', answers: [ERROR] },
  { asks: ' UPDATE_PASSWORD', answers: [ERROR] },
  { asks: 'UPDATE_PASSWORD:x', steps: [NEW], answers: [shown('Update password'), done('UPDATE_PASSWORD', 'success')] },
  {
    asks: 'UPDATE_PASSWORD:',
    steps: [CANCEL],
    answers: [shown('Update password'), done('UPDATE_PASSWORD', 'cancelled')],
  },
  {
    asks: 'UPDATE_PASSWORD:x:y',
    steps: [CANCEL],
    answers: [shown('Update password'), done('UPDATE_PASSWORD', 'cancelled')],
  },
  {
    asks: 'UPDATE_PROFILE',
    steps: [CANCEL],
    answers: [shown('Update account information'), done('UPDATE_PROFILE', 'cancelled')],
  },
  { asks: 'UPDATE_EMAIL', answers: [ERROR] },
  { asks: 'TERMS_AND_CONDITIONS', answers: [ERROR] },
  { asks: 'delete_account', answers: [ERROR] },
  { asks: 'VERIFY_PROFILE', answers: [ERROR] },
  { asks: 'update_user_locale', answers: [ERROR] },
  { asks: 'VERIFY_EMAIL', user: { emailVerified: true }, answers: [done('VERIFY_EMAIL', 'success')] },
  { asks: 'CONFIGURE_TOTP', steps: [CANCEL], answers: ['page', done('CONFIGURE_TOTP', 'cancelled')] },
  { asks: 'webauthn-register', steps: [CANCEL], answers: ['page', done('webauthn-register', 'cancelled')] },
  { asks: 'delete_credential', answers: [ERROR] },
  { asks: 'delete_credential:nope', answers: [ERROR] },
  { asks: 'delete_credential:nope', before: true, answers: [ERROR] },
  { asks: 'idp_link', answers: [ERROR] },
  { asks: 'idp_link:nope', answers: [ERROR] },
  {
    asks: 'UPDATE_PASSWORD',
    required: ['UPDATE_PASSWORD'],
    steps: [CANCEL, NEW],
    answers: [shown('Update password'), shown('Update password'), done('UPDATE_PASSWORD', 'success')],
  },
  {
    asks: 'UPDATE_PROFILE',
    required: ['UPDATE_PASSWORD'],
    steps: [NEW, PROFILE],
    answers: [shown('Update password'), shown('Update account information'), done('UPDATE_PROFILE', 'success')],
  },
];

/** The actions of new realms in Keycloak. */
const ACTIONS: RequiredActionRepresentation[] = [
  'UPDATE_PROFILE',
  'VERIFY_EMAIL',
  'CONFIGURE_TOTP',
  'UPDATE_PASSWORD',
  'webauthn-register',
  'VERIFY_PROFILE',
  'delete_credential',
  'idp_link',
  'update_user_locale',
].map((alias, index) => ({ alias, name: alias, providerId: alias, enabled: true, priority: index * 10 }));
const OFF = ['TERMS_AND_CONDITIONS', 'delete_account', 'UPDATE_EMAIL'].map((alias, index) => ({
  alias,
  name: alias,
  providerId: alias,
  enabled: false,
  priority: 500 + index,
}));

function answerOf({ status, location, text }: Visit): string {
  if (location === undefined) return `${status === 200 ? '' : status}page ${/<h1[^>]*>([^<]*)/.exec(text)?.[1] ?? ''}`;
  const { error, code, kc_action, kc_action_status } = Object.fromEntries(location.searchParams);
  if (error !== undefined) return `refused ${error}`;
  return [code === undefined ? 'no code' : '', kc_action_status, kc_action].filter(Boolean).join(' ');
}

function withUsers(more: Parameters<typeof codeRealm>[1] = {}): Promise<TestHost> {
  return inRealm(shared(), (name) => {
    const base = codeRealm(name, { requiredActions: [...ACTIONS, ...OFF], ...more });
    const users = TABLE.map((row, index) => ({
      username: `user-${index}`,
      enabled: true,
      email: `user-${index}@x.test`,
      firstName: 'A',
      lastName: 'B',
      requiredActions: [...(row.required ?? [])],
      credentials: [{ type: 'password', value: PASSWORD }],
      ...row.user,
    }));
    return { ...base, users: [...(base.users ?? []), ...users] };
  });
}

test('application initiated actions: requested actions are answered as in Keycloak', async (t) => {
  const host = await withUsers();
  const got: string[][] = [];
  for (const [index, row] of TABLE.entries()) {
    const login = { username: `user-${index}`, password: PASSWORD };
    const browser = new Browser();
    if (row.before) t.is((await signIn(browser, codeRequest(host).url, login)).status, 302);
    const { url } = codeRequest(host, { kc_action: row.asks, prompt: row.prompt });
    let visit = row.before ? await browser.open(url) : await signIn(browser, url, login);
    const answers = [answerOf(visit)];
    for (const step of row.steps ?? []) {
      if (visit.location !== undefined) break;
      visit = await browser.submit(visit, step);
      answers.push(answerOf(visit));
    }
    const said = answers.map((answer, at) =>
      row.answers[at] === 'page' && answer.startsWith('page ') ? 'page' : answer,
    );
    got.push([row.asks, ...said]);
  }
  t.deepEqual(
    got,
    TABLE.map(({ asks, answers }) => [asks, ...answers]),
  );
});

test('application initiated actions: a disabled or missing action is an error', async (t) => {
  const off = ACTIONS.map((action) => (action.alias === 'UPDATE_PASSWORD' ? { ...action, enabled: false } : action));
  const gone = ACTIONS.filter(({ alias }) => alias !== 'UPDATE_PASSWORD');
  for (const requiredActions of [off, gone]) {
    const host = await withUsers({ requiredActions });
    const url = (prompt?: string) => codeRequest(host, { kc_action: 'UPDATE_PASSWORD', prompt }).url;
    const browser = new Browser();
    t.is(answerOf(await signIn(browser, url(), { username: 'user-0', password: PASSWORD })), ERROR);
    t.is(answerOf(await browser.open(url())), ERROR);
    t.is(answerOf(await browser.open(url('none'))), ERROR);
  }
});

test('application initiated actions: a cancelled action is an event, whatever the type of its own events', async (t) => {
  const aliases = [
    'UPDATE_PASSWORD',
    'UPDATE_PROFILE',
    'CONFIGURE_TOTP',
    'webauthn-register',
    'webauthn-register-passwordless',
    'delete_account',
    'UPDATE_EMAIL',
    'CONFIGURE_RECOVERY_AUTHN_CODES',
  ];
  const host = await inRealm(shared(), (name) => {
    const requiredActions = aliases.map((alias) => ({ alias, name: alias, providerId: alias, enabled: true }));
    const realm = codeRealm(name, { requiredActions });
    const user = {
      username: 'user-0',
      enabled: true,
      email: 'user-0@x.test',
      firstName: 'A',
      lastName: 'B',
      credentials: [{ type: 'password', value: PASSWORD }],
      clientRoles: { account: ['delete-account'] },
    };
    return { ...realm, users: [...(realm.users ?? []), user] };
  });
  for (const alias of aliases) {
    const { url } = codeRequest(host, { kc_action: alias });
    const browser = new Browser();
    const page = await signIn(browser, url, { username: 'user-0', password: PASSWORD });
    t.is(answerOf(await browser.submit(page, CANCEL)), done(alias, 'cancelled'));
  }
  const cancelled = (await host.stored(host.defaultRealm)).filter(({ type }) => type.endsWith('_ERROR'));
  t.deepEqual(
    cancelled
      .map(({ type, error, userId, details }) => [type, error, userId !== undefined, details.custom_required_action])
      .sort(),
    aliases.map((alias) => ['CUSTOM_REQUIRED_ACTION_ERROR', 'rejected_by_user', true, alias]).sort(),
  );
});
