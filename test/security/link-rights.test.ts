import test from 'ava';
import { administrator } from '../helpers/admin.js';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, codeRequest, unescapeHtml } from '../helpers/form-browser.js';
import { claimsOf, fetchAnswer, inRealm, type TestHost } from '../helpers/host.js';
import { ALICE, idIn } from '../helpers/realms.js';
import { ask, scriptedPlugin } from '../helpers/scripted-plugin.js';
import { shareHost } from '../helpers/shared-host.js';

/**
 * A plugin's handlers: `-sets` requires a new password, `-proves` signs the user in, `-ends` requires nothing, `-runs`
 * only runs.
 */
const handlers = (name: string) => {
  const handler = (id: string, body: string) => `provide(ActionTokenHandler, { id: '${name}-${id}', eventType: 'OWN',
    defaultError: 'invalid_token', defaultMessage: 'x', open: () => ({ create: () => ({ ${body} }) }) }),`;
  const linked = (answer: object) => `requiredActions: async () => (${JSON.stringify(answer)})`;
  return [
    handler('sets', linked({ requiredActions: ['UPDATE_PASSWORD'] })),
    handler('proves', linked({ requiredActions: [], provesUser: true })),
    handler('ends', linked({ requiredActions: [] })),
    handler('runs', `handle: async () => ({ status: 200, body: { ran: '${name}' } })`),
    // A step that finds a user without proof, and shows a link that continues the login.
    `provide(Authenticator, { id: '${name}-find', open: () => ({ create: ({ users, actionTokens }) => {
      const page = (key, fields) => ({ outcome: 'challenge', page: { page: 'form', title: { key }, fields, submit: { key: 'doContinue' } } });
      return {
        authenticate: async ({ followedLink }) => (followedLink ? { outcome: 'success', userId: followedLink.userId } : page('Who?', [{ name: 'username', type: 'text', label: { key: 'username' } }])),
        action: async ({ login }, { username }) => {
          const { id } = await users.byUsername(username);
          return page((await actionTokens.issue({ type: '${name}-proves', userId: id, clientId: 'web', login })).link, []);
        },
      };
    } }) }),`,
  ].join('\n');
};
const RIGHTS: Readonly<Record<string, readonly string[]>> = {
  bare: [],
  users: ['manage-users'],
  chief: ['manage-users', 'manage-admins'],
  ruler: ['realm-admin', 'manage-admins'],
  logins: ['issue-login-links'],
};
const NAMES = Object.keys(RIGHTS);

const shared = shareHost(
  test,
  {
    realms: [],
    plugins: NAMES.map((module) => ({
      module,
      isolation: module === 'bare' ? ('worker' as const) : ('none' as const),
      grants: { '*': RIGHTS[module] ?? [] },
    })),
    packages: Object.fromEntries(
      NAMES.map((name) => {
        const needs = Object.fromEntries((RIGHTS[name] ?? []).map((right) => [right, 'tries it']));
        const source = scriptedPlugin(name, needs, handlers(name));
        return [name, source.replace('{ AdminPage,', '{ ActionTokenHandler, Authenticator, AdminPage,')];
      }),
    ),
  },
  /plugin_not_granted/,
);

const BOSS = 'b0550000-0000-4000-8000-000000000002';
const on = (...names: string[]) => Object.fromEntries(names.map((name) => [name, { enabled: true }]));
const HANDLERS = ['sets', 'proves', 'ends', 'runs'];
const realm = (finder?: string) =>
  inRealm(shared(), (name) => {
    const executions = [`${finder}-find`, 'auth-username-password-form'];
    const flow = {
      alias: 'own',
      providerId: 'basic-flow',
      topLevel: true,
      authenticationExecutions: executions.map((authenticator, priority) => ({
        authenticator,
        requirement: 'REQUIRED',
        priority,
      })),
    };
    const base = codeRealm(name, finder === undefined ? {} : { browserFlow: 'own', authenticationFlows: [flow] });
    return {
      ...base,
      users: [...(base.users ?? []), { ...administrator('boss', 'realm-admin'), id: idIn(name, BOSS) }],
      providers: {
        'realm-restapi-extension': on(...NAMES),
        'action-token-handler': on(...NAMES.flatMap((name) => HANDLERS.map((kind) => `${name}-${kind}`))),
      },
    };
  });

async function linkOf(host: TestHost, issuer: string, type: string, user = ALICE, more: object = {}): Promise<string> {
  const userId = idIn(host.defaultRealm, user);
  const { value, error } = await ask(host, host.defaultRealm, issuer, 'actionTokens', 'issue', {
    type,
    userId,
    ...more,
  });
  if (error !== undefined) throw new Error(`${type}: ${JSON.stringify(error)}`);
  return (value as unknown as { link: string }).link;
}

async function follow(link: string) {
  const { status, text } = await fetchAnswer(link, { headers: { accept: 'text/html' } });
  return { status, asksForPassword: /password-new/.test(text) };
}
const REFUSED = { status: 400, asksForPassword: false };
const ASKED = { status: 200, asksForPassword: true };

test('T817 · rights of links: a plugin without grants issues no link that sets a password, least of all an administrator’s', async (t) => {
  const host = await realm();
  for (const user of [ALICE, BOSS]) t.deepEqual(await follow(await linkOf(host, 'bare', 'bare-sets', user)), REFUSED);
  const told = host.log.filter(({ fields }) => (fields as { operation?: string })?.operation === 'the link bare-sets');
  t.like(told[0]?.fields, { plugin: 'bare', right: 'manage-users' });
});

test('T818 · rights of links: required actions of a link need manage-users, and for administrators the rights of execute-actions', async (t) => {
  const host = await realm();
  t.deepEqual(await follow(await linkOf(host, 'users', 'users-sets')), ASKED);
  t.deepEqual(
    await follow(await linkOf(host, 'users', 'users-sets', BOSS)),
    REFUSED,
    'administrators are out of reach',
  );
  t.deepEqual(await follow(await linkOf(host, 'chief', 'chief-sets', BOSS)), REFUSED, 'who holds less than the user');
  t.deepEqual(await follow(await linkOf(host, 'ruler', 'ruler-sets', BOSS)), ASKED);
  t.deepEqual(await follow(await linkOf(host, 'logins', 'logins-sets')), REFUSED, 'logins are another right');
});

test('T819 · rights of links: a link of another plugin that has the right is no way around it', async (t) => {
  const host = await realm();
  t.deepEqual(await follow(await linkOf(host, 'bare', 'users-sets')), REFUSED);
  t.deepEqual(await follow(await linkOf(host, 'bare', 'ruler-sets', BOSS)), REFUSED);
  t.deepEqual(await follow(await linkOf(host, 'users', 'ruler-sets', BOSS)), REFUSED, 'the issuer reaches none');
  t.deepEqual(await follow(await linkOf(host, 'ruler', 'bare-sets')), REFUSED, 'the handler is granted nothing');
  t.deepEqual(await follow(await linkOf(host, 'chief', 'users-sets')), ASKED, 'both may');
  const claims = { keyhost_issued_by: 'ruler' };
  const { error } = await ask(host, host.defaultRealm, 'bare', 'actionTokens', 'issue', {
    type: 'ruler-sets',
    userId: idIn(host.defaultRealm, BOSS),
    claims,
    by: { plugin: 'ruler', rights: ['realm-admin'] },
  });
  t.is(error?.code, 'invalid_claims', 'nobody names another issuer');
  const by = { by: undefined, onSigned: undefined };
  t.deepEqual(await follow(await linkOf(host, 'bare', 'ruler-sets', BOSS, by)), REFUSED);
});

test('T820 · rights of links: a login by a link of a plugin’s own needs issue-login-links, and manage-admins for administrators', async (t) => {
  for (const [finder, user, isTaken] of [
    ['bare', 'alice', false],
    ['users', 'alice', false],
    ['logins', 'alice', true],
    ['logins', 'boss', false],
    ['ruler', 'boss', false],
  ] as const) {
    const host = await realm(finder);
    const browser = new Browser();
    const shown = await browser.submit(await browser.open(codeRequest(host).url), { username: user });
    const link = /http[^<"\s]*action-token[?]key=[^<"&\s]+/.exec(unescapeHtml(shown.text))?.[0] ?? '';
    const visit = await browser.open(link);
    t.is(visit.status, isTaken ? 200 : 400, `${finder} ${user}`);
    if (!isTaken) continue;
    // The link proves the user only to this step: the next one still asks for the password.
    const done = await browser.submit(visit, { password: 'Alice-pass-1!' });
    t.true(done.location?.searchParams.has('code'), `${finder} ${user}: ${done.text.slice(0, 300)}`);
  }
  const host = await realm();
  const visit = await new Browser().open(await linkOf(host, 'logins', 'logins-proves'));
  t.false(visit.location?.searchParams.has('code') ?? false, 'a link that belongs to no login signs nobody in');
});

test('T821 · rights of links: a link that runs its handler, or asks for nothing, needs no right, for administrators neither', async (t) => {
  const host = await realm();
  for (const issuer of NAMES) {
    for (const user of [ALICE, BOSS]) {
      for (const handler of NAMES) {
        const link = await linkOf(host, issuer, `${handler}-runs`, user);
        const { status, json } = await fetchAnswer(link);
        t.is(status, 200, `${issuer} ${handler}`);
        t.deepEqual(json as unknown, { ran: handler });
      }
      t.not((await follow(await linkOf(host, issuer, 'bare-ends', user))).status, 500);
    }
  }
  const { payload } = {
    payload: claimsOf(new URL(await linkOf(host, 'bare', 'bare-runs')).searchParams.get('key') ?? ''),
  };
  t.false('keyhost_issued_by' in payload, 'links of plugins without rights have Keycloak’s claims alone');
});
