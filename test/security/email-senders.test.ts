import test from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { adminCaller, administered, administrator, ownRealm } from '../helpers/admin.js';
import { startMailServer } from '../helpers/mail-server.js';
import { mailSender, startMailService } from '../helpers/mail-service.js';
import { idIn } from '../helpers/realms.js';
import { scriptedPlugin } from '../helpers/scripted-plugin.js';
import { shareHost } from '../helpers/shared-host.js';

const NAMES = ['one', 'two'];
const shared = shareHost(
  test,
  administered({
    realms: [],
    plugins: NAMES.map((module) => ({ module, isolation: module === 'two' ? 'worker' : 'none' })),
    packages: Object.fromEntries(
      NAMES.map((name) => [
        name,
        scriptedPlugin(name, undefined, mailSender(`by-${name}`)).replace('{ AdminPage,', '{ AdminPage, EmailSender,'),
      ]),
    ),
  }),
  /email was not sent|words of the service|email_send_failed|admin_refused/,
);
const MASK = '**********';

async function realmOf(t: Parameters<typeof startMailServer>[0], changes: Partial<RealmRepresentation> = {}) {
  const server = await startMailServer(t);
  const service = await startMailService(t);
  const on = { enabled: true, config: { url: service.url } };
  const { host } = await ownRealm(shared(), ({ users = [] }) => ({
    smtpServer: server.settings,
    providers: { emailSender: { 'by-one': on } },
    users: [...users, { ...administrator('boss', 'realm-admin'), email: 'boss@example.test' }],
    ...changes,
  }));
  const call = await adminCaller(host, { realm: host.defaultRealm, username: 'boss', password: 'boss' });
  const mailAlice = () =>
    call('PUT', `/realms/${host.defaultRealm}/users/${idIn(host.defaultRealm)}/execute-actions-email`, [
      'UPDATE_PASSWORD',
    ]);
  return { host, server, service, on, call, mailAlice };
}

test('T756 · email senders: a link that its sender does not send goes to no mail server instead', async (t) => {
  for (const answer of [{ fail: 'throw' } as const, { outcome: 'refused', reason: 'no' }, { nonsense: true }]) {
    const { server, service, mailAlice } = await realmOf(t);
    service.answer = () => answer;
    t.is((await mailAlice()).status, 500, JSON.stringify(answer));
    t.deepEqual([service.mails.length, server.received.length], [1, 0]);
  }
});

test('T757 · email senders: an admin of a realm adds no second sender that reads the mails too', async (t) => {
  const { host, call, on, service, mailAlice } = await realmOf(t);
  const provider = `/realms/${host.defaultRealm}/providers/emailSender/by-two`;
  t.is((await call('PUT', provider, on)).status, 400);
  t.is((await mailAlice()).status, 204);
  t.is(service.mails.length, 1);
});

test('T758 · email senders: realm admins do not see errors of a sender', async (t) => {
  const { host, service, call, mailAlice } = await realmOf(t);
  service.answer = () => ({ fail: 'throw' });
  const path = `/realms/${host.defaultRealm}/testSMTPConnection`;
  const told = [await mailAlice(), await call('POST', path, {})];
  for (const { status, text } of told) {
    t.is(status, 500);
    t.notRegex(text, /words of the service|index\.js|at /);
  }
});

test('T759 · email senders: names and subjects reach a sender without line ends, and only good addresses do', async (t) => {
  const evil = 'x\r\nBcc: eve@evil.test\u2028y';
  const { service, host, call, mailAlice } = await realmOf(t, {
    smtpServer: {
      from: 'id@example.test',
      fromDisplayName: evil,
      replyTo: 'help@example.test',
      replyToDisplayName: evil,
    },
    localizationTexts: { en: { executeActionsSubject: evil } },
  });
  t.is((await mailAlice()).status, 204);
  const [mail] = service.mails;
  const line = 'x Bcc: eve@evil.test y';
  t.deepEqual([mail?.from?.name, mail?.replyTo?.name, mail?.subject], [line, line, line]);
  const path = `/realms/${host.defaultRealm}/testSMTPConnection`;
  for (const from of ['a@b.test\r\nBcc: eve@evil.test', 'a@b.test,eve@evil.test', 'A <a@b.test>']) {
    t.is((await call('POST', path, { from })).status, 500, from);
  }
  t.is(service.mails.length, 1);
});

test('T760 · email senders: the masked password of a mail server is handed to no sender', async (t) => {
  const { host, service, call } = await realmOf(t, {
    smtpServer: {
      host: 'mail.example.test',
      auth: 'true',
      user: 'u',
      password: 'kept-password',
      from: 'id@example.test',
    },
  });
  const smtp = { host: 'mail.example.test', auth: 'true', user: 'u', password: MASK, from: 'id@example.test' };
  t.is((await call('POST', `/realms/${host.defaultRealm}/testSMTPConnection`, smtp)).status, 204);
  t.is(service.mails.length, 1);
  t.notRegex(JSON.stringify(service.mails), /kept-password/);
});

test('T761 · email senders: an address of several users signs in none of them', async (t) => {
  const { host } = await realmOf(t, { duplicateEmailsAllowed: true, loginWithEmailAllowed: true });
  const root = await adminCaller(host);
  const email = 'alice@example.test';
  const user = { username: 'eve', enabled: true, email, credentials: [{ type: 'password', value: 'Eve-pass-1!' }] };
  t.is((await root('POST', `/realms/${host.defaultRealm}/users`, user)).status, 201);
  for (const password of ['Eve-pass-1!', 'Alice-pass-1!']) {
    const form = { grant_type: 'password', client_id: 'web', client_secret: 's3cret:+/%&é', username: email, password };
    t.like((await host.token(host.defaultRealm, form)).json, { error: 'invalid_grant' });
  }
});
