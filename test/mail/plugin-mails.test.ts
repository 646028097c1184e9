import test, { type ExecutionContext } from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { administered, ownRealm } from '../helpers/admin.js';
import { eventually } from '../helpers/eventually.js';
import { TestClock, type TestHost } from '../helpers/host.js';
import { type MailServer, startMailServer } from '../helpers/mail-server.js';
import { figures } from '../helpers/metrics.js';
import { idIn } from '../helpers/realms.js';
import { ask, scriptedPlugin } from '../helpers/scripted-plugin.js';
import { shareHost } from '../helpers/shared-host.js';

const needs = { 'send-mail': 'writes to users', 'mail-any-address': 'invites people' };
const grants = { '*': Object.keys(needs) };
/** Sends this number of mails at once. */
const many = (name: string) => `provide(RealmResourceProvider, {
  id: '${name}-many',
  routes: { many: { method: 'POST', path: '/{count}', authentication: 'none' } },
  open: () => ({ create: ({ mail }) => ({
    async many({ params }) {
      const one = (n) => mail.send({ to: { address: 'n' + n + '@example.org' }, subject: { key: 'Many' }, before: [{ key: 'x' }] });
      await Promise.all(Array.from({ length: Number(params.count) }, (_, n) => one(n)));
      return {};
    },
  }) }),
})`;
const clock = new TestClock();
const PLUGINS = ['here', 'apart'];
const shared = shareHost(
  test,
  administered({
    realms: [],
    clock,
    plugins: PLUGINS.map((module) => ({ module, grants, isolation: module === 'apart' ? 'worker' : 'none' })),
    packages: Object.fromEntries(PLUGINS.map((name) => [name, scriptedPlugin(name, needs, many(name))])),
  }),
  /mail not sent/,
);

async function realmOf(server: MailServer, changes: Partial<RealmRepresentation> = {}): Promise<TestHost> {
  const on = PLUGINS.flatMap((name) => [name, `${name}-many`]).map((name) => [name, { enabled: true }]);
  const { host } = await ownRealm(shared(), ({ users = [] }) => ({
    providers: { 'realm-restapi-extension': Object.fromEntries(on) },
    smtpServer: server.settings,
    displayName: 'The <Shop>',
    users: [...users, { username: 'nobox', enabled: true }],
    ...changes,
  }));
  return host;
}

const done = async (t: ExecutionContext, host: TestHost, name: string, mail: object) => {
  const { value, error } = await ask(host, host.defaultRealm, name, 'mail', 'send', mail);
  t.is(error, undefined, JSON.stringify(error));
  return (value as unknown as { id: string }).id;
};
const CODE = {
  subject: { key: 'codeSubject', params: ['x\r\nBcc: eve@example.org'], texts: { en: 'Code {0}', de: 'Der Code {0}' } },
  before: [{ key: 'codeText', params: ['<b>123456</b>'], texts: { en: 'Your code: {0}', de: 'Ihr Code: {0}' } }],
};
const told = (host: TestHost, id: string) =>
  host.log.filter(({ fields }) => (fields as { mail?: string }).mail === id).map(({ message }) => message);

for (const name of PLUGINS) {
  test(`emails of plugins: a user gets a mail in their language, with the realm’s texts, and its words are text (${name})`, async (t) => {
    const server = await startMailServer(t);
    const host = await realmOf(server, {
      internationalizationEnabled: true,
      supportedLocales: ['en', 'de'],
      defaultLocale: 'en',
      localizationTexts: { de: { shopGreeting: 'Guten Tag {0}' } },
    });
    const alice = idIn(host.defaultRealm);
    const user = await host.users.byId(await host.loadedRealm(host.defaultRealm), alice);
    const to = { userId: alice };
    const link = { label: { key: 'Open' }, url: 'https://shop.example.org/?a=1&b=2' };
    await done(t, host, name, { to, ...CODE, link, after: [{ key: 'shopGreeting', params: ['<i>'] }] });
    const first = await server.mail(0);
    t.deepEqual(first.envelope.to, [user?.view.email]);
    t.is(first.headers.subject, 'Code x Bcc: eve@example.org');
    t.is(first.headers.bcc, undefined);
    t.regex(first.html, /Your code: &lt;b&gt;123456&lt;\/b&gt;/);
    t.is(first.link, link.url);

    const template = {
      text: '{{realm}}: {{code}}',
      html: '<p title="{{code}}">{{realm}}</p><h1>{{subject}}</h1>',
      values: { code: { key: 'shopGreeting', params: ['"<script>'] } },
    };
    await done(t, host, name, {
      to: { address: 'joe@example.org', name: 'J\r\nBcc: a@b.c', locale: 'de' },
      subject: CODE.subject,
      template,
    });
    const second = await server.mail(1);
    t.deepEqual(second.envelope.to, ['joe@example.org']);
    t.is(second.headers.bcc, undefined);
    t.regex(second.headers.subject ?? '', /^Der Code/);
    t.regex(second.html, /title="Guten Tag &quot;&lt;script&gt;">The &lt;Shop&gt;<\/p><h1>Der Code/);
    t.is(second.text.trim(), 'The <Shop>: Guten Tag "<script>');
  });

  test(`emails of plugins: of mails with one key within a day one is sent, with its event (${name})`, async (t) => {
    const server = await startMailServer(t);
    const host = await realmOf(server);
    const to = { address: 'once@example.org' };
    const keyed = { to, ...CODE, key: 'reminder once@example.org', event: 'SEND_VERIFY_EMAIL' };
    type Queued = { id: string; repeated?: true };
    const send = async (mail: object) => {
      const { value, error } = await ask(host, host.defaultRealm, name, 'mail', 'send', mail);
      t.is(error, undefined, JSON.stringify(error));
      return value as unknown as Queued;
    };
    const all = await Promise.all(Array.from({ length: 8 }, () => send(keyed)));
    const [first, ...others] = all.sort((one, other) => Number(one.repeated ?? 0) - Number(other.repeated ?? 0));
    t.deepEqual(Object.keys(first as Queued), ['id']);
    t.deepEqual(others, Array(7).fill({ id: first?.id, repeated: true }));
    t.is((await send({ ...keyed, key: 'another' })).repeated, undefined);
    // The same key in another realm, or of another plugin, is a different one.
    const other = await realmOf(server);
    await done(t, other, name, keyed);
    await done(t, host, PLUGINS.find((one) => one !== name) as string, keyed);
    await eventually(() => server.received.length >= 4);
    const events = (await host.stored(host.defaultRealm)).filter(({ type }) => type === 'SEND_VERIFY_EMAIL');
    t.deepEqual([server.received.length, events.length], [4, 3]);
    const { error } = await ask(host, host.defaultRealm, name, 'mail', 'send', { ...keyed, key: '' });
    t.is(error?.code, 'invalid_argument');
  });

  test(`emails of plugins: an email that cannot be sent is refused by name (${name})`, async (t) => {
    const server = await startMailServer(t);
    const host = await realmOf(server);
    const realm = await host.loadedRealm(host.defaultRealm);
    const nobox = (await host.users.byUsername(realm, 'nobox'))?.id;
    const to = { userId: idIn(host.defaultRealm) };
    for (const [mail, code] of [
      [{ to: { userId: nobox }, ...CODE }, 'mail_no_address'],
      [{ to: { userId: 'nobody' }, ...CODE }, 'mail_no_address'],
      ...[
        undefined,
        {},
        { to, subject: CODE.subject },
        { to, ...CODE, template: { text: '', html: '' } },
        { to: {}, ...CODE },
        { to: { ...to, address: 'a@b.org' }, ...CODE },
        { to, ...CODE, bcc: 'a@b.org' },
        { to, ...CODE, expiresIn: 0 },
        { to, ...CODE, expiresIn: 700_000 },
        { to, ...CODE, event: 'LOGIN' },
        ...['a@b.org\r\nBcc: c@d.org', 'a@b.org,c@d.org', 'A <a@b.org>', ''].map((address) => ({
          to: { address },
          ...CODE,
        })),
        { to, ...CODE, link: { label: { key: 'x' }, url: 'javascript:alert(1)' } },
        { to, subject: CODE.subject, template: { text: '{{none}}', html: '' } },
        { to, ...CODE, before: [{ $source: '({ key: "x", params: [() => {}] })' }] },
      ].map((mail) => [mail, 'invalid_argument'] as const),
    ] as const) {
      const { error } = await ask(host, host.defaultRealm, name, 'mail', 'send', mail);
      t.is(error?.code, code, JSON.stringify(mail));
    }
    const without = await realmOf(server, { smtpServer: { host: '127.0.0.1' } });
    const { error } = await ask(without, without.defaultRealm, name, 'mail', 'send', {
      to: { userId: idIn(without.defaultRealm) },
      ...CODE,
    });
    t.like(error, { code: 'mail_server_missing', status: 500 });
    t.regex(error?.message ?? '', /smtpServer\.from is required/);
    t.is(server.received.length, 0);
  });
}

test.serial(
  'emails of plugins: a temporary failure is retried, a permanent one is not; its event reports it',
  async (t) => {
    const answers: Record<string, number> = { 'later@example.org': 451, 'never@example.org': 550 };
    const server = await startMailServer(t, {
      onRcptTo({ address }, _session, finish) {
        const responseCode = answers[address];
        finish(responseCode === undefined ? undefined : Object.assign(new Error('no'), { responseCode }));
      },
    });
    const host = await realmOf(server);
    const send = (address: string, more: object = {}) => done(t, host, 'here', { to: { address }, ...CODE, ...more });
    const later = await send('later@example.org', { event: 'SEND_VERIFY_EMAIL' });
    await eventually(() => told(host, later).includes('mail not sent yet'));
    const never = await send('never@example.org', { event: 'SEND_VERIFY_EMAIL' });
    await eventually(() => told(host, never).includes('mail not sent'));
    const others = await send('others@example.org');
    t.deepEqual((await server.mail(0)).envelope.to, ['others@example.org'], 'nobody waits for it');
    t.false(told(host, others).includes('mail not sent yet'));
    delete answers['later@example.org'];
    clock.forward(6);
    t.deepEqual((await server.mail(1)).envelope.to, ['later@example.org']);
    await eventually(async () =>
      (await host.stored(host.defaultRealm)).some(({ type }) => type === 'SEND_VERIFY_EMAIL_ERROR'),
    );
    const events = (await host.stored(host.defaultRealm)).filter(({ type }) => type.startsWith('SEND_'));
    const of = (address: string) =>
      events
        .filter(({ details }) => details.email === address)
        .map(({ type }) => type)
        .sort();
    t.deepEqual(of('later@example.org'), ['SEND_VERIFY_EMAIL']);
    t.deepEqual(of('never@example.org'), ['SEND_VERIFY_EMAIL', 'SEND_VERIFY_EMAIL_ERROR']);
    t.deepEqual(of('others@example.org'), []);
    const counted = await figures(host, 'keyhost_plugin_mails_total');
    t.true(
      (counted['plugin=here,end=sent'] ?? 0) >= 2 && (counted['plugin=here,end=refused'] ?? 0) >= 1,
      JSON.stringify(counted),
    );
  },
);

test.serial(
  'emails of plugins: while its server is away a mail waits, until it expires; the pauses grow',
  async (t) => {
    let isAway = true;
    const server = await startMailServer(t, {
      onConnect(_session, finish) {
        finish(isAway ? Object.assign(new Error('away'), { responseCode: 421 }) : undefined);
      },
    });
    const host = await realmOf(server);
    const send = (expiresIn: number) =>
      done(t, host, 'here', { to: { address: 'zoe@example.org' }, ...CODE, expiresIn });
    const short = await send(10);
    await eventually(() => told(host, short).includes('mail not sent yet'));
    t.true(((await figures(host, 'keyhost_plugin_mails_waiting'))['plugin=here'] ?? 0) >= 1);
    clock.forward(5);
    // Its next pause counts from when that has failed, which the clock must not pass before.
    await eventually(() => told(host, short).filter((message) => message === 'mail not sent yet').length === 2);
    clock.forward(10);
    await eventually(() => told(host, short).includes('mail not sent'));
    const long = await send(60);
    await eventually(() => told(host, long).includes('mail not sent yet'));
    isAway = false;
    clock.forward(5);
    t.deepEqual((await server.mail(0)).envelope.to, ['zoe@example.org']);
    t.is(server.received.length, 1);
  },
);

test.serial('emails of plugins: a key may be used again after a day', async (t) => {
  const server = await startMailServer(t);
  const host = await realmOf(server);
  const keyed = { to: { address: 'daily@example.org' }, ...CODE, key: 'daily' };
  const send = async () =>
    (await ask(host, host.defaultRealm, 'here', 'mail', 'send', keyed)).value as unknown as object;
  await send();
  clock.forward(86_399);
  t.like(await send(), { repeated: true });
  clock.forward(2);
  t.false('repeated' in (await send()));
});

test('emails of plugins: a thousand mails of one realm wait, and that of another goes between them', async (t) => {
  const server = await startMailServer(t);
  const busy = await realmOf(server);
  const quiet = await realmOf(server);
  const { status } = await fetch(`${busy.realm(busy.defaultRealm)}/here-many/1000`, { method: 'POST' });
  t.is(status, 204);
  const before = server.received.length;
  t.true(before < 900, String(before));
  await done(t, quiet, 'here', { to: { address: 'quiet@example.org' }, ...CODE });
  await eventually(() => server.received.some(({ envelope }) => envelope.to[0] === 'quiet@example.org'));
  const place = server.received.findIndex(({ envelope }) => envelope.to[0] === 'quiet@example.org');
  // It does not wait in a queue: other mails were sent at the same time.
  t.true(place - before < 60, `${place - before} before it`);
});
