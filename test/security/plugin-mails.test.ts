import test from 'ava';
import { administered, ownRealm } from '../helpers/admin.js';
import { eventually } from '../helpers/eventually.js';
import { TestClock, type TestHost } from '../helpers/host.js';
import { type MailServer, startMailServer } from '../helpers/mail-server.js';
import { figures } from '../helpers/metrics.js';
import { idIn } from '../helpers/realms.js';
import { ask, scriptedPlugin } from '../helpers/scripted-plugin.js';
import { shareHost } from '../helpers/shared-host.js';

const RIGHTS: Readonly<Record<string, readonly string[]>> = {
  none: [],
  apart: ['view-users'],
  users: ['send-mail'],
  anybody: ['mail-any-address'],
  both: ['send-mail', 'mail-any-address'],
};
const NAMES = Object.keys(RIGHTS);
const reasons = (rights: readonly string[]) => Object.fromEntries(rights.map((right) => [right, 'tries it']));
const clock = new TestClock();
const shared = shareHost(
  test,
  administered({
    realms: [],
    clock,
    packages: Object.fromEntries(NAMES.map((name) => [name, scriptedPlugin(name, reasons(RIGHTS[name] ?? []))])),
    plugins: NAMES.map((module) => ({
      module,
      grants: { '*': RIGHTS[module] },
      isolation: module === 'apart' ? 'worker' : 'none',
    })),
  }),
  /mail not sent/,
);

async function realmOf(server: MailServer): Promise<TestHost> {
  const on = Object.fromEntries(NAMES.map((name) => [name, { enabled: true }]));
  const { host } = await ownRealm(shared(), {
    providers: { 'realm-restapi-extension': on },
    smtpServer: server.settings,
  });
  return host;
}

const WORDS = { subject: { key: 'Hello' }, before: [{ key: 'Your code is 918273' }] };
const send = (host: TestHost, name: string, mail: object) => ask(host, host.defaultRealm, name, 'mail', 'send', mail);
const code = async (host: TestHost, name: string, mail: object) => (await send(host, name, mail)).error?.code ?? 'sent';
const rows = async (...hosts: readonly TestHost[]) => {
  const [host] = hosts as [TestHost];
  const range = { realm: 'master', namespace: '/mails', prefix: '', first: 0, max: 100, now: clock.now() };
  const all = await host.store.entries.list(range);
  return all.filter(({ value }) => hosts.some(({ defaultRealm }) => value.includes(`"${defaultRealm}"`)));
};

test('T650 · emails of plugins: mail is sent with its grant alone: to users with one, to other addresses with another', async (t) => {
  const server = await startMailServer(t);
  const host = await realmOf(server);
  const userId = idIn(host.defaultRealm);
  const email = (await host.users.byId(await host.loadedRealm(host.defaultRealm), userId))?.view.email;
  const user = { to: { userId }, ...WORDS };
  const address = { to: { address: email }, ...WORDS };
  const refused = 'plugin_not_granted';
  for (const [name, toUser, toAddress] of [
    ['none', refused, refused],
    ['apart', refused, refused],
    ['users', 'sent', refused],
    ['anybody', refused, 'sent'],
    ['both', 'sent', 'sent'],
  ] as const) {
    t.deepEqual([await code(host, name, user), await code(host, name, address)], [toUser, toAddress], name);
    for (const to of [{ userId, address: 'eve@evil.test' }, { userId, name: 'Eve' }, { name: 'Eve' }]) {
      t.is(await code(host, name, { to, ...WORDS }), 'invalid_argument');
    }
  }
  await eventually(() => server.received.length === 4);
  t.deepEqual([...new Set(server.received.flatMap(({ envelope }) => envelope.to))], [email]);
  const counted = await figures(host, 'keyhost_plugin_ungranted_total');
  t.is(counted['plugin=users,right=mail-any-address'], 1);
});

test('T651 · emails of plugins: no text of a mail becomes a header, a recipient or markup', async (t) => {
  const server = await startMailServer(t);
  const host = await realmOf(server);
  const evil = 'x\r\nBcc: eve@evil.test\n\r\n<script>alert(1)</script>\u2028';
  const subject = { key: 'evil', params: [evil], texts: { en: `{0}${evil}` } };
  const values = { evil: subject };
  for (const body of [
    { before: [subject], after: [subject], link: { label: subject, url: 'https://a.test/"><script>x</script>' } },
    { template: { text: '{{evil}}{{subject}}{{realm}}', html: '<a title="{{evil}}">{{subject}}</a>', values } },
  ]) {
    const to = { address: 'zoe@example.test', name: evil };
    t.is(await code(host, 'both', { to, subject, ...body }), 'sent');
  }
  for (const index of [0, 1]) {
    const { envelope, headers, html } = await server.mail(index);
    t.deepEqual(envelope.to, ['zoe@example.test']);
    t.deepEqual([headers.bcc, headers.to?.includes('zoe@example.test')], [undefined, true]);
    t.false(html.includes('<script>'));
  }
  for (const address of [
    'zoe@a.test\r\nRCPT TO:<eve@evil.test>',
    'zoe@a.test\nBcc: eve@evil.test',
    'a@b.test, c@d.test',
  ]) {
    t.is(await code(host, 'both', { to: { address }, ...WORDS }), 'invalid_argument');
  }
  t.is(server.received.length, 2);
});

test.serial(
  'T652 · emails of plugins: a mail that waits cannot be read in the store, nor be given to another realm or plugin',
  async (t) => {
    let isAway = true;
    const away = Object.assign(new Error('away'), { responseCode: 421 });
    const server = await startMailServer(t, { onConnect: (_session, finish) => finish(isAway ? away : undefined) });
    const host = await realmOf(server);
    const other = await realmOf(server);
    const first = (await send(host, 'both', { to: { address: 'zoe@example.test' }, ...WORDS })).value as unknown as {
      id: string;
    };
    const second = (await send(other, 'both', { to: { address: 'ann@example.test' }, ...WORDS })).value as unknown as {
      id: string;
    };
    const kept = await rows(host, other);
    t.is(kept.length, 2);
    t.notRegex(JSON.stringify(kept), /918273|zoe@|ann@|Hello/);
    // An attacker with access to the database swaps them.
    const of = ({ id }: { id: string }) => kept.find(({ key }) => key.endsWith(id)) ?? { key: '', value: '' };
    const put = (key: string, value: string) =>
      host.store.entries.put({ realm: 'master', namespace: '/mails', key, value });
    await put(of(first).key, of(second).value);
    await put(of(second).key, of(second).value);
    const told = () => host.log.filter(({ message }) => message === 'mail not sent yet').length;
    await eventually(() => told() >= 2);
    isAway = false;
    clock.forward(6);
    await eventually(async () => (await rows(host, other)).length === 0);
    t.deepEqual(
      server.received.map(({ envelope }) => envelope.to[0]),
      ['ann@example.test'],
    );
  },
);

test.serial(
  'T653 · emails of plugins: a plugin’s emails to an address are limited, in all its spellings',
  async (t) => {
    const server = await startMailServer(t);
    const host = await realmOf(server);
    const codes: string[] = [];
    for (let n = 0; n < 32; n += 1) {
      codes.push(
        await code(host, 'both', { to: { address: n % 2 === 0 ? 'zoe@example.test' : 'Zoe@Example.test' }, ...WORDS }),
      );
    }
    t.deepEqual([codes.indexOf('mail_too_many'), codes.filter((one) => one !== 'sent').length], [30, 2]);
    t.is(await code(host, 'both', { to: { address: 'ann@example.test' }, ...WORDS }), 'sent');
    clock.forward(3601);
    t.is(await code(host, 'both', { to: { address: 'zoe@example.test' }, ...WORDS }), 'sent');
  },
);
