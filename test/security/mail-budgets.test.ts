import test from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { administrator } from '../helpers/admin.js';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, codeRequest, formAction, type Visit } from '../helpers/form-browser.js';
import { inRealm, startHost, TestClock } from '../helpers/host.js';
import { startMailServer } from '../helpers/mail-server.js';
import { ALICE, idIn } from '../helpers/realms.js';
import { shareStarted } from '../helpers/shared-host.js';
import { flow, step } from '../helpers/stepping-realm.js';
import { started } from '../organizations/started.js';

const clock = new TestClock();
const shared = shareStarted(
  test,
  async (t) => {
    const server = await startMailServer(t);
    const host = await startHost(t, {
      realms: [],
      clock,
      argv: ['--proxy-headers', 'xforwarded'],
      plugins: [
        { module: 'codes', grants: { '*': ['send-mail', 'view-users'] } },
        { module: 'magic', grants: { '*': ['issue-login-links', 'send-mail', 'view-users', 'manage-users'] } },
      ],
      packages: {
        codes: `export { default } from '@keyhost/email-otp';`,
        magic: `export { default } from '@keyhost/magic-link';`,
      },
    });
    return { host, server };
  },
  /an email was not sent|Failed to send execute actions email/,
);

const PASSWORD = { username: 'alice', password: 'Alice-pass-1!' };
const STRANGER = '203.0.113.9';
const code = ({ location }: Visit) => location?.searchParams.get('code') ?? undefined;
/** The text of a page without parts that differ between logins. */
const textOf = ({ text }: Visit, name: string) =>
  text.replaceAll(name, 'NAME').replaceAll(/(?:action|href|data-poll)="[^"]*"|number \d\d/g, '');

/** A browser with this IP address. */
class BrowserAt extends Browser {
  readonly #ip: string;

  constructor(ip: string) {
    super();
    this.#ip = ip;
  }

  override open(url: string, init: RequestInit = {}): Promise<Visit> {
    return super.open(url, { ...init, headers: { 'x-forwarded-for': this.#ip, ...(init.headers as object) } });
  }
}

async function realm(browserFlow: string, changes: Partial<RealmRepresentation> = {}) {
  const { host, server } = shared();
  const flows = [
    flow('code', step('ext-email-otp')),
    flow('link', step('ext-magic-form')),
    flow('second', step('auth-username-password-form'), step('ext-email-otp')),
  ].map((one) => ({ ...one, topLevel: true }));
  const here = await inRealm(host, (name) => {
    const base = codeRealm(name, {
      browserFlow,
      authenticationFlows: flows,
      resetPasswordAllowed: true,
      providers: {},
    });
    return {
      ...base,
      sslRequired: 'none',
      smtpServer: server.settings,
      clients: base.clients?.map((client) =>
        client.clientId === 'one' ? { ...client, authenticationFlowBindingOverrides: { browser: 'second' } } : client,
      ),
      users: [
        ...(base.users ?? []).map((user) =>
          user.username === 'alice' ? { ...user, email: `alice@${name}.test` } : user,
        ),
        { ...administrator('boss', 'manage-users'), id: idIn(name, '0b055000-0000-4000-8000-000000000007') },
      ],
      ...changes,
    } as RealmRepresentation;
  });
  const mails = () =>
    server.received.filter(({ envelope }) => envelope.to[0] === `alice@${here.defaultRealm}.test`).length;
  return { host: here, mails };
}

type Here = Awaited<ReturnType<typeof realm>>['host'];

const begin = async (host: Here, ip: string, username: string, changes = {}) => {
  const browser = new BrowserAt(ip);
  return browser.submit(await browser.open(codeRequest(host, changes).url), { username });
};

/** Requests a link as a user who has forgotten the password. */
async function forget(host: Here, ip: string, username = 'alice'): Promise<Visit> {
  const browser = new BrowserAt(ip);
  const login = await browser.open(codeRequest(host).url);
  const link = (/id="kc-forgot-password" href="([^"]+)"/.exec(login.text)?.[1] ?? '').replaceAll('&amp;', '&');
  const page = await browser.open(new URL(link, login.url).href);
  return browser.open(formAction(page), { method: 'POST', body: new URLSearchParams({ username }) });
}

/** Sends a mail as an admin. */
async function byAdmin(host: Here, path: string): Promise<number> {
  const grant = { grant_type: 'password', client_id: 'spa', username: 'boss', password: 'boss' };
  const { json } = await host.token(host.defaultRealm, grant);
  const { status } = await fetch(
    `${host.url}/admin/realms/${host.defaultRealm}/users/${idIn(host.defaultRealm, ALICE)}/${path}`,
    {
      method: 'PUT',
      headers: { authorization: `Bearer ${json.access_token}`, 'content-type': 'application/json' },
      body: '["UPDATE_PASSWORD"]',
    },
  );
  return status;
}

const settled = async (mails: () => number, count: number) => {
  const { server } = shared();
  for (let index = server.received.length; mails() < count; index += 1) await server.mail(index);
};

test.serial(
  'T780 · limits of emails: a stranger’s forgotten passwords leave the limits of the user, other networks and admins unchanged',
  async (t) => {
    const { host, mails } = await realm('browser', { verifyEmail: true });
    await host.users.change(await host.loadedRealm(host.defaultRealm), idIn(host.defaultRealm, ALICE), (draft) => {
      draft.emailVerified = false;
    });
    for (let asked = 0; asked < 10; asked += 1) {
      t.regex((await forget(host, STRANGER)).text, /You should receive an email shortly/);
      await forget(host, STRANGER, 'nobody');
    }
    await settled(mails, 10);
    const limited = await forget(host, STRANGER);
    t.regex(limited.text, /No further email was sent just now/);
    t.is(textOf(await forget(host, STRANGER, 'nobody'), 'nobody'), textOf(limited, 'alice'), 'the same for every name');
    t.regex(
      (await forget(host, STRANGER, `alice@${host.defaultRealm}.test`)).text,
      /You should receive/,
      'and for every spelling',
    );
    t.is(mails(), 10);

    t.regex((await forget(host, '198.51.100.7')).text, /You should receive an email shortly/);
    await settled(mails, 11);
    const browser = new BrowserAt(STRANGER);
    t.regex((await browser.submit(await browser.open(codeRequest(host).url), PASSWORD)).text, /Email verification/);
    await settled(mails, 12);
    for (let sent = 0; sent < 12; sent += 1) t.is(await byAdmin(host, 'execute-actions-email'), 204);
    t.is(await byAdmin(host, 'send-verify-email'), 204);
    await settled(mails, 25);
  },
);

test.serial('T781 · limits of emails: attempts during an outage of the email server do not count', async (t) => {
  const { host, mails } = await realm('browser', { smtpServer: { host: '127.0.0.1', port: '1', from: 'a@b.test' } });
  const failed = async () =>
    (await host.stored(host.defaultRealm)).filter(({ type }) => type === 'SEND_RESET_PASSWORD_ERROR').length;
  for (let asked = 1; asked <= 11; asked += 1) {
    t.regex((await forget(host, STRANGER)).text, /You should receive/, `${asked}`);
    while ((await failed()) < asked) await new Promise((resolve) => setImmediate(resolve));
  }
  t.is(await byAdmin(host, 'execute-actions-email'), 500);
  t.is(mails(), 0);
});

test.serial(
  'T782 · limits of emails: a stranger’s logins lock nobody out of codes, and their pages say that none was sent',
  async (t) => {
    const { host, mails } = await realm('code');
    for (let asked = 0; asked < 30; asked += 1) await begin(host, STRANGER, 'alice');
    await settled(mails, 10);
    const limited = await begin(host, STRANGER, 'alice');
    t.regex(limited.text, /No further code was sent just now/);
    t.notRegex(limited.text, /you get a code|We have sent/);
    for (let asked = 0; asked < 10; asked += 1) await begin(host, STRANGER, 'nobody');
    t.is(textOf(await begin(host, STRANGER, 'nobody'), 'nobody'), textOf(limited, 'alice'));

    const other = await begin(host, '198.51.100.7', 'alice');
    t.regex(other.text, /you get a code/);
    await settled(mails, 11);
    // After the password, from the stranger's network.
    const browser = new BrowserAt(STRANGER);
    const page = await browser.submit(await browser.open(codeRequest(host, { client_id: 'one' }).url), PASSWORD);
    t.regex(page.text, /We have sent a code/);
    await settled(mails, 12);
  },
);

test.serial(
  'T783 · limits of emails: the total of all networks is limited, except in a network where the user is signed in',
  async (t) => {
    const { host, mails } = await realm('code');
    const home = '198.51.100.7';
    const compiled = await host.realms.get(host.defaultRealm);
    const user = compiled && (await host.users.byId(compiled, idIn(host.defaultRealm, ALICE)));
    if (user === undefined) throw new Error('alice is gone');
    await host.store.sessions.start({
      realm: host.defaultRealm,
      id: 'at-home',
      offline: false,
      userId: user.id,
      ipAddress: home,
      rememberMe: false,
      startedAt: clock.now(),
      lastRefresh: clock.now(),
      expiresAt: clock.now() + 3_600_000,
      authMethod: 'openid-connect',
      notes: {},
    });
    for (let network = 0; network < 7; network += 1)
      for (let asked = 0; asked < 10; asked += 1) await begin(host, `192.0.2.${network}`, 'alice');
    await settled(mails, 60);
    t.regex((await begin(host, '192.0.2.99', 'alice')).text, /If an account has this name/, 'the page says no more');
    t.is(mails(), 60);
    await begin(host, home, 'alice');
    await settled(mails, 61);
  },
);

test.serial(
  'T784 · limits of emails: a stranger’s link does not end the user’s link, and links have the same limits',
  async (t) => {
    const { host, mails } = await realm('link');
    const { server } = shared();
    const browser = new BrowserAt('198.51.100.7');
    await browser.submit(await browser.open(codeRequest(host).url), { username: 'alice' });
    await settled(mails, 1);
    const { link } = server.received.at(-1) ?? { link: '' };
    for (let asked = 0; asked < 12; asked += 1) await begin(host, STRANGER, 'alice');
    const limited = await begin(host, STRANGER, 'alice');
    t.regex(limited.text, /No further email was sent just now/);
    await settled(mails, 11);
    const key = new URL(link).searchParams.get('key') ?? '';
    const body = new URLSearchParams({ key });
    t.truthy(code(await browser.open(link.replace(/\?.*/, ''), { method: 'POST', body })));
  },
);

test.serial(
  'T785 · limits of emails: a user who may create organizations sends a limited number of invitations, over all organizations',
  async (t) => {
    const { as, host } = await started(t);
    const creator = as('creator');
    const orgs: string[] = [];
    for (const name of ['Acme', 'Beta']) {
      const { headers } = await creator('POST', '/orgs', { name });
      orgs.push((headers.get('location') ?? '').slice(host.realm('organizations').length));
    }
    const statuses = [];
    for (let n = 0; n < 104; n += 1) {
      const invitation = { email: `n${n}@example.com`, send: true };
      statuses.push(await creator('POST', `${orgs[n % 2]}/invitations`, invitation));
    }
    t.deepEqual(
      statuses.map(({ status }) => status).filter((status) => status !== 201),
      [429, 429, 429, 429],
    );
    t.regex(statuses.at(-1)?.text ?? '', /You have sent 100 invitations within a day\. Send more in \d+ minutes/);
    t.is(
      (await creator('POST', `${orgs[0]}/invitations`, { email: 'quiet@example.com' })).status,
      201,
      'without a mail',
    );
  },
);
