import test, { type ExecutionContext } from 'ava';
import type { NewEvent } from '../../core/registry/events/complete-events.js';
import { adminCaller, administered, ownRealm } from '../helpers/admin.js';
import { eventually } from '../helpers/eventually.js';
import { TestClock, type TestHost } from '../helpers/host.js';
import { type MailServer, startMailServer } from '../helpers/mail-server.js';
import { shareHost } from '../helpers/shared-host.js';

const clock = new TestClock(Date.UTC(2026, 10, 27, 12, 16));
const shared = shareHost(test, administered({ realms: [], clock }));

interface ServerInfo {
  readonly providers: Readonly<Record<string, { readonly providers: Readonly<Record<string, object>> }>>;
}

const user = (username: string, more: object) => ({
  username,
  enabled: true,
  credentials: [{ type: 'password', value: 'pw' }],
  ...more,
});
const verified = (name: string, more: object = {}) => ({
  email: `${name}@example.test`,
  emailVerified: true,
  ...more,
});

async function mailed(
  t: ExecutionContext,
  config: Record<string, unknown> = {},
): Promise<{
  host: TestHost;
  server: MailServer;
  emit: (event: NewEvent) => Promise<void>;
  idOf: (name: string) => Promise<string>;
}> {
  const server = await startMailServer(t);
  const { host } = await ownRealm(shared(), {
    eventsListeners: ['email'],
    smtpServer: server.settings,
    eventsEnabled: false,
    internationalizationEnabled: true,
    supportedLocales: ['en', 'de'],
    defaultLocale: 'en',
    providers: { 'events-listener': { email: { config } } },
    users: [
      user('ann', verified('ann', { firstName: 'Ann', lastName: 'Ek' })),
      user('bob', { email: 'bob@example.test', emailVerified: false }),
      user('cat', {}),
      user('dora', verified('dora', { attributes: { locale: ['de'] } })),
      user('off', verified('off', { enabled: false })),
    ],
  });
  const realm = async () => await host.loadedRealm(host.defaultRealm);
  const caller = { ip: '192.0.2.7', secure: true, providers: host.registry.current };
  return {
    host,
    server,
    async emit(event) {
      const now = await realm();
      host.events.emit(now, event, () => host.sessions.create(now, caller, 'keyhost'));
      await host.events.flush();
    },
    idOf: async (name) => (await host.users.byUsername(await realm(), name))?.id ?? '',
  };
}

test('event emails: a failed login is emailed as in Keycloak 26.7.3: to a verified address, disabled or not, in the user’s language', async (t) => {
  const { host, server } = await mailed(t);
  for (const username of ['ann', 'bob', 'cat', 'nobody', 'dora', 'off']) {
    const form = { grant_type: 'password', client_id: 'spa', username, password: username === 'off' ? 'pw' : 'bad' };
    t.not((await host.token(host.defaultRealm, form)).status, 200);
  }
  await host.events.flush();
  await eventually(() => server.received.length >= 3);
  const byUser = [...server.received].sort((a, b) => (a.headers.to ?? '').localeCompare(b.headers.to ?? ''));
  t.deepEqual(
    byUser.map(({ envelope, headers }) => [envelope.to[0], headers.subject]),
    [
      ['ann@example.test', 'Failed login'],
      ['dora@example.test', 'Fehlgeschlagene Anmeldung'],
      ['off@example.test', 'Failed login'],
    ],
  );
  t.regex(byUser[0]?.text ?? '', /Someone failed to sign in to your account on Nov 27, 2026.* UTC from 127\.0\.0\.1\./);
  t.regex(byUser[1]?.text ?? '', /Am 27\.11\.2026.* UTC ist von 127\.0\.0\.1 aus eine Anmeldung an Ihrem Konto/);
});

test('event emails: changes of credentials are mailed, others are not, and the words of the realm go before', async (t) => {
  const { server, emit, idOf, host } = await mailed(t);
  const call = await adminCaller(host);
  const text = { eventUpdateTotpSubject: 'Your phone' };
  t.is((await call('POST', `/realms/${host.defaultRealm}/localization/en`, text)).status, 204);
  const userId = await idOf('ann');
  const ipAddress = '192.0.2.7';
  for (const type of ['LOGIN', 'UPDATE_PROFILE', 'USER_DISABLED_BY_TEMPORARY_LOCKOUT'])
    await emit({ type, userId, ipAddress });
  for (const [type, subject, said] of [
    ['UPDATE_PASSWORD', 'Password changed', /The password of your account was changed on .* from 192\.0\.2\.7\./],
    ['UPDATE_TOTP', 'Your phone', /An authenticator app was set up/],
    ['REMOVE_TOTP', 'Authenticator app removed', /was removed from your account/],
    ['UPDATE_CREDENTIAL', 'Credential changed', /The credential <b>otp<\/b> of your account was changed on Nov 27/],
    ['REMOVE_CREDENTIAL', 'Credential removed', /The credential <b>otp<\/b> was removed from your account on Nov 27/],
  ] as const) {
    const index = server.received.length;
    await emit({ type, userId, ipAddress, details: { credential_type: '<b>otp</b>' } });
    const mail = await server.mail(index);
    t.is(mail.headers.subject, subject);
    t.is(mail.headers.to, 'Ann Ek <ann@example.test>');
    t.regex(mail.text, said);
    t.false(mail.html.includes('<b>'));
  }
  t.is(server.received.length, 5);
});

test('event emails: a realm configures which events are emailed', async (t) => {
  const config = {
    includeEvents: ['USER_DISABLED_BY_TEMPORARY_LOCKOUT', 'UPDATE_PASSWORD'],
    excludeEvents: ['UPDATE_PASSWORD'],
  };
  const { server, emit, idOf, host } = await mailed(t, config);
  const userId = await idOf('ann');
  for (const type of ['LOGIN', 'UPDATE_PASSWORD', 'USER_DISABLED_BY_TEMPORARY_LOCKOUT']) await emit({ type, userId });
  const { headers, text } = await server.mail(0);
  t.is(headers.subject, 'Account locked');
  t.regex(text, /Your account was locked for a time on Nov 27/);
  t.is(server.received.length, 1);

  const call = await adminCaller(host);
  const path = `/realms/${host.defaultRealm}/providers/events-listener/email`;
  const refused = await call('PUT', path, { config: { includeEvents: ['LOGIN'] } });
  t.deepEqual([refused.status, /includeEvents\[0\]/.test(refused.text)], [400, true], refused.text);
  const { providers } = (await call('GET', '/serverinfo')).json as unknown as ServerInfo;
  t.deepEqual(providers.eventsListener?.providers.email, { order: 0 });
});
