import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { renderMailContent } from '../../core/mail/mail-content.js';
import { type Mail, Mailer } from '../../core/mail/mailer.js';
import { ANY_PRIVATE_NETWORK, NO_PRIVATE_NETWORK, readPrivateNetworks } from '../../core/model/private-networks.js';
import { Realm } from '../../core/model/realm.js';
import { Texts } from '../../core/pages/messages/texts.js';
import { readMail, startMailServer } from '../helpers/mail-server.js';
import { testRealm } from '../helpers/realms.js';
import { temporaryDirectory } from '../store/temporary-directory.js';

const realm = (smtpServer?: Record<string, unknown>) =>
  new Realm(
    { id: 'x', name: 'demo', version: 1, representation: { ...testRealm('demo'), ...(smtpServer && { smtpServer }) } },
    'https://id.example.test',
  );
const LINK = 'https://id.example.test/realms/demo/login-actions/action-token?key=a.b.c';
const MAIL: Mail = {
  to: { name: 'Zoë', address: 'zoe@example.test' },
  subject: 'Grüße',
  text: `Hello\n\n${LINK}\n`,
  html: `<p>Hello <a href="${LINK}">you</a></p>`,
};
const mailer = new Mailer({ mailDir: undefined, privateNetworks: ANY_PRIVATE_NETWORK });

async function reason(sending: Promise<void>): Promise<string> {
  const error = await sending.then(
    () => ({ message: 'it was sent' }),
    (thrown: Error & { code?: string }) => thrown,
  );
  return 'code' in error ? `${error.code} ${(error.cause as Error).message}` : error.message;
}

test('email: an email goes to the realm’s server as text and HTML, with the configured sender', async (t) => {
  const server = await startMailServer(t);
  const more = { replyTo: 'help@keyhost.test', replyToDisplayName: 'Help', envelopeFrom: 'bounces@keyhost.test' };
  await mailer.send(realm({ ...server.settings, ...more }), MAIL);
  const { envelope, headers, text, html, link } = await server.mail(0);
  t.deepEqual(envelope, { from: 'bounces@keyhost.test', to: ['zoe@example.test'] });
  t.like(headers, {
    from: '"Demo & Söhne" <id@keyhost.test>'.replaceAll('"', headers.from?.includes('"') ? '"' : ''),
    to: 'Zoë <zoe@example.test>',
    'reply-to': 'Help <help@keyhost.test>',
    subject: 'Grüße',
    'auto-submitted': 'auto-generated',
  });
  t.deepEqual([text.trim(), html.trim(), link], [MAIL.text.trim(), MAIL.html, LINK]);
});

test('email: in production mails go to public hosts, and to private ones that the operator has named', async (t) => {
  const server = await startMailServer(t);
  const strict = new Mailer({ mailDir: undefined, privateNetworks: NO_PRIVATE_NETWORK });
  for (const host of [
    '127.0.0.1',
    'localhost',
    '::1',
    '10.1.2.3',
    '169.254.169.254',
    '::ffff:127.0.0.1',
    '2130706433',
  ]) {
    t.regex(
      await reason(strict.send(realm({ ...server.settings, host }), MAIL)),
      /^email_send_failed .*is not a public address: allow its network in --outbound-private-networks$/,
      host,
    );
  }
  t.is(server.received.length, 0);
  const named = readPrivateNetworks('127.0.0.0/8', (message) => t.fail(message));
  await new Mailer({ mailDir: undefined, privateNetworks: named }).send(realm(server.settings), MAIL);
  t.is((await server.mail(0)).envelope.to[0], 'zoe@example.test');
});

test('email: nothing in a name, a subject or an address becomes another header or recipient', async (t) => {
  const server = await startMailServer(t);
  const evil = 'x\r\nBcc: eve@evil.test\r\n\r\nbody \u2028 <eve@evil.test>';
  await mailer.send(realm({ ...server.settings, fromDisplayName: evil }), {
    ...MAIL,
    to: { name: evil, address: 'zoe@example.test' },
    subject: evil,
  });
  const { envelope, headers } = await server.mail(0);
  t.deepEqual(envelope.to, ['zoe@example.test']);
  t.is(headers.bcc, undefined);
  t.is(headers.subject, 'x Bcc: eve@evil.test body <eve@evil.test>');
  for (const address of [
    'zoe@a.test\r\nRCPT TO:<eve@evil.test>',
    'a@b.test,eve@evil.test',
    'Zoe <z@a.test>',
    'zoe',
    '',
  ]) {
    t.regex(
      await reason(mailer.send(realm(server.settings), { ...MAIL, to: { name: '', address } })),
      /email address of the recipient is invalid/,
    );
  }
  t.is(server.received.length, 1);
});

test('email: user and password are shown to a server that asks, and a mail that cannot be sent is an error without them', async (t) => {
  const server = await startMailServer(t, {
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) =>
      username === 'mailer' && password === 'p=ss word' ? done(null, { user: username }) : done(new Error('no')),
  });
  const auth = { auth: 'true', user: 'mailer', password: 'p=ss word' };
  await mailer.send(realm({ ...server.settings, ...auth }), MAIL);
  t.is(server.received.length, 1);
  const refused = await reason(mailer.send(realm({ ...server.settings, ...auth, password: 'wr0ng-p4ss' }), MAIL));
  t.regex(refused, /^email_send_failed EAUTH/);
  t.false(refused.includes('wr0ng-p4ss'));
  for (const [change, expected] of [
    [{ ...auth, starttls: 'true' }, /^email_send_failed ETLS/],
    [{ ...auth, ssl: 'true' }, /^email_send_failed (ESOCKET|ECONNECTION|ETLS)/],
    [{ port: '1' }, /^email_send_failed (ESOCKET|ECONNECTION)/],
    [{ from: '' }, /smtpServer\.from is required/],
    [{ port: 'smtp' }, /smtpServer\.port must be a port/],
    [{ auth: 'true', authType: 'token', user: 'u' }, /smtpServer\.authTokenUrl must be the http/],
    [{ auth: 'true', authType: 'x', user: 'u' }, /smtpServer\.authType must be "basic" or "token"/],
    [{ auth: 'true' }, /smtpServer\.user is required/],
  ] as const) {
    t.regex(await reason(mailer.send(realm({ ...server.settings, ...change }), MAIL)), expected);
  }
  t.regex(await reason(mailer.send(realm(), MAIL)), /realm demo has no smtpServer/);
});

test('email: a realm without a server has its mails written to the folder for them, readable by its owner alone', async (t) => {
  const dir = join(await temporaryDirectory(t), 'mail');
  const told: string[] = [];
  const writer = new Mailer({
    mailDir: dir,
    privateNetworks: NO_PRIVATE_NETWORK,
    onWritten: ({ file, mail }) => told.push(`${file} ${mail.to.address}`),
  });
  await writer.send(realm(), MAIL);
  const [name = ''] = await readdir(dir);
  t.deepEqual(told, [`${join(dir, name)} zoe@example.test`]);
  t.deepEqual([(await stat(dir)).mode & 0o777, (await stat(join(dir, name))).mode & 0o777], [0o700, 0o600]);
  const { headers, link } = readMail(await readFile(join(dir, name)));
  t.deepEqual([headers.from, headers.subject, link], ['keyhost@id.example.test', 'Grüße', LINK]);
});

test('email: the words of a mail are the same as text and as HTML, and markup in them is text', (t) => {
  const page = {
    realm: { name: 'demo', displayName: 'Demo <b>&</b>' },
    locale: 'de',
    subject: { key: 'passwordResetSubject' },
    before: [{ key: 'passwordResetText', params: ['<script>alert(1)</script>'] }],
    link: { label: { key: 'passwordResetLink' }, url: `${LINK}&x="` },
    after: [{ key: 'linkExpiration', params: ['5 Minuten'] }],
  };
  const { subject, text, html } = renderMailContent(page, new Texts('de'));
  t.is(subject, 'Passwort zurücksetzen');
  t.true(text.includes('Konto <script>alert(1)</script>') && text.includes('5 Minuten'));
  t.false(/<script>|<b>/.test(html));
  t.true(html.includes('<html lang="de">') && html.includes('key=a.b.c&amp;x=&quot;"'));
});
