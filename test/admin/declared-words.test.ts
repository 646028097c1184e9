import type { JsonSchema } from '@keyhost/spi';
import test from 'ava';
import { GERMAN_MAPPER_NAMES as PROVIDER_GERMAN } from '../../core/admin/identity-providers/mapper-german.js';
import { GERMAN_TEXTS } from '../../core/tokens/mappers/german-texts.js';
import { protocolMappers } from '../../core/tokens/mappers/protocol-mappers.js';
import { adminCaller, adminToken, startAdministered } from '../helpers/admin.js';
import { codeRealm } from '../helpers/code-realm.js';
import { fetchAnswer, startHost } from '../helpers/host.js';
import { startMailServer } from '../helpers/mail-server.js';
import { providersFolder } from '../helpers/plugins.js';
import { idIn, testRealm } from '../helpers/realms.js';

const PLUGIN = (
  name: string,
) => `import { ActionTokenHandler, Authenticator, ProtocolMapper, provide, RequiredAction } from '@keyhost/spi';
const settings = { type: 'object', properties: { word: { type: 'string', title: '\${word}', description: 'What is asked for.' } } };
const describe = { displayName: '\${question}', helpText: 'helpKey' };
const page = { outcome: 'challenge', page: { page: 'form', title: { key: 'x' }, fields: [], submit: { key: 'doSubmit' } } };
export default { name: '${name}', api: 1,
  messages: {
    en: { question: 'A question', helpKey: 'Asks for a word', word: 'Word', colour: 'Choose a colour' },
    de: { question: 'Eine Frage', helpKey: 'Fragt nach einem Wort', word: 'Wort', colour: 'Farbe wählen', 'What is asked for.': 'Wonach gefragt wird.' },
  },
  providers: [
    provide(Authenticator, { id: '${name}-step', describe, settings, open: () => ({ create: () => ({ authenticate: async () => page }) }) }),
    provide(ProtocolMapper, { id: '${name}-mapper', describe, settings, open: () => ({ create: () => ({ map: async () => ({}) }) }) }),
    provide(RequiredAction, { id: '${name}-action', displayText: '\${colour}', settings, open: () => ({ create: () => ({ challenge: async () => page, action: async () => ({ outcome: 'success' }) }) }) }),
    provide(ActionTokenHandler, { id: '${name}-link', describe, eventType: 'EXECUTE_ACTION_TOKEN', defaultError: 'e', defaultMessage: 'm', open: () => ({ create: () => ({ handle: async () => ({ status: 204 }) }) }) }),
  ] };`;

interface Shown {
  readonly id: string;
  readonly name?: string;
  readonly displayName?: string;
  readonly description?: string;
  readonly helpText?: string;
  readonly properties?: readonly { readonly label: string; readonly helpText: string }[];
}

test('texts of plugins: declared texts are in the language of the caller', async (t) => {
  const server = await startMailServer(t);
  const names = ['here', 'apart'];
  const argv = [
    '--providers-dir',
    await providersFolder(t, Object.fromEntries(names.map((name) => [name, PLUGIN(name)]))),
  ];
  const host = await startAdministered(t, {
    argv,
    plugins: names.map((module) => ({ module, isolation: module === 'apart' ? 'worker' : 'none' })),
    realms: [
      codeRealm('demo', {
        smtpServer: server.settings,
        internationalizationEnabled: true,
        supportedLocales: ['de', 'en'],
        defaultLocale: 'de',
        providers: {
          'action-token-handler': Object.fromEntries(names.map((name) => [`${name}-link`, { enabled: true }])),
        },
        requiredActions: names.map((name) => {
          const alias = `${name}-action`;
          return { alias, providerId: alias, name: alias, enabled: true };
        }),
      }),
    ],
  });
  const token = await adminToken(host, {});
  const read = async <T>(path: string, language: string | undefined) => {
    const headers = {
      authorization: `Bearer ${await token()}`,
      ...(language === undefined ? {} : { 'accept-language': language }),
    };
    return (await fetchAnswer(`${host.url}/admin${path}`, { headers })).json as unknown as T;
  };
  const SAID = {
    de: ['Eine Frage', 'Fragt nach einem Wort', 'Wort', 'Wonach gefragt wird.', 'Attribut des Benutzers'],
    en: ['A question', 'Asks for a word', 'Word', 'What is asked for.', 'User Attribute'],
  };
  for (const [language, words] of [
    ['de-AT, en;q=0.5', SAID.de],
    ['fr, de;q=0.2', SAID.de],
    ['en, de;q=0.5', SAID.en],
    ['fr', SAID.en],
    ['*', SAID.en],
  ] as const) {
    const [displayName, helpText, label, help, attribute] = words;
    const info = await read<{ protocolMapperTypes: Record<string, Shown[]> }>('/serverinfo', language);
    const mappers = info.protocolMapperTypes['openid-connect'] ?? [];
    t.is(mappers.find(({ id }) => id === 'oidc-usermodel-attribute-mapper')?.name, attribute, language);
    const steps = await read<Shown[]>('/realms/demo/authentication/authenticator-providers', language);
    const types = await read<Shown[]>('/realms/demo/action-token-types', language);
    for (const name of names) {
      const mapper = mappers.find(({ id }) => id === `${name}-mapper`);
      t.like(mapper, { name: displayName, helpText }, language);
      t.like(mapper?.properties?.[0], { label, helpText: help });
      t.like(
        steps.find(({ id }) => id === `${name}-step`),
        { displayName, description: helpText },
      );
      t.like(
        types.find(({ id }) => id === `${name}-link`),
        { displayName, helpText },
      );
      const base = '/realms/demo/authentication';
      const step = await read<Shown>(`${base}/config-description/${name}-step`, language);
      const action = await read<Shown>(`${base}/required-actions/${name}-action/config-description`, language);
      for (const { properties } of [step, action]) t.like(properties?.[0], { label, helpText: help });
    }
  }
  const call = await adminCaller(host);
  const actions = names.map((name) => `${name}-action`);
  t.is((await call('PUT', `/realms/demo/users/${idIn('demo')}/execute-actions-email`, actions)).status, 204);
  t.is((await server.mail(0)).text.match(/Farbe wählen/g)?.length, 2);
});

test('texts of plugins: messages of another shape are a boot error that names the problem', async (t) => {
  for (const [messages, told] of [
    ["'de'", 'messages must be texts by language and key: { en: { key: "Text" } }'],
    ["{ german: { a: 'b' } }", 'messages.german must be a language, such as de'],
    ["{ de: ['a'] }", 'messages.de must be texts by their keys'],
    ['{ de: { a: 1 } }', 'messages.de.a must be a text'],
  ] as const) {
    const source = `export default { name: 'p', api: 1, messages: ${messages}, providers: [] };`;
    const argv = ['--providers-dir', await providersFolder(t, { p: source })];
    const refused = await t.throwsAsync(
      startHost(t, { realms: [testRealm('demo')], plugins: [{ module: 'p' }], argv }),
    );
    t.is(refused?.message, `p: ${told}`);
  }
});

test('texts of plugins: all mappers of identity providers have German names and fields', async (t) => {
  const at = (path: string) => `https://corp.example.test/${path}`;
  const config = { clientId: 'keyhost', authorizationUrl: at('auth'), tokenUrl: at('token') };
  const identityProviders = [{ alias: 'corp', providerId: 'oidc', config }];
  const host = await startAdministered(t, { realms: [testRealm('demo', { identityProviders })] });
  const token = await adminToken(host, {});
  const types = async (language: string) => {
    const headers = { authorization: `Bearer ${await token()}`, 'accept-language': language };
    const url = `${host.url}/admin/realms/demo/identity-provider/instances/corp/mapper-types`;
    return Object.values((await fetchAnswer(url, { headers })).json as unknown as Record<string, Required<Shown>>);
  };
  const english = await types('en');
  const german = await types('de');
  const textsOf = ({ name, properties }: Required<Shown>) =>
    [name, ...properties.flatMap(({ label, helpText }) => [label, helpText])].filter((text) => text !== '');
  const said = new Set(english.flatMap(textsOf));
  t.deepEqual(
    [...said].filter((text) => !Object.hasOwn(PROVIDER_GERMAN, text)),
    [],
  );
  t.deepEqual(
    german.map(({ name }) => name),
    english.map(({ name }) => PROVIDER_GERMAN[name]),
  );
});

test('texts of plugins: all texts of the built-in mappers are translated to German', (t) => {
  const textsOf = ({ title, description, properties = {}, items }: JsonSchema): unknown[] => [
    title,
    description,
    ...[...Object.values(properties), ...(items === undefined ? [] : [items])].flatMap(textsOf),
  ];
  const said = new Set(
    protocolMappers.providers
      .flatMap(({ declaration: { describe, settings } }) => [
        ...Object.values(describe as object),
        ...textsOf(settings as JsonSchema),
      ])
      .filter((text) => text !== undefined),
  );
  t.true(said.size > 40);
  t.deepEqual(
    [...said].filter((text) => !Object.hasOwn(GERMAN_TEXTS, String(text))),
    [],
  );
  t.deepEqual(
    Object.keys(GERMAN_TEXTS).filter((text) => !said.has(text)),
    [],
    'and no German text is left over',
  );
});
