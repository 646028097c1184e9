import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { adminCaller, administrator, startDemo } from '../helpers/admin.js';
import { startMailServer } from '../helpers/mail-server.js';
import { testRealm } from '../helpers/realms.js';

const PATH = '/realms/demo/testSMTPConnection';
const MASK = '**********';
const users = [
  ...(testRealm('demo').users ?? []),
  { ...administrator('boss', 'realm-admin'), email: 'boss@example.test' },
  { ...administrator('mute', 'realm-admin') },
  { ...administrator('keeper', 'manage-realm'), email: 'keeper@example.test' },
];

async function started(t: Parameters<typeof startDemo>[0], changes: object = {}) {
  const { host } = await startDemo(t, { users, ...changes });
  const as = (username: string) => adminCaller(host, { realm: 'demo', username, password: username });
  return { host, call: await as('boss'), as };
}

test('email server: settings are tested before they are stored, by an email to the admin', async (t) => {
  const server = await startMailServer(t);
  const { call, as } = await started(t);
  t.is((await call('POST', PATH, server.settings)).status, 204);
  const { envelope, text } = await server.mail(0);
  t.deepEqual(envelope, { from: 'id@keyhost.test', to: ['boss@example.test'] });
  t.regex(text, /test message/);
  const reasons = [
    [{ port: '1' }, 'ESOCKET'],
    [{ host: '' }, 'smtpServer.host is required'],
    [{ from: '' }, 'smtpServer.from is required: the sender of emails'],
    [{ auth: 'true' }, 'smtpServer.user is required if "auth" is true'],
  ] as const;
  for (const [change, why] of reasons) {
    const refused = await call('POST', PATH, { ...server.settings, ...change });
    t.is(refused.status, 500);
    t.deepEqual(refused.json, { errorMessage: 'Failed to send email', error_description: why });
  }
  const mute = await (await as('mute'))('POST', PATH, server.settings);
  t.is(mute.status, 500);
  const why = 'your user has no email address';
  t.deepEqual(mute.json, { errorMessage: 'Failed to send email', error_description: why });
  t.is((await (await as('keeper'))('POST', PATH, server.settings)).status, 403, 'it is for who may set the server');
  t.is(server.received.length, 1);
});

test('email server: a test email can be sent to another address, by an admin without one too', async (t) => {
  const server = await startMailServer(t);
  const { as } = await started(t);
  const call = await as('mute');
  t.is((await call('POST', `${PATH}?to=ops%40example.test`, server.settings)).status, 204);
  const { envelope, headers } = await server.mail(0);
  t.deepEqual(envelope.to, ['ops@example.test']);
  t.is(headers.to, 'ops@example.test', 'without the name of the admin');
  for (const to of ['nowhere', 'a@example.test,b@example.test', 'a@example.test\r\nBcc: b@example.test']) {
    const refused = await call('POST', `${PATH}?to=${encodeURIComponent(to)}`, server.settings);
    t.deepEqual([refused.status, refused.json], [400, { errorMessage: 'to is not an email address' }]);
  }
  t.is((await (await as('keeper'))('POST', `${PATH}?to=ops%40example.test`, server.settings)).status, 403);
  t.is(server.received.length, 1);
});

test('email server: a masked password is the realm’s for its own server, and is sent to no other', async (t) => {
  const shown: unknown[] = [];
  const server = await startMailServer(t, {
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) => {
      shown.push(password);
      done(null, { user: String(username) });
    },
  });
  const auth = { auth: 'true', user: 'mailer', password: 'kept-password' };
  const { call } = await started(t, { smtpServer: { ...server.settings, ...auth } });
  t.is((await call('POST', PATH, { ...server.settings, ...auth, password: MASK })).status, 204);
  for (const change of [{ host: 'localhost' }, { port: '1' }]) {
    const moved = await call('POST', PATH, { ...server.settings, ...auth, password: MASK, ...change });
    t.is(moved.status, 400);
  }
  t.deepEqual(shown, ['kept-password']);
});

test('email server: only host admins read the server’s reply; other admins read the step and its code', async (t) => {
  const server = await startMailServer(t, { onMailFrom: (_address, _session, done) => done(new Error('inner words')) });
  const { host, call } = await started(t);
  t.is((await call('POST', PATH, server.settings)).json.error_description, 'EENVELOPE 550');
  const root = await adminCaller(host);
  const [{ id }] = (await root('GET', '/realms/master/users?username=root')).json as [{ id: string }];
  await root('PUT', `/realms/master/users/${id}`, { email: 'root@example.test' });
  const told = await root('POST', PATH, server.settings);
  t.regex(String(told.json.error_description), /^EENVELOPE: .*inner words/);
});

test('email server: the port can be a number or a string', async (t) => {
  const server = await startMailServer(t, {
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username }, _session, done) => done(null, { user: String(username) }),
  });
  const auth = { auth: 'true', user: 'mailer', password: 'kept-password' };
  const smtpServer = { ...server.settings, ...auth, port: Number(server.settings.port) };
  const { call } = await started(t, { smtpServer });
  t.is((await call('POST', PATH, { ...server.settings, ...auth, password: MASK })).status, 204);
});

test('email server: a server that requires a token gets one from the token endpoint that the realm names', async (t) => {
  const asked: string[] = [];
  const issuer = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      asked.push(Buffer.concat(chunks).toString());
      response.setHeader('content-type', 'application/json').end('{"access_token":"mail-token","token_type":"Bearer"}');
    });
  });
  await new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve));
  t.teardown(() => void issuer.close());
  const tokens: unknown[] = [];
  const server = await startMailServer(t, {
    disabledCommands: ['STARTTLS'],
    authMethods: ['XOAUTH2'],
    onAuth: ({ username, accessToken }, _session, done) => {
      tokens.push(accessToken);
      if (accessToken === 'mail-token') done(null, { user: String(username) });
      else done(new Error('no'));
    },
  });
  const authTokenUrl = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}/token`;
  const settings = {
    ...server.settings,
    auth: 'true',
    authType: 'token',
    user: 'mailer@keyhost.test',
    authTokenUrl,
    authTokenScope: 'smtp.send',
    authTokenClientId: 'mails',
    authTokenClientSecret: 's3cret',
  };
  const { call } = await started(t, { smtpServer: settings });
  const kept = (await call('GET', '/realms/demo')).json as unknown as { smtpServer: Record<string, string> };
  t.is(kept.smtpServer.authTokenClientSecret, MASK);
  t.is((await call('POST', PATH, kept.smtpServer)).status, 204);
  t.deepEqual(Object.fromEntries(new URLSearchParams(asked[0])), {
    grant_type: 'client_credentials',
    client_id: 'mails',
    client_secret: 's3cret',
    scope: 'smtp.send',
  });
  t.deepEqual(tokens, ['mail-token']);
  const moved = { ...kept.smtpServer, authTokenUrl: 'https://evil.example/token' };
  t.is((await call('POST', PATH, moved)).status, 400, 'the secret is for the token endpoint that it was given for');
});

test('email server: a realm whose server needs a user that is not set is accepted, and its caches are emptied', async (t) => {
  const { call, as } = await started(t, { smtpServer: { host: 'mail.example.test', from: 'a@b.test', auth: 'true' } });
  const keeper = await as('keeper');
  for (const name of ['realm', 'user', 'keys']) {
    t.is((await keeper('POST', `/realms/demo/clear-${name}-cache`)).status, 204);
  }
  t.is(
    (await call('PUT', '/realms/demo', { smtpServer: { host: 'h.test', from: 'a@b.test', auth: 'true' } })).status,
    204,
  );
});
