import test from 'ava';
import { adminCaller, administered, administrator } from '../helpers/admin.js';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, codeRequest, follow, signIn, type Visit } from '../helpers/form-browser.js';
import { claimsOf, fetchAnswer, inRealm, type TestHost } from '../helpers/host.js';
import { ALICE, DAVE, idIn } from '../helpers/realms.js';
import { flowWith } from '../helpers/redirecting-step.js';
import { ask, scriptedPlugin } from '../helpers/scripted-plugin.js';
import { shareHost } from '../helpers/shared-host.js';
import { verifyingStep } from '../helpers/verifying-step.js';

const MODES = ['checks', 'apart'] as const;
const BOSS = 'b0550000-0000-4000-8000-000000000002';
const PASSWORD = 'Alice-pass-1!';

const shared = shareHost(
  test,
  administered({
    realms: [],
    plugins: [
      { module: 'checks' },
      { module: 'apart', isolation: 'worker' },
      { module: 'helpdesk', grants: { '*': ['manage-users'] } },
    ],
    packages: {
      checks: verifyingStep('checks'),
      apart: verifyingStep('apart'),
      helpdesk: scriptedPlugin('helpdesk', { 'manage-users': 'verifies what callers of the help admin console say' }),
    },
  }),
);

/** A realm whose flow finds a user by name, and then runs this step. `boss` has administration rights. */
function realm(id: string, changes: object = {}): Promise<TestHost> {
  return inRealm(shared(), (name) => {
    const base = codeRealm(name, {
      bruteForceProtected: true,
      failureFactor: 2,
      quickLoginCheckMilliSeconds: 0,
      waitIncrementSeconds: 900,
      ...flowWith('auth-username-form', id),
      directGrantFlow: 'direct grant',
      providers: {
        'realm-restapi-extension': { checks: { enabled: true }, apart: { enabled: true }, helpdesk: { enabled: true } },
      },
      requiredActions: MODES.map((one) => ({
        alias: `${one}-action`,
        providerId: `${one}-action`,
        name: one,
        enabled: true,
      })),
      ...changes,
    });
    const protocolMappers = [
      {
        name: 'm',
        protocol: 'openid-connect',
        protocolMapper: `${id}-mapper`,
        config: { 'access.token.claim': 'true' },
      },
    ];
    return {
      ...base,
      users: [...(base.users ?? []), { ...administrator('boss', 'realm-admin'), id: idIn(name, BOSS) }],
      clients: (base.clients ?? []).map((client) =>
        client.clientId === 'one' ? { ...client, directAccessGrantsEnabled: true, protocolMappers } : client,
      ),
    };
  });
}

async function asked(host: TestHost, username: string): Promise<{ browser: Browser; page: Visit }> {
  const browser = new Browser();
  return { browser, page: await browser.submit(await browser.open(codeRequest(host).url), { username }) };
}

async function type(host: TestHost, username: string, fields: Record<string, string>): Promise<Visit> {
  const { browser, page } = await asked(host, username);
  return browser.submit(page, fields);
}

const isIn = ({ location }: Visit) => location?.searchParams.has('code') === true;
const verdictOf = ({ text }: Visit) => /It is (\w+)/.exec(text)?.[1];

async function failuresOf(host: TestHost, id: string): Promise<number> {
  const call = await adminCaller(host);
  const { json } = await call(
    'GET',
    `/realms/${host.defaultRealm}/attack-detection/brute-force/users/${idIn(host.defaultRealm, id)}`,
  );
  return Number(json.numFailures);
}

for (const id of MODES) {
  test(`T900 · verifying steps: a step without a grant verifies the user of its login, an administrator too, and counts wrong answers (${id})`, async (t) => {
    const host = await realm(id);
    for (const [username, password, userId] of [
      ['boss', 'boss', BOSS],
      ['alice', PASSWORD, ALICE],
    ] as const) {
      t.true(isIn(await type(host, username, { typed: password })), username);
      for (const typed of ['no', 'nope']) t.is(verdictOf(await type(host, username, { typed })), 'invalid', username);
      t.is(await failuresOf(host, userId), 2);
      // A step that verifies users itself cannot pass a lock either.
      t.false(isIn(await type(host, username, { typed: password })), username);
    }
  });

  test(`T901 · verifying steps: a step without a grant verifies no user but that of its login (${id})`, async (t) => {
    const host = await realm(id);
    for (const whom of [idIn(host.defaultRealm, BOSS), idIn(host.defaultRealm, DAVE), 'no-user', '']) {
      t.is(verdictOf(await type(host, 'alice', { typed: 'boss', whom })), 'plugin_not_granted', whom);
    }
    t.is(await failuresOf(host, BOSS), 0);
    // For an unknown username the step has no user to verify.
    const unknown = await asked(host, 'nobody-here');
    t.not(verdictOf(unknown.page), 'valid');
    const refusal = `${id} is not granted manage-users in realm ${host.defaultRealm}`;
    const reasons = host.log
      .filter(({ message }) => message === 'verify failed')
      .map(({ fields }) => (fields as { reason: string }).reason)
      .filter((reason) => reason.startsWith(refusal));
    t.is(reasons.length, 4);
    t.true(reasons.every((reason) => reason.includes('"grants" of plugins.json')));
  });

  test(`T902 · verifying steps: a plugin with a step verifies nobody outside of it: by a route, by the session of the step later, by a mapper (${id})`, async (t) => {
    const host = await realm(id);
    t.true(isIn(await type(host, 'alice', { typed: PASSWORD })));
    const at = async (path: string) =>
      (await fetchAnswer(`${host.realm(host.defaultRealm)}/${id}/${path}`)).json.verdict as unknown;
    for (const user of [ALICE, BOSS]) {
      t.is(await at(idIn(host.defaultRealm, user)), 'plugin_not_granted');
      t.is(await at(`${idIn(host.defaultRealm, user)}/late`), 'session_closed');
    }
    const form = { client_id: 'one', grant_type: 'password', username: 'alice', password: PASSWORD };
    const { json } = await host.token(host.defaultRealm, form);
    t.like(claimsOf(json.access_token ?? ''), { verified: 'plugin_not_granted' });
    t.is(await failuresOf(host, ALICE), 0);
  });

  test(`T903 · verifying steps: a required action without a grant verifies its own user, and no lock is passed by it (${id})`, async (t) => {
    const host = await realm(id, flowWith('auth-username-password-form'));
    const call = await adminCaller(host);
    const user = `/realms/${host.defaultRealm}/users/${idIn(host.defaultRealm, BOSS)}`;
    t.is((await call('PUT', user, { requiredActions: [`${id}-action`] })).status, 204);
    const browser = new Browser();
    const page = await follow(
      browser,
      await signIn(browser, codeRequest(host).url, { username: 'boss', password: 'boss' }),
    );
    const wrong = await browser.submit(page, { typed: 'wrong' });
    t.is(verdictOf(wrong), 'invalid');
    t.is(await failuresOf(host, BOSS), 1);
    t.true(isIn(await browser.submit(wrong, { typed: 'boss' })));
  });
}

test('T904 · verifying steps: with manage-users a plugin verifies administrators too, counted, and changes nothing of them', async (t) => {
  const host = await realm('checks');
  const boss = idIn(host.defaultRealm, BOSS);
  const verify = (value: string) =>
    ask(host, host.defaultRealm, 'helpdesk', 'credentials', 'verify', boss, { type: 'password', value });
  t.is((await verify('boss')).value as unknown, 'valid');
  for (const guess of ['a', 'b']) t.is((await verify(guess)).value as unknown, 'invalid');
  t.is((await verify('boss')).value as unknown, 'locked');
  const changes: (readonly unknown[])[] = [
    ['users', 'update', boss, { firstName: 'Changed' }],
    ['credentials', 'setPassword', boss, 'Changed-1!'],
    ['users', 'remove', boss],
    ['sessions', 'endAll', boss],
  ];
  for (const [member, method, ...given] of changes) {
    const { error } = await ask(host, host.defaultRealm, 'helpdesk', member, method, ...given);
    t.is(error?.status, 403, String(method));
    // Each refusal names the missing right, the plugin, and where to grant it.
    t.regex(
      error?.message ?? '',
      /helpdesk is not granted manage-admins and realm-admin in realm .*"grants" of plugins\.json/,
    );
  }
  const lines = host.log.filter(
    ({ fields }) => (fields as { right?: string }).right === 'manage-admins and realm-admin',
  );
  t.true(lines.length >= changes.length);
  t.false(host.log.some((line) => JSON.stringify(line).includes('HTTP 403 Forbidden"')));
});
