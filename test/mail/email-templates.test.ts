import test from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { adminCaller, administered, administrator, ownRealm } from '../helpers/admin.js';
import { startMailServer } from '../helpers/mail-server.js';
import { idIn } from '../helpers/realms.js';
import { ask, scriptedPlugin } from '../helpers/scripted-plugin.js';
import { shareHost } from '../helpers/shared-host.js';

const needs = { 'send-mail': 'writes to users', 'mail-any-address': 'invites people' };
const grants = { '*': Object.keys(needs) };
const PLUGINS = ['here', 'apart'];

const template = (id: string) => `provide(EmailTemplate, {
  id: '${id}',
  realmConfig: { type: 'object', properties: { how: { type: 'string' } }, additionalProperties: false },
  open: () => ({ create: (_, { how }) => ({
    async render({ kind, user, realm, locale, texts, link, subject }) {
      if (how === 'throw') throw new Error('words of the plugin');
      if (how === 'hang') return new Promise(() => {});
      if (how === 'nonsense') return { subject: 'x', text: 'x' };
      if (how === 'leave') return undefined;
      return {
        subject: texts.subject + '\\r\\nBcc: eve@example.org',
        text: [kind, user?.username, realm.displayName, locale, subject.key, ...texts.before, texts.link, link?.url].join('|'),
        html: '<p>' + kind + '</p>',
      };
    },
  }) }),
})`;

const host = shareHost(
  test,
  administered({
    realms: [],
    plugins: [
      ...PLUGINS.map((module) => ({ module, grants, isolation: module === 'apart' ? 'worker' : 'none' })),
      { module: 'late', limits: { callTimeout: 1 } },
    ],
    packages: Object.fromEntries(
      [...PLUGINS, 'late'].map((name) => [
        name,
        scriptedPlugin(name, name === 'late' ? undefined : needs, template(`of-${name}`)).replace(
          '{ AdminPage,',
          '{ AdminPage, EmailTemplate,',
        ),
      ]),
    ),
  }),
  /email was not sent|words of the plugin|email_send_failed|admin_refused|execute-actions-email|its SPI does not allow/,
);

async function realmOf(
  t: Parameters<typeof startMailServer>[0],
  name: string,
  how: string,
  changes: Partial<RealmRepresentation> = {},
) {
  const server = await startMailServer(t);
  const { host: own } = await ownRealm(host(), ({ users = [] }) => ({
    smtpServer: server.settings,
    displayName: 'Shop',
    ...{ internationalizationEnabled: true, supportedLocales: ['de', 'en'], defaultLocale: 'de' },
    users: [...users, administrator('boss', 'realm-admin')],
    providers: {
      'realm-restapi-extension': { here: { enabled: true } },
      emailTemplate: { [`of-${name}`]: { enabled: true, config: { how } } },
    },
    ...changes,
  }));
  const call = await adminCaller(own, { realm: own.defaultRealm, username: 'boss', password: 'boss' });
  const mailAlice = () =>
    call('PUT', `/realms/${own.defaultRealm}/users/${idIn(own.defaultRealm)}/execute-actions-email`, [
      'UPDATE_PASSWORD',
    ]);
  return { server, own, mailAlice };
}

for (const name of PLUGINS) {
  test(`email templates: a template writes the host’s emails and those of plugins from their data (${name})`, async (t) => {
    const { server, own, mailAlice } = await realmOf(t, name, 'write');
    t.is((await mailAlice()).status, 204);
    const first = await server.mail(0);
    t.regex(
      first.text,
      /^execute-actions\|alice\|Shop\|de\|executeActionsSubject\|.*\|http:\/\/.*\/login-actions\/action-token\?key=/s,
    );
    t.is(first.headers.bcc, undefined);
    t.regex(first.headers.subject ?? '', / Bcc: eve@example\.org$/);
    t.is(first.html.trim(), '<p>execute-actions</p>');
    const message = { key: 'none', params: ['<i>'], texts: { en: 'Hello {0}', de: 'Hallo {0}' } };
    const mail = { to: { address: 'joe@example.org', locale: 'en' }, subject: message, before: [message] };
    t.is((await ask(own, own.defaultRealm, 'here', 'mail', 'send', mail)).error, undefined);
    t.is((await server.mail(1)).text.trim(), 'here||Shop|en|none|Hello <i>||');
  });

  test(`email templates: a mail that the template leaves has the form of the theme or of the host (${name})`, async (t) => {
    const { server, mailAlice } = await realmOf(t, name, 'leave');
    t.is((await mailAlice()).status, 204);
    t.regex((await server.mail(0)).html, /<html lang="de">[\s\S]*<h1>Shop<\/h1>/);
  });
}

test('email templates: an email whose template fails is not sent in another form, and its requester gets an error', async (t) => {
  const cases = [
    ...PLUGINS.flatMap((name) => ['throw', 'nonsense'].map((how) => [name, how] as const)),
    ['late', 'hang'] as const,
  ];
  for (const [name, how] of cases) {
    const { server, own, mailAlice } = await realmOf(t, name, how);
    const refused = await mailAlice();
    t.is(refused.status, 500, `${name} ${how}`);
    t.notRegex(refused.text, /words of the plugin/);
    const mail = { to: { address: 'joe@example.org' }, subject: { key: 'x' }, before: [{ key: 'x' }] };
    t.is((await ask(own, own.defaultRealm, 'here', 'mail', 'send', mail)).error?.code, 'email_send_failed');
    t.is(server.received.length, 0);
    const [event] = (await own.stored(own.defaultRealm)).filter(({ type }) => type === 'EXECUTE_ACTIONS_ERROR');
    t.is(event?.error, 'email_send_failed');
  }
});

test('email templates: serverinfo lists the templates, and two of them are a mistake at its place', async (t) => {
  const call = await adminCaller(host());
  const { json } = await call('GET', '/serverinfo');
  const { emailTemplate } = (json as unknown as { providers: Record<string, { providers: object }> }).providers;
  t.deepEqual(Object.keys(emailTemplate?.providers ?? {}).sort(), ['freemarker', 'of-apart', 'of-here', 'of-late']);
  const on = { enabled: true };
  const providers = { emailTemplate: { 'of-here': on, 'of-apart': on } };
  const refused = await call('POST', '/realms', { realm: 'two', providers });
  t.is(refused.status, 400);
  t.regex(refused.text, /providers\.emailTemplate\.of-apart\.enabled: must be false/);
});
