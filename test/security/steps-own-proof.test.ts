import test, { type ExecutionContext } from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, codeRequest, type Visit } from '../helpers/form-browser.js';
import { claimsOf, fetchAnswer, inRealm, startHost, type TestHost } from '../helpers/host.js';
import { LINKS, linkingStep } from '../helpers/linking-step.js';
import { startMailServer } from '../helpers/mail-server.js';
import { pluginSource } from '../helpers/plugins.js';
import { ALICE, idIn } from '../helpers/realms.js';
import { ask, scriptedPlugin } from '../helpers/scripted-plugin.js';
import { shareStarted } from '../helpers/shared-host.js';
import { flow, inner, STEPPING, step } from '../helpers/stepping-realm.js';

/** A step written before its own proof was distinguished from the login's. */
const OLD = pluginSource(import.meta.url, 'plugins/old.js');
const RIGHTS = ['issue-login-links', 'send-mail', 'view-users', 'manage-users'];
const shared = shareStarted(
  test,
  async (t) => {
    const server = await startMailServer(t);
    const host = await startHost(t, {
      realms: [],
      plugins: [
        { module: 'magic', grants: { '*': RIGHTS } },
        { module: 'mailer', grants: LINKS },
        { module: 'apart', isolation: 'worker', grants: LINKS },
        { module: 'desk', grants: LINKS },
        { module: 'old' },
      ],
      packages: {
        magic: `export { default } from '@keyhost/magic-link';`,
        mailer: linkingStep('mailer'),
        apart: linkingStep('apart'),
        desk: scriptedPlugin('desk', { 'issue-login-links': 'tries it' }),
        old: OLD,
      },
    });
    return { host, server };
  },
  /context\.proven, which is gone/,
);

const on = (...names: string[]) => Object.fromEntries(names.map((name) => [name, { enabled: true }]));
const of = (...steps: string[]): Partial<RealmRepresentation> => ({
  browserFlow: 'stepping',
  authenticationFlows: [flow('stepping', ...steps.map((one) => step(one)))],
});

/** A realm with this flow, in which alice's email is not verified. */
async function realm(changes: Partial<RealmRepresentation>) {
  const { host, server } = shared();
  const here = await inRealm(host, (name) => {
    const base = codeRealm(name, changes);
    return {
      ...base,
      smtpServer: server.settings,
      users: base.users?.map((user) =>
        user.username === 'alice' ? { ...user, email: `alice@${name}.test`, emailVerified: false } : user,
      ),
      providers: { 'realm-restapi-extension': on('mailer', 'apart', 'desk') },
    } as RealmRepresentation;
  });
  return Object.assign(here, {
    mails: () => server.received.filter(({ envelope }) => envelope.to[0]?.endsWith(`@${here.defaultRealm}.test`)),
  });
}

type Here = Awaited<ReturnType<typeof realm>>;
const PASSWORD = { username: 'alice', password: 'Alice-pass-1!' };
const code = ({ location }: Visit) => location?.searchParams.get('code') ?? undefined;
const keyOf = (link: string) => new URL(link).searchParams.get('key') ?? '';
const press = (browser: Browser, link: string, more: Record<string, string> = {}) =>
  browser.open(link.replace(/\?.*/, ''), { method: 'POST', body: new URLSearchParams({ key: keyOf(link), ...more }) });

async function alice(host: TestHost) {
  const compiled = await host.realms.get(host.defaultRealm);
  const user = compiled && (await host.users.byId(compiled, idIn(host.defaultRealm, ALICE)));
  if (compiled === undefined || user === undefined) throw new Error('alice is gone');
  return { compiled, view: user.view };
}

/** The newest link of a `linkingStep`. */
async function newest(host: TestHost, id = 'mailer') {
  const { json } = await fetchAnswer(`${host.realm(host.defaultRealm)}/${id}`);
  return json as unknown as { link: string; number: string };
}

function outside(t: ExecutionContext, browser: Browser, page: Visit, what: string): void {
  t.is(page.status, 200, `${what}: ${page.text.slice(0, 300)}`);
  t.is(code(page), undefined, what);
  t.false(browser.cookies.has('KEYCLOAK_IDENTITY'), what);
}

/** The mail with this number among those to the realm's users. */
async function mailOf(host: Here, count: number): Promise<string> {
  const { server } = shared();
  for (let index = 0; ; index += 1) {
    const mails = host.mails();
    if (mails.length >= count) return mails[count - 1]?.link ?? '';
    await server.mail(Math.max(index, server.received.length));
  }
}

test('T770 · proof of a step: after a password the magic link is still needed, and the password verifies no address', async (t) => {
  const host = await realm(of('auth-username-password-form', 'ext-magic-form'));
  const browser = new Browser();
  const asked = await browser.submit(await browser.open(codeRequest(host).url), PASSWORD);
  outside(t, browser, asked, 'the password alone');
  t.false((await alice(host)).view.emailVerified);
  t.is(host.mails().length, 0);
  const waits = await browser.submit(asked, { username: 'dave' });
  outside(t, browser, await browser.submit(waits, {}), 'no link was followed');
  const link = await mailOf(host, 1);
  t.truthy(code(await press(browser, link)));
  t.true((await alice(host)).view.emailVerified, 'the link does');
});

test('T771 · proof of a step: a magic link as level 2 is needed by a session of level 1', async (t) => {
  const flows = (STEPPING.authenticationFlows ?? []).map((one) =>
    one.alias === 'second'
      ? flow('second', step('conditional-level-of-authentication', 'REQUIRED', 'two'), step('ext-magic-form'))
      : one,
  );
  const host = await realm({ ...STEPPING, authenticationFlows: flows });
  const browser = new Browser();
  const first = await browser.submit(
    await browser.open(codeRequest(host, { client_id: 'one', acr_values: 'silver' }).url),
    PASSWORD,
  );
  t.truthy(code(first));
  const gold = {
    client_id: 'one',
    claims: JSON.stringify({ id_token: { acr: { essential: true, values: ['gold'] } } }),
  };
  const asked = await browser.open(codeRequest(host, gold).url);
  t.deepEqual([asked.status, code(asked)], [200, undefined], 'the session is no proof of the link');
  const waits = await browser.submit(asked, { username: 'alice' });
  t.is(code(await browser.submit(waits, {})), undefined);
  t.false((await alice(host)).view.emailVerified);
  t.truthy(code(await press(browser, await mailOf(host, 1))));
});

for (const id of ['mailer', 'apart']) {
  test(`T772 · proof of a step: a link replaces its own step, and neither password nor another execution of the step (${id})`, async (t) => {
    const host = await realm(of(id, id, 'auth-username-password-form'));
    for (const where of ['here', 'elsewhere']) {
      const browser = new Browser();
      const waits = await browser.submit(await browser.open(codeRequest(host).url), { name: 'alice' });
      const first = await newest(host, id);
      const followed = await (where === 'here'
        ? press(browser, first.link)
        : press(new Browser(), first.link, { choice: first.number }));
      const second = where === 'here' ? followed : await browser.submit(waits, {});
      outside(t, browser, second, `${where}: the second execution asks`);
      t.regex(second.text, /Who are you\?/);
      t.not((await press(browser, first.link)).status, 200, 'the first link is used');
      await browser.submit(second, { name: 'alice' });
      const password = await press(browser, (await newest(host, id)).link);
      outside(t, browser, password, `${where}: the password is asked for`);
      t.regex(password.text, /name="password"/);
      t.truthy(code(await browser.submit(password, PASSWORD)));
    }
  });
}

test('T773 · proof of a step: a link of one login opens no other login of the same browser', async (t) => {
  const host = await realm(of('auth-username-password-form', 'mailer'));
  const browser = new Browser();
  const one = await browser.open(codeRequest(host).url);
  const two = await browser.open(codeRequest(host).url);
  const first = await browser.submit(one, PASSWORD);
  const second = await browser.submit(two, PASSWORD);
  await browser.submit(first, { name: 'alice' });
  const { link, number } = await newest(host);
  await press(new Browser(), link, { choice: number });
  outside(t, browser, await browser.submit(second, {}), 'the other login');
});

test('T774 · proof of a step: a link without a login passes no step that waits for its own', async (t) => {
  const host = await realm(of('auth-username-password-form', 'mailer'));
  const issued = await ask(host, host.defaultRealm, 'desk', 'loginLinks', 'issue', {
    userId: idIn(host.defaultRealm, ALICE),
  });
  const { link } = issued.value as unknown as { link: string };
  const fresh = new Browser();
  outside(t, fresh, await press(fresh, link), 'the link replaces the password alone');
  const browser = new Browser();
  const asked = await browser.submit(await browser.open(codeRequest(host).url), PASSWORD);
  const other = (
    await ask(host, host.defaultRealm, 'desk', 'loginLinks', 'issue', { userId: idIn(host.defaultRealm, ALICE) })
  ).value as unknown as { link: string };
  await press(browser, other.link);
  outside(t, browser, await browser.submit(asked, {}), 'the login that waits');
});

test('T775 · proof of a step: a link verifies the address that it was sent to, and not a new one', async (t) => {
  const host = await realm(of('ext-magic-form'));
  const browser = new Browser();
  const waits = await browser.submit(await browser.open(codeRequest(host).url), { username: 'alice' });
  const link = await mailOf(host, 1);
  const number = /select the number (\d\d)/.exec(waits.text)?.[1] ?? '';
  t.is((await press(new Browser(), link, { choice: number })).status, 200);
  const { compiled, view } = await alice(host);
  await host.users.change(compiled, view.id, (draft) => {
    draft.email = `new@${host.defaultRealm}.test`;
  });
  await browser.submit(waits, {});
  t.false((await alice(host)).view.emailVerified, 'changed between the link and the step');

  const late = new Browser();
  await late.submit(await late.open(codeRequest(host).url), { username: 'alice' });
  const second = await mailOf(host, 2);
  await host.users.change(compiled, view.id, (draft) => {
    draft.email = `newer@${host.defaultRealm}.test`;
  });
  t.is((await press(late, second)).status, 400, 'changed before the link is followed');
  t.false((await alice(host)).view.emailVerified);
});

test('T776 · proof of a step: a step that relies on the proof of the whole login proves nothing, and the log says why', async (t) => {
  const host = await realm(of('auth-username-password-form', 'old'));
  const browser = new Browser();
  const asked = await browser.submit(await browser.open(codeRequest(host).url), PASSWORD);
  t.is(code(asked), undefined);
  t.false(browser.cookies.has('KEYCLOAK_IDENTITY'));
  t.true(
    host.log.some(({ fields, message }) => `${message} ${JSON.stringify(fields)}`.includes('old reads context.proven')),
  );
});

test('T777 · proof of a step: a link of a step is gone with the flow that the login has left', async (t) => {
  const host = await realm({ ...of('mailer'), resetPasswordAllowed: true });
  const browser = new Browser();
  const asked = await browser.open(codeRequest(host).url);
  await browser.submit(asked, { name: 'alice' });
  const { link } = await newest(host);
  const query = new URL(/action="([^"]*)"/.exec(asked.text)?.[1]?.replaceAll('&amp;', '&') ?? '', asked.url)
    .searchParams;
  const reset = `${host.realm(host.defaultRealm)}/login-actions/reset-credentials?${new URLSearchParams({ client_id: 'web', tab_id: query.get('tab_id') ?? '' })}`;
  const page = await browser.open(reset);
  t.is(page.status, 200, page.text.slice(0, 300));
  const followed = await press(browser, link);
  t.is(code(followed), undefined);
  t.false(browser.cookies.has('KEYCLOAK_IDENTITY'));
  t.truthy(claimsOf(keyOf(link)).sub);
});

test('T778 · proof of a step: a link that is an alternative to the password signs in by itself, after another way was looked at', async (t) => {
  const ways = [step('auth-username-password-form', 'ALTERNATIVE'), inner('links', 'ALTERNATIVE')];
  const host = await realm({
    browserFlow: 'stepping',
    authenticationFlows: [flow('stepping', ...ways), flow('links', step('mailer', 'ALTERNATIVE'))],
  });
  const browser = new Browser();
  const form = await browser.open(codeRequest(host).url);
  const way = (page: Visit) => /name="authenticationExecution" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
  const chosen = await browser.submit(form, { authenticationExecution: way(form) });
  t.regex(chosen.text, /Who are you\?/);
  const waits = await browser.submit(chosen, { name: 'alice' });
  const { link } = await newest(host);
  const back = await browser.submit(waits, { authenticationExecution: way(waits) });
  outside(t, browser, back, 'the password again');
  t.truthy(code(await press(browser, link)));
});
