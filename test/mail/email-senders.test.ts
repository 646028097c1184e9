import test from 'ava';
import { Mailer } from '../../core/mail/mailer.js';
import { RealmSenders } from '../../core/mail/senders/realm-senders.js';
import { ANY_PRIVATE_NETWORK } from '../../core/model/private-networks.js';
import { Realm } from '../../core/model/realm.js';
import type { ProviderSetting, RealmRepresentation } from '../../core/model/representation.js';
import { adminCaller, administered, administrator, ownRealm } from '../helpers/admin.js';
import { eventually } from '../helpers/eventually.js';
import { startHost, TestClock, type TestHost } from '../helpers/host.js';
import { type MailServer, startMailServer } from '../helpers/mail-server.js';
import { type MailAnswer, type MailService, mailSender, startMailService } from '../helpers/mail-service.js';
import { idIn, testRealm } from '../helpers/realms.js';
import { ask, scriptedPlugin } from '../helpers/scripted-plugin.js';
import { shareHost } from '../helpers/shared-host.js';

const needs = { 'send-mail': 'writes to users', 'mail-any-address': 'invites people' };
const grants = { '*': Object.keys(needs) };
const PLUGINS = ['here', 'apart'];
const clock = new TestClock();
const shared = shareHost(
  test,
  administered({
    realms: [],
    clock,
    plugins: [
      ...PLUGINS.map((module) => ({ module, grants, isolation: module === 'apart' ? 'worker' : 'none' })),
      // Nothing but what never answers is asked of it.
      { module: 'late', limits: { callTimeout: 1 } },
    ],
    packages: Object.fromEntries(
      [...PLUGINS, 'late'].map((name) => [
        name,
        scriptedPlugin(name, name === 'late' ? undefined : needs, mailSender(`by-${name}`)).replace(
          '{ AdminPage,',
          '{ AdminPage, EmailSender,',
        ),
      ]),
    ),
  }),
  /mail not sent|email was not sent|testSMTPConnection|words of the service|provider_timeout|end of the worker|a plugin's worker|worker/,
);

const FROM = { from: 'id@example.test', fromDisplayName: 'The\r\nShop', replyTo: 'help@example.test' };

async function realmOf(name: string, service: MailService, changes: Partial<RealmRepresentation> = {}, by = name) {
  const { host } = await ownRealm(shared(), ({ users = [] }) => ({
    smtpServer: FROM,
    displayName: 'Shop',
    users: [...users, { ...administrator('boss', 'realm-admin'), email: 'boss@example.test' }],
    providers: {
      'realm-restapi-extension': { [name]: { enabled: true } },
      emailSender: { [`by-${by}`]: { enabled: true, config: { url: service.url } } },
    },
    ...changes,
  }));
  return host;
}

const boss = (host: TestHost) => adminCaller(host, { realm: host.defaultRealm, username: 'boss', password: 'boss' });
const WORDS = { subject: { key: 'A\r\nBcc: eve@example.org' }, before: [{ key: '<b>words</b>' }] };
const queue = async (host: TestHost, name: string, address: string) => {
  const mail = { to: { address }, ...WORDS, event: 'SEND_VERIFY_EMAIL' };
  const { value, error } = await ask(host, host.defaultRealm, name, 'mail', 'send', mail);
  if (error !== undefined) throw new Error(error.message);
  return (value as unknown as { id: string }).id;
};
const told = (host: TestHost, id: string) =>
  host.log.filter(({ fields }) => (fields as { mail?: string }).mail === id).map(({ message }) => message);

for (const name of PLUGINS) {
  test(`email senders: a sender gets the host’s own mails and those of plugins whole, and no mail server does (${name})`, async (t) => {
    const service = await startMailService(t);
    const server = await startMailServer(t);
    const host = await realmOf(name, service, { smtpServer: { ...server.settings, ...FROM } });
    const call = await boss(host);
    const alice = `/realms/${host.defaultRealm}/users/${idIn(host.defaultRealm)}`;
    t.is((await call('PUT', `${alice}/execute-actions-email`, ['UPDATE_PASSWORD'])).status, 204);
    const own = await service.mail(0);
    t.like(own, {
      to: { address: 'alice@example.test' },
      from: { name: 'The Shop', address: 'id@example.test' },
      replyTo: { name: '', address: 'help@example.test' },
      kind: 'execute-actions',
      attempt: 1,
    });
    t.regex(own.text, /login-actions\/action-token\?key=/);
    t.regex(own.html, /<a class="button" href="http/);
    t.regex(own.messageId, /^<[^@\s<>]+@127\.0\.0\.1>$/);
    await queue(host, name, 'joe@example.org');
    const theirs = await service.mail(1);
    t.like(theirs, { to: { name: '', address: 'joe@example.org' }, subject: 'A Bcc: eve@example.org', kind: name });
    t.regex(theirs.html, /&lt;b&gt;words/);
    t.is(server.received.length, 0);
  });

  test(`email senders: a test email uses the sender, and reports why it fails (${name})`, async (t) => {
    const service = await startMailService(t);
    const host = await realmOf(name, service);
    const path = `/realms/${host.defaultRealm}/testSMTPConnection`;
    const call = await boss(host);
    t.is((await call('POST', path, { from: 'new@example.test' })).status, 204);
    t.like(await service.mail(0), {
      to: { address: 'boss@example.test' },
      from: { address: 'new@example.test' },
      kind: 'test',
    });
    const cases: [MailAnswer, string][] = [
      [{ outcome: 'refused', reason: 'over\r\nquota' }, `emailSender/by-${name} refused: over quota`],
      [{ outcome: 'refused', reason: 'unknown', final: true }, `emailSender/by-${name} refused: unknown`],
      [{ fail: 'throw' }, `emailSender/by-${name} failed`],
      [{ outcome: 'sent', to: 'eve' }, `emailSender/by-${name} failed`],
      ...(name === 'apart' ? [[{ fail: 'die' }, `emailSender/by-${name} failed`] as [MailAnswer, string]] : []),
    ];
    for (const [answer, why] of cases) {
      service.answer = () => answer;
      const refused = await call('POST', path, FROM);
      t.deepEqual(
        [refused.status, refused.json],
        [500, { errorMessage: 'Failed to send email', error_description: why }],
        JSON.stringify(answer),
      );
    }
  });
}

for (const name of PLUGINS) {
  test.serial(
    `email senders: a mail that its sender does not take waits and is tried again, and a final refusal ends it (${name})`,
    async (t) => {
      const service = await startMailService(t);
      const host = await realmOf(name, service);
      const failures: MailAnswer[] = [
        { outcome: 'refused', reason: 'later' },
        { fail: 'throw' },
        { nonsense: true },
        ...(name === 'apart' ? [{ fail: 'die' } as const] : []),
      ];
      for (const failure of failures) {
        service.answer = () => failure;
        const before = service.mails.length;
        const id = await queue(host, name, 'joe@example.org');
        await eventually(() => told(host, id).includes('mail not sent yet'));
        service.answer = () => ({ outcome: 'sent' });
        const sent = await eventually(() => {
          clock.forward(6);
          return told(host, id).includes('mail sent') && service.mails.slice(before);
        });
        const ids = new Set(sent.map(({ messageId }) => messageId));
        t.deepEqual([...ids].length, 1, 'the service can tell the second one');
        t.true(([...ids][0] ?? '').startsWith(`<${id}@`));
        t.true((sent.at(-1)?.attempt ?? 0) >= 2, JSON.stringify(failure));
      }
      service.answer = () => ({ outcome: 'refused', reason: 'no such box', final: true });
      const before = service.mails.length;
      const id = await queue(host, name, 'never@example.org');
      await eventually(() => told(host, id).includes('mail not sent'));
      t.is(service.mails.length, before + 1);
      const line = host.log.find(
        ({ message, fields }) => message === 'mail not sent' && (fields as { mail?: string }).mail === id,
      );
      t.is((line?.fields as { reason?: string } | undefined)?.reason, `emailSender/by-${name} refused: no such box`);
      await eventually(async () =>
        (await host.stored(host.defaultRealm)).some(({ type }) => type === 'SEND_VERIFY_EMAIL_ERROR'),
      );
    },
  );
}

test.serial('email senders: a sender that never answers is given up, and the mail waits', async (t) => {
  const service = await startMailService(t);
  service.answer = () => ({ fail: 'hang' });
  const host = await realmOf('here', service, {}, 'late');
  const tried = await (await boss(host))('POST', `/realms/${host.defaultRealm}/testSMTPConnection`, FROM);
  t.like(tried.json, { error_description: 'emailSender/by-late failed' });
  const id = await queue(host, 'here', 'joe@example.org');
  await eventually(() => told(host, id).includes('mail not sent yet'));
  const first = service.mails.length;
  await eventually(() => {
    clock.forward(6);
    return service.mails.length > first;
  });
});

test('email senders: a sender that cannot be used is a mistake at its place, and never another sender', async (t) => {
  const service = await startMailService(t);
  const server = await startMailServer(t);
  const host = await realmOf('here', service, { smtpServer: server.settings });
  const call = await adminCaller(host);
  const on = { enabled: true, config: { url: service.url } };
  const create = (emailSender: object) => call('POST', '/realms', { realm: 'other', providers: { emailSender } });
  for (const [senders, problem] of [
    [
      { 'by-here': on, 'by-apart': on },
      /providers\.emailSender\.by-apart\.enabled: must be false, since emailSender "by-here" is on/,
    ],
    [{ 'by-her': on }, /providers\.emailSender\.by-her: emailSender "by-her" not found \(did you mean "by-here"\?\)/],
    [{ 'by-here': { enabled: true } }, /providers\.emailSender\.by-here.*url/],
    [
      { 'by-here': { enabled: true, config: { url: service.url, key: 'x' } } },
      /providers\.emailSender\.by-here\.config\.key/,
    ],
  ] as const) {
    const refused = await create(senders);
    t.is(refused.status, 400, refused.text);
    t.regex((refused.json as unknown as { errorMessage: string }).errorMessage, problem);
  }
  // The same in an edit of one provider.
  const second = await call('PUT', `/realms/${host.defaultRealm}/providers/emailSender/by-apart`, on);
  t.is(second.status, 400);
  t.regex(second.text, /must be false, since emailSender \\"by-here\\" is on/);
  // As after its plugin was removed, or in a realm that was stored by a host with the plugin.
  const senders = new RealmSenders(new Mailer({ mailDir: undefined, privateNetworks: ANY_PRIVATE_NETWORK }));
  const mail = { to: { name: '', address: 'joe@example.org' }, subject: 's', text: 't', html: 'h' };
  for (const [settings, why] of [
    [{ gone: { enabled: true } }, /no plugin has emailSender\/gone, which realm x has enabled/],
    [{ default: { enabled: false } }, /has no email sender enabled/],
    [{ 'by-here': on, 'by-apart': on }, /several of emailSender enabled: by-here, by-apart/],
    [{ 'by-here': { enabled: true } }, /emailSender\/by-here is not configured correctly/],
  ] as const) {
    const representation = {
      realm: 'x',
      enabled: true,
      smtpServer: server.settings,
      providers: { emailSender: settings as Record<string, ProviderSetting> },
    };
    const realm = new Realm({ id: 'x', name: 'x', version: 1, representation }, host.url);
    const session = host.sessions.create(realm, { ip: '', secure: true, providers: host.registry.current }, 'keyhost');
    const error = await t.throwsAsync<Error & { code: string; cause: Error }>(
      senders.send(session, mail, { kind: 'test' }),
    );
    t.regex(error?.cause.message ?? '', why);
    t.regex(senders.problem(session) ?? '', why);
    await session.close();
  }
  t.deepEqual([service.mails.length, server.received.length], [0, 0]);
});

test('email senders: two senders in a realm file are reported at the line of the second one', async (t) => {
  const on = { enabled: true, config: { url: 'http://127.0.0.1' } };
  const providers = { emailSender: { 'by-here': on, 'by-apart': on } };
  const packages = Object.fromEntries(
    PLUGINS.map((name) => [
      name,
      scriptedPlugin(name, undefined, mailSender(`by-${name}`)).replace('{ AdminPage,', '{ AdminPage, EmailSender,'),
    ]),
  );
  const realm = testRealm('demo', { providers });
  const lines = JSON.stringify(realm, null, 2).split('\n');
  const second = lines.findIndex((line) => line.includes('"by-apart"')) + 1;
  const refused = await t.throwsAsync<Error & { problems: { line: number; path: string }[] }>(
    startHost(t, { realms: [realm], plugins: PLUGINS.map((module) => ({ module })), packages }),
  );
  t.deepEqual(
    refused?.problems.map(({ line, path }) => [line, path]),
    [[second + 1, 'providers.emailSender.by-apart.enabled']],
  );
});

test('email senders: the built-in sender goes through the same door, and serverinfo lists the senders', async (t) => {
  const host = shared();
  const { json } = await (await adminCaller(host))('GET', '/serverinfo');
  const { emailSender } = (json as unknown as { providers: Record<string, { providers: object }> }).providers;
  t.deepEqual(Object.keys(emailSender?.providers ?? {}).sort(), ['by-apart', 'by-here', 'by-late', 'default']);
  const server: MailServer = await startMailServer(t);
  const service = await startMailService(t);
  const own = await realmOf('here', service, {
    smtpServer: server.settings,
    providers: { 'realm-restapi-extension': { here: { enabled: true } } },
  });
  const id = await queue(own, 'here', 'joe@example.org');
  const { headers } = await server.mail(0);
  t.is(headers['message-id'], `<${id}@127.0.0.1>`);
});
